"""Who is at a table and who may come back, and how long the table waits for them.

Players leave, drop (lose the connection) or are kicked by the host, and everybody is told which.
Watchers are simply removed. The seat of a dropped player who can be known again is held for a
grace. Then it is free, or in a match a bot plays it, and its owner may take it back at any turn.
The seat of a player who left or was kicked is a bot's for good, and no token opens it.

Laws: nobody waits for ever. In a match the others wait for a dropped player no longer than the
grace. While no player is here and an owner may come back, the match stands still; after a limit the
table closes.
At a table of days everybody has days for each turn, so none of this holds while its match is
played: nobody is missed, and nothing stands still.
Before the first match a seat is held for longer, `waiting_s` or at a table of days `UNBEGUN_S`:
a player reads the rules, or makes coffee. The host may send them away, or give the seat to a bot or
free it where the table has no days. There somebody else hosts once the host's own grace is over,
until they are back.
When nobody is here and nobody may come back, the table closes at once: bots play for nobody. The
journal keeps how far a match came. When the server starts again, every player has dropped. A kick
holds the person, however their name is spelt and by however many connections they come. It holds
nobody else behind the same address.
"""

import re
from asyncio import get_running_loop
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from protocol.errors import RefusalCode
from protocol.from_server import LeftTable, Notice, NoticeCode, TableGone
from protocol.table import DAY_S, TablePhase
from protocol.text import clean, name_key
from server.matches.wishes import WhenKept, nobody_waits
from server.tables.access import Impossible
from server.tables.names import keys
from server.tables.seat import Chair, SeatState
from server.tasks import Timer

if TYPE_CHECKING:
    from server.net.session import Session
    from server.tables.table import Table

_NUMBER: Final = re.compile(r" \d+$")
_Mark: TypeAlias = "Session | bytes | str"
"""A connection, an identity or how a name looks."""
SOON_S: Final = 60.0
"""A table that another server has had before waits for so long at least: its players dial again."""
UNBEGUN_S: Final = 30 * DAY_S
"""For so long a table of days holds the seat of somebody who is gone before it begins."""
TOGETHER_S: Final = 5.0
"""After a restart all were away: so long after the first is back the others come back without a
word to each other."""
_NOBODY: Final[frozenset[Any]] = frozenset()
"""One for all: an empty set takes 216 bytes."""


def rest_s(wait_s: float, stood_s: float) -> float:
    """How long a table still waits that waits for `wait_s` and has stood still for `stood_s`."""
    return max(min(wait_s, SOON_S), wait_s - stood_s)


def _came_back(chair: Chair) -> Notice:
    """What everybody hears of the seat's player; the chair forgets when the player went."""
    name, seat, away_s = chair.name, chair.number, chair.away_s()
    return Notice(NoticeCode.CAME_BACK, {"name": name, "seat": seat, "away_s": away_s})


