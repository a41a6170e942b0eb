"""A match in plain mode, played or watched: moves, what is where, hints, the end."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from clocktowers_tui.config.settings import Verbosity
from clocktowers_tui.deeds.asking import asked
from clocktowers_tui.deeds.client import is_my_turn, may_act
from clocktowers_tui.deeds.finished import find
from clocktowers_tui.deeds.match import (
    MATCH,
    act,
    ask_for_hint,
    given_up_in_words,
    held_in_words,
    is_kept,
    is_played,
    keep_pace,
    may_play_again,
    needs_end,
    next_in_words,
    remembered,
)
from clocktowers_tui.deeds.table import leave, leave_for_good
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import FACES, SPOKEN, title_of
from clocktowers_tui.games.spoken import Asks, number, sentence
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.codes import broken_off_in_words, trouble_in_words
from clocktowers_tui.phrases.match import (
    banner_in_words,
    handed_on_in_words,
    log_lines,
    names_of,
    names_there,
    proof_in_words,
    since_move,
)
from clocktowers_tui.phrases.numbers import numbers_in_words
from clocktowers_tui.phrases.tables import (
    clock_in_words,
    late_in_words,
    line_of,
    ranking_in_words,
    seat_in_words,
)
from clocktowers_tui.plain.finished import form_of, see_together
from clocktowers_tui.plain.lines import WIDE, in_sentences
from clocktowers_tui.plain.lobby import changed_seats
from clocktowers_tui.plain.place import EVERYWHERE, GamePlace, match_in_words
from clocktowers_tui.state.match import LogLine, Match
from clocktowers_tui.state.store import Place, State, muted, place, played_for, stands_still, you
from clocktowers_tui.text.fitting import time_left
from clocktowers_tui.text.i18n import _
from protocol.from_client import Rematch
from protocol.from_server import NoticeCode
from protocol.table import Pace, SeatKind

if TYPE_CHECKING:
    from clocktowers_tui.plain.client import PlainClient


_NEWEST = 20
"""Log lines, where no number is typed."""
LATE_S = 1.0
"""When a hint or a file that is not there yet is said to be on its way."""


class MatchPlace(GamePlace):
    """Watchers have the same, without moves."""

    all_deeds = MATCH

    def __init__(self, client: "PlainClient") -> None:
        super().__init__(client)
        self.spoken = SPOKEN[self.match.game]
        self._paced = Pace.NORMAL
        self._fast = False

    # What is so ---------------------------------------------------------------------------------

    @property
    def _state(self) -> State:
        return self.client.state

    @property
    def match(self) -> Match:
        match = self._state.match
        assert match is not None
        return match

    @property
    def face(self) -> Face:
        return FACES[self.match.game]

    @property
    def names(self) -> list[str]:
        return names_there(self._state, self.match)

    def sight(self) -> tuple[Any, Sequence[str]]:
        return self.match.view, self.names

    def begins(self) -> list[str]:
        """Where the player is, when a match begins or goes on."""
        match, state = self.match, self._state
        info = None if state.table is None else state.table.info
        seats = () if info is None else info.seats
        named = {one.name: seat_in_words(one) for one in seats if one.kind is SeatKind.BOT}
        names = [named.get(name, name) for name in self.names]
        said = f"{match_in_words(match.game, names, state.seat)}."
        if match.over:  # the player comes back from its replay
            return [said, *self.now()]
        ways = _(
            "An empty line says what you are asked, look tells what is where, "
            "help lists the commands."
        )
        clock, left = clock_in_words(info.clock) if info and info.clock else "", ""
        if info and (late := late_in_words(info)) and match.clock:
            clock = f"{clock}. {late}"
            if match.clock.seat == state.seat:
                time = time_left(match.clock.left_ms // 1000)
                left = _("Your clock: {time}.").format(time=time)
        if not self.face.in_turns:
            hurries = self.face.hurries(match.view)
            clock = _("With the clock") if hurries else _("Without a clock")
        told = clock and sentence(clock)
        said_new = _("New to {game}? {learn} teaches it in 5 minutes.")
        learn = f"learn {[*FACES].index(match.game) + 1}"
        lesson = said_new.format(game=title_of(match.game), learn=learn)
        known = match.game in self.client.settings.known
        return [said, told, left, ways, "" if known else lesson]

    def turn(self) -> list[str]:
        """What the player has to know to choose."""
        view, names = self.match.view, self.names
        spent = self.face.is_spent(view)  # that is said when it begins
        return [*([] if spent else [self._expected()]), *self.spoken.turn(view, names)]

    # Commands -----------------------------------------------------------------------------------

    @property
    def deeds(self) -> Sequence[Deed]:
        """At the end a word that is everywhere means there what it means elsewhere."""
        own = {one.word for one in self.spoken.deeds if one.waits}
        no_more = {"play", *(one.word for one in EVERYWHERE)} if self.match.over else ()
        here = (one for one in super().deeds if one.word not in no_more)
        return [one._replace(now=is_played) if one.word in own else one for one in here]

    async def nothing(self) -> None:
        """Of several people at one keyboard, the one whose turn it is says so."""
        keyboard = self.client.journey.keyboard
        if keyboard is not None and not self.client.own_pace:
            await self.client.until(self.needs_nobody_else)
        if keyboard is not None and keyboard.eyes.covered:
            keyboard.uncover()
        else:
            self.client.say(*self.now())

    async def read(self, word: str, rest: Sequence[str], *, moves: bool) -> None:
        if moves and not is_played(self.client):
            self.client.object(self._why_not())
        elif moves and self.face.in_turns and not is_my_turn(self._state, FACES):
            said = _("Not your turn yet: {who} Your line was not used.")
            self.client.object(self._covered() or said.format(who=self._expected()))
        else:
            await super().read(word, rest, moves=moves)

    async def play(self, action: Any) -> bool:
        """Send an action, and say why it is refused; whether it stands."""
        if not may_act(self._state) or not self.match.view:
            self.client.object(self._why_not())
            return False
        return await act(self.client, self.client, action)

    def _why_not(self) -> str:
        if self.match.over:
            return _("The match is over.")
        if self._state.seat is None:
            return self._covered() or _("You are watching: you cannot play.")
        return _("Your move is on its way.")

    def needs_nobody_else(self) -> bool:
        """Whether the match waits for this player, or for nobody."""
        state = self._state
        match = state.match
        if match is None or match.over or stands_still(state):
            return True
        if state.seat is None:
            return not state.covered or bool(self._covered())
        return match.pending is None and not played_for(state) and is_my_turn(state, FACES)

    def only_hears(self) -> bool:
        """Whether others play now, and no line is expected."""
        match = self._state.match
        watches = self._state.seat is None and match is not None and not match.over
        return watches or not self.needs_nobody_else()

    async def do(self, deed: Deed) -> None:
        """`fast` holds until it is typed again: else a listener would type it in each turn."""
        if deed.keys != (actions.HURRY,):
            await super().do(deed)
            return
        self._fast, was = not self._fast, self._paced
        await self.settle_pace()
        if self._paced is was:  # bots play also for others, or cannot be hurried so
            self._fast = False
            await super().do(deed)
        elif self._fast:
            self.client.say(_("Bots play at once. fast ends that."))
        else:
            self.client.say(_("Bots play at your pace again. fast hurries them."))

    # What is asked ------------------------------------------------------------------------------

    async def do_look(self) -> None:
        """Whose turn it is, and what is where; or one part."""
        rest, match, keymap = self.client.typed, self.match, self.client.keymap
        parts = banner_in_words(self._state, match, self.face, self.names, keymap)
        told = (sentence(one, self.names) for one in parts if one != _("Without a clock"))
        first = "" if rest else " ".join(told)
        self.client.say(first, *self.client.looked_at(self.spoken, *self.sight(), rest))

    async def do_again(self) -> None:
        self.client.say(*since_own_move(self.match, self._state), *self.now())

    def _covered(self) -> str:
        """Who is to say that they are there, of several people at one keyboard; "" = nobody."""
        keyboard = self.client.journey.keyboard
        covered = keyboard is not None and keyboard.eyes.covered
        return sentence(handed_on_in_words(keyboard)) if keyboard is not None and covered else ""

    def now(self) -> list[str]:
        """What the match waits for."""
        if self.match.over:
            return [_("The match is over."), *self._ways()]
        if covered := self._covered():
            return [covered]
        if self.needs_nobody_else() and self._state.seat is not None:
            return self.turn()
        return [self._expected()]

    def _expected(self) -> str:
        return sentence(self.face.expected(self.match.view, self.names), self.names)

    async def do_log(self) -> None:
        rest = self.client.typed
        newest = number(rest)
        count = newest if newest > 0 else _NEWEST
        self.client.say(*logged(self.match, self._state, newest=count))

    async def do_earlier(self) -> None:
        rest = self.client.typed
        back, seen = number(rest), self.match.seen
        if not 0 < back < len(seen):
            said = _("Type how many moves, from 1 to {n}.") if len(seen) > 1 else ""
            self.client.question = Asks([], "earlier {}")
            nothing = _("There is nothing to look back at yet.")
            raise NotDone(said.format(n=len(seen) - 1) if said else nothing)
        view = seen[-1 - back].view
        turn = "" if rest[1:] else sentence(self.face.expected(view, self.names))
        seen_then = self.client.looked_at(self.spoken, view, self.names, rest[1:])
        self.client.say(turn, *seen_then)

    async def do_wait(self) -> None:
        """For scripts: a person types on, and hears when it is their turn."""
        if self.client.own_pace or self.needs_nobody_else():
            self.client.say(*self.now())
        else:
            await self.client.until(self.needs_nobody_else)

    async def do_leave(self) -> None:
        """To the menu, where the match waits; `leave end` gives it up, and leads to the tables of
        a server that is not the player's own."""
        client = self.client
        for_good = [one.lower() for one in client.typed] == ["end"]
        if self.match.over:
            await leave(client, client)
        elif not for_good and (self._state.seat is not None or self._state.covered):
            client.say(*filter(None, [held_in_words(self._state)]))
            await client.journey.end(hold_seat=True)
        else:
            lost = given_up_in_words(self._state)
            if not lost or await client.sure("", [lost], "", ""):
                await leave_for_good(client)

    async def do_hint(self) -> None:
        client, said = self.client, _("A bot looks for a good move…")
        late = asyncio.get_running_loop().call_later(LATE_S, client.say, said)
        try:
            found = await ask_for_hint(client, self.face)
        finally:
            late.cancel()
        if isinstance(found, str):
            raise NotDone(found)
        view = self.match.view
        action, then = found
        typed = _("Type: {command}").format(command=self.spoken.typed(view, action))
        client.say(self.spoken.advice(view, action, self.names, then), typed)

    # What goes on -------------------------------------------------------------------------------

    async def settle_pace(self) -> None:
        """Tell the server how fast bots act; the player has seen the game now."""
        self.client.keep(remembered(self.client, self.match.game))
        wanted = Pace.AT_ONCE if self._fast else self.client.settings.pace
        self._paced = await keep_pace(self.client, self._paced, wanted)

    # The end ------------------------------------------------------------------------------------

    def result(self, *, whole: bool = False) -> list[str]:
        """Who won, the points; what they are made of where that is asked (`whole`) or all is told;
        then what else there is to say, and unasked what can be done."""
        match, state = self.match, self._state
        if match.aborted:
            return [_("The match is over."), broken_off_in_words()]
        lines = self.face.result(match.view, match.outcome, self.names, WIDE)
        full = self.client.settings.verbosity is Verbosity.FULL
        made = self.spoken.ending(match.view, match.outcome, self.names) if whole or full else ()
        info = None if state.table is None else state.table.info
        proof = proof_in_words(match, self.face, info)
        more = [proof.words, *ranking_in_words(state, match), *numbers_in_words(state)]
        told = in_sentences([*(line.plain for line in lines), *made, *more], self.names)
        return [*told, *([] if whole else self._ways(whole=full))]

    def _ways(self, *, whole: bool = False) -> list[str]:
        """What can be done at the end."""
        judged = _("review says what you could have done better.") if is_kept(self.client) else ""
        made = "" if whole else _("result tells what the points are made of.")
        seated = may_play_again(self.client)
        again = _("rematch plays again, leave leaves.") if seated else ""
        offer = next_in_words(self.client)
        more = (
            _("In the menu, play begins the next match. {offer}.").format(offer=offer)
            if offer
            else ""
        )
        return [judged, made, again, more]

    async def do_result(self) -> None:
        needs_end(self.client)
        self.client.say(*self.result(whole=True))

    async def do_rematch(self) -> None:
        needs_end(self.client)
        over = self.match.id
        if not await asked(self.client, self.client, Rematch(id=0)):
            return
        self.client.say(_("Waiting for the others…"))
        await self.client.until(lambda: self._gone_on(over), None if self._state.alone else 0.0)

    def _gone_on(self, over: str) -> bool:
        match = self._state.match
        return match is None or match.id != over or self._state.connection is None

    async def do_write(self) -> None:
        form = form_of(self.client.typed)
        await self.client.write(await self._kept(), form)

    async def do_share(self) -> None:
        await self.client.say_line(await self._kept())

    async def do_review(self) -> None:
        await self.client.reviews.tell(await find(await self._kept()))

    async def _kept(self) -> str:
        """The match, once it is over and in the history. Raises NotDone."""
        needs_end(self.client)
        await self.client.keeping.settle()
        return self.match.id

    async def do_together(self) -> None:
        needs_end(self.client)
        await see_together(self.client, self)