class Presence:
    """Knows one table. Each seat has its own timer for the grace; the table's timer is here, and
    closes a table that stands still or is deserted."""

    __slots__ = ("_stands_still", "_table", "_timer", "_together_s", "marks")

    def __init__(self, table: "Table") -> None:
        self._table: Final = table
        self._timer: Final = Timer()
        self._stands_still = False
        self._together_s: float | None = None
        """Until then players do not hear of each other that they are back, on the loop's clock; inf
        until the first is. None: the server was not away, or they hear nothing of that."""
        self.marks: frozenset[_Mark] = _NOBODY
        """Of those who were sent away, for as long as the table stands."""

    def came(self, guest: "Session") -> None:
        """The guest sits or watches here from now on."""
        guest.table = self._table.code
        self._table.lobby.list.unsubscribe(guest)
        self.update_standstill()
        if not self._stands_still:
            self._timer.stop()

    def reseat(self, chair: Chair, guest: "Session") -> None:
        """Give the seat to its owner, who is back and hears so, or that the server was away and a
        match goes on. The others hear of the owner, too, unless the seat was never vacant: an older
        connection had it, and nobody had noticed whether it broke."""
        until_s = self._together_s if chair.awaited and chair.gone_at_s is None else None
        missed, back = chair.silent or chair.state is not SeatState.HERE, _came_back(chair)
        if until_s is not None:
            missed = get_running_loop().time() > until_s
        if missed:
            self._table.news.send(back)
        chair.reseat(guest)
        if until_s is None:
            guest.send(back)
        elif self._table.phase is TablePhase.PLAYING:  # a match that was called off does not go on
            guest.send(Notice(NoticeCode.SERVER_CAME_BACK))

    # Silence ------------------------------------------------------------------------------------

    def falls_silent(self, guest: "Session") -> None:
        """The guest's action is due and the line has been silent for long: hold the seat for a
        grace, as if it had dropped, where another player waits."""
        table = self._table
        others = [chair for chair in table.seating.chairs if chair.guest not in (None, guest)]
        if (
            table.days is not None
            or not table.waits_for(guest)
            or all(chair.silent for chair in others)
        ):
            return
        chair = table.chair_of(guest)
        if chair.state is SeatState.HERE and not chair.silent:
            chair.fall_silent(self._grace_s, self._grace_over)
            self.say_away(chair)
            table.news.touch()

    def is_heard(self, guest: "Session") -> None:
        """Undo `falls_silent`; a bot that stood in stops."""
        table = self._table
        chair = table.seating.chair_of(guest)
        if chair is None or not chair.silent:
            return
        chair.move("speak")
        back = _came_back(chair)
        if chair.state is SeatState.PLAYED_FOR:
            with suppress(Impossible):  # their time is up: they play again in the next turn
                table.playing.give_back(chair)
        else:
            table.news.send(back)
        table.news.touch()

    def say_away(self, chair: Chair) -> None:
        """Tell who is away, and after how many seconds a bot plays for them, if one is to come."""
        table = self._table
        known: dict[str, int | str] = {"name": chair.name, "seat": chair.number}
        plays = table.phase is TablePhase.PLAYING and chair.bot is None
        if plays and len(table.seating.guests()) > 1 and (grace_s := self._grace_s) is not None:
            known["wait_s"] = round(grace_s)
        table.news.say(NoticeCode.DROPPED, **known)

    # Waiting -------------------------------------------------------------------------------------

    def after_restart(self, *, told: bool = True, stood_s: float = 0.0) -> None:
        """Wait for every owner: the server was away, and so was everybody. `told`: say so to those
        who come back. `stood_s`: for so long the match has stood still at another server."""
        self._together_s = inf if told and self._table.days is None else None
        self.update_standstill(stood_s)

    @property
    def stands_still(self) -> bool:
        """Whether the match waits for its first player to come back."""
        return self._stands_still

    def await_anybody(self, for_s: float) -> None:
        """Stand for so long, though nobody is here."""
        self._timer.start(for_s, self.close_if_deserted)

    def hold_all(self, for_s: float) -> None:
        """Of a table that has not begun, after a restart: wait for all owners for so long."""
        for chair in self._table.seating.chairs:
            if chair.awaited:
                chair.hold(for_s, self._grace_over)

    def stop_waiting(self) -> None:
        """Cancel all timers."""
        for chair in self._table.seating.chairs:
            chair.grace.stop()
        self._stands_still = False
        self._timer.stop()

    def close(self) -> None:
        """Close the table and send everybody back to the lobby."""
        for guest in self._table.people():
            guest.table = None
            guest.send(LeftTable(self._table.code, TableGone.CLOSED))
        self._table.watchers.clear()  # else news of this turn would still reach them
        self._end()

    def may_rest(self) -> bool:
        """Whether nobody is here, and what was asked of the match is done: then it can go on
        from the journal alone."""
        table = self._table
        idle = table.match is None or (table.match.begun and table.match.idle)
        waits = table.days is not None and table.match is None
        return idle and not table.people() and (self._timer.runs or waits)

    @property
    def left_s(self) -> float:
        """How much longer this table, where nobody is, stands."""
        return self._timer.left_s

    def end_without_match(self) -> None:
        """The match rests, and there is no table any more."""
        self.stop_waiting()
        for chair in self._table.seating.chairs:
            chair.move("end_match")

    def close_if_deserted(self) -> None:
        """Close the table where nobody is here or may come back."""
        if self._table.is_deserted():
            self._end()

    def _end(self) -> None:
        self.end_without_match()
        self._table.playing.let_go()
        self._table.lobby.closed(self._table.code)

    def hold_seat(self, chair: Chair) -> None:
        """The seat's player has lost the connection."""
        silent = chair.silent
        chair.drop(self._grace_s, self._grace_over)
        if chair.state is SeatState.AWAY and not silent:  # a bot stood in already, and goes on
            self._table.playing.announce_bot(chair)

    def update_standstill(self, stood_s: float = 0.0) -> None:
        """After players came or went, let the match stand still or go on. `stood_s`: as in
        `after_restart`."""
        table = self._table
        still = table.days is None and table.seating.awaits() and not table.seating.guests()
        if still is self._stands_still:
            return
        self._stands_still = still
        if table.match is not None:
            (table.match.stand_still if still else table.match.go_on)()
        for bot in table.seating.bots():
            (bot.rest if still else bot.wake)()
        if still:
            limits = table.lobby.limits
            wait_s = self._unbegun_s if table.match is None else limits.standstill_s
            if table.match is not None and not table.playing.acted:
                wait_s = min(wait_s, limits.untouched_s)
            self._timer.start(rest_s(wait_s, stood_s), self.close)
            return
        self._timer.stop()
        if self._together_s == inf:
            self._together_s = get_running_loop().time() + TOGETHER_S
        for chair in table.seating.chairs:
            # All had lost the connection: a player whose grace has ended gets another grace.
            if chair.state is SeatState.DROPPED:
                chair.hold(self._grace_s, self._grace_over)

    @property
    def _unbegun_s(self) -> float:
        """How long a seat is held before the first match."""
        return self._table.lobby.limits.waiting_s if self._table.days is None else UNBEGUN_S

    @property
    def _grace_s(self) -> float | None:
        limits, races = self._table.lobby.limits, self._table.game.rules.races
        if self._table.match is None:
            return min(self._unbegun_s, limits.grace_s if self._table.days is None else inf)
        if self._table.days is not None and self._table.phase is TablePhase.PLAYING:
            return None
        # A race goes on without the seat, which is soon too far behind.
        soon = races and self._table.phase is TablePhase.PLAYING
        return min(limits.grace_s, limits.race_grace_s) if soon else limits.grace_s

    def _grace_over(self, chair: Chair) -> None:
        table = self._table
        plays = table.phase is TablePhase.PLAYING
        if chair.silent:
            if plays:
                table.playing.stand_in(chair)
                table.playing.announce_bot(chair)
        elif table.match is None and table.days is None and not chair.overdue:
            held_s = self._unbegun_s - table.lobby.limits.grace_s
            chair.hold(held_s, self._grace_over, overdue=True)
            table.choose_host()
            table.news.touch()
        elif not plays:
            if table.days is not None and table.match is not None:
                table.match.give_up(chair.number)  # they have seen how it ended
            table.free(chair)
            self.update_standstill()
            table.begin_if_all_ask()
            self.close_if_deserted()
        elif table.seating.guests():
            table.playing.give_to_bot(chair, for_good=False)

    # Sent away -----------------------------------------------------------------------------------

    def refuse(self, guest: "Session") -> None:
        """Raises Impossible for somebody who was sent away, or cannot be told from them."""
        marks: set[_Mark] = {guest, *keys(guest.name)}
        if guest.identity:
            marks.add(guest.identity)
        else:  # the same wish for a name gets a number, and is held
            marks |= keys(_NUMBER.sub("", guest.name))
        if not marks.isdisjoint(self.marks):
            raise Impossible(RefusalCode.KICKED, table=self._table.code)

    def kick(self, host: "Session", name: str, answer: WhenKept = nobody_waits) -> None:
        """Host: send the person of that name away for as long as the table stands, with all their
        connections, but not an absent first host who is waited for; `answer` as for `leave`.
        Raises Impossible."""
        table = self._table
        table.need_host(host)
        gone = self._named(name)
        if gone is host:
            raise Impossible(RefusalCode.NOT_YOURSELF)
        first = None if table.first_host is None else table.seating.chairs[table.first_host]
        keeps = first and first.awaited and first.keeps_part(table.phase is TablePhase.ENDED)
        if first and keeps and (gone is first or gone.identity == first.identity != b""):
            raise Impossible(RefusalCode.FIRST_HOST, name=first.name)
        # Of two connections of the same person one stays.
        identity = b"" if gone.identity == host.identity else gone.identity
        for guest in self._send_away(gone, identity, NoticeCode.KICKED, answer):
            guest.send(LeftTable(table.code, TableGone.KICKED))

    def expel(self, gone: "Session | Chair") -> None:
        """The operator of the server sends a person of this table away, or the absent owner of a
        seat, for as long as the table stands. Those who are here have lost the table silently."""
        self._send_away(gone, gone.identity, NoticeCode.EXPELLED, nobody_waits)

    def _send_away(
        self, gone: "Session | Chair", identity: bytes, how: NoticeCode, answer: WhenKept
    ) -> list["Session"]:
        """Send somebody away wherever they are at this table. Returns those who were here."""
        table, away = self._table, list["Session"]()
        here = [one for one in table.people() if identity and one.identity == identity]
        seats = [chair for chair in table.seating.owned_by(identity) if chair.awaited]
        for one in dict.fromkeys([gone, *here, *seats]):
            self.marks |= keys(one.name)
            if identity:
                self.marks |= {identity}
            if isinstance(one, Chair):
                self._send_away_absent(one, how, answer)
            else:
                self.marks |= {one}
                table.go(one, how, answer)
                away.append(one)
            answer = nobody_waits
        self.close_if_deserted()
        return away

    def _named(self, name: str) -> "Session | Chair":
        """The person of that name who is here, or the seat of an absent owner of that name."""
        absent = [chair for chair in self._table.seating.chairs if chair.awaited]
        known: list[Session | Chair] = [*self._table.people(), *absent]
        name = clean(name)
        wanted = name_key(name)
        for one in known:
            if name_key(one.name) == wanted:
                return one
        raise Impossible(RefusalCode.NOBODY_OF_THAT_NAME, name=name)

    def _send_away_absent(self, chair: Chair, how: NoticeCode, answer: WhenKept) -> None:
        table = self._table
        table.news.say(how, name=chair.name, seat=chair.number)
        if table.match is None:
            answer()
        else:
            table.match.give_up(chair.number, answer)
        if table.phase is not TablePhase.PLAYING:
            table.free(chair)
            table.begin_if_all_ask()
        elif chair.bot is None:
            table.playing.give_to_bot(chair, for_good=True)
        else:
            chair.move("give_up", chair.bot)
        self.update_standstill()