# What is new, in sentences: what others did first, then what the player is asked.
#
# Law: each thing is said once, and said whole, so that nobody needs to look for what has changed.


def happened(before: State, state: State) -> Iterator[str]:
    """What others did and what anybody said between these two states. A player hears their own
    words, too, and so knows that the server has them."""
    line, had, match = state.connection, before.connection, state.match
    if line is not None and had is not None and bool(line.attempt) != bool(had.attempt):
        yield sentence(trouble_in_words(line) or _("The connection is back."))
    chat = [said for said in state.chat.lines if said not in before.chat.lines]
    for said in chat if had is not None else chat[-_LATE:]:
        if said.name not in muted(state):
            told = line_of(said, you(state))
            yield told if had is not None else _("Earlier: {line}").format(line=told)
    table, had_table = state.table, before.table
    if table is not None and had_table is not None and place(state) is Place.TABLE:
        yield from changed_seats(had_table, table)
    if match is not None and match.view is not None:
        yield from _played(before.match, match, state)


def _played(before: Match | None, match: Match, state: State) -> Iterator[str]:
    """The lines of the log that are new; for a player who comes late, the last ones. That somebody
    takes back is told by what they take back."""
    old = before.log if before is not None and before.id == match.id else ()
    added = fresh(old, match.log)
    told = (line for line in added if _code(line) != NoticeCode.TOOK_BACK)
    new = replace(match, log=tuple(told))
    stand = {id(line) for line in match.log}
    back = before is not None and match.told < before.told
    gone = tuple(line for line in old if id(line) not in stand) if back else ()
    for move in logged(replace(match, log=gone), state):
        yield _("Taken back: {move}").format(move=move)
    if before is None or before.id != match.id or before.view is None:
        # How long a match is kept is told once at a table.
        kept = NoticeCode.RECORD_KEPT if before is not None else None
        lines = tuple(line for line in match.log if kept is None or _code(line) != kept)
        yield from since_own_move(replace(match, log=lines), state)
        return
    face, log = FACES[match.game], new.log
    # A race goes on at once: what its last turn has brought comes before the next one.
    begins = (n for n, line in enumerate(log) if face.opens_turn(line.what, None))
    n = len(log) if face.in_turns else next(begins, len(log))
    yield from logged(replace(new, log=log[:n]), state)
    if match.version != before.version and state.seat is not None and not back:
        yield from SPOKEN[match.game].scored(before.view, match.view, names_there(state, match))
        if face.is_spent(match.view) and not face.is_spent(before.view) and state.alone:
            yield _("autoplay lets a bot end it for you.")
    yield from logged(replace(new, log=log[n:]), state)


def _code(line: LogLine) -> str:
    """Of a notice; "" of a line that is none."""
    return getattr(line.what, "code", "")


def logged(match: Match, state: State, newest: int | None = None) -> list[str]:
    """The log as sentences: at each end somebody who reads aloud rests."""
    lines = log_lines(match, FACES[match.game], names_of(match), state.seat, newest=newest)
    return [sentence(line, match.names) for line in lines if line]


def since_own_move(match: Match, state: State) -> list[str]:
    """From the player's last move on, which no bot did for them; for a watcher the last lines."""
    if state.covered:  # it is said with the name of the person who is due
        return []
    if state.seat is None:
        return logged(match, state, newest=_LATE)
    return logged(since_move(match, state.seat), state, newest=_BACK)


_LATE, _BACK = 5, 12
"""How many lines a watcher hears who comes late; and at most a player who comes back."""


def fresh(old: Sequence[LogLine], new: Sequence[LogLine]) -> tuple[LogLine, ...]:
    """The lines behind those that both have. Some of the old ones may be gone: taken back at the
    end, or forgotten at the beginning."""
    known = {id(line) for line in old}
    last = max((at for at, line in enumerate(new) if id(line) in known), default=-1)
    return tuple(new[last + 1 :])
