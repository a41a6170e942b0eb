"""Tells players who are away that it is their turn in a match of days, if they have asked for it.

Laws: before its player has said the code that was sent to an address, nothing else is sent there.
The turn stands in the journal before the server lets go of its table, and that it is told before
the message goes out, so that neither another node nor the next start tells it again. What is known
not to have gone out is told later; what a server has under way when it falls, or when the journal
fails for an hour, may be lost. Turns of
`COLLECT_S` go together, and none goes out in quiet hours or on days off. A message
has no card, and no text that somebody else wrote. Nobody waits for an address: what fails is tried
again while the turn lasts, after twice as long each time, and after `MOST_REFUSALS` in a row
nothing is sent there until the player gives an address again. Where nobody answers, the address
need not be at fault.
"""

import asyncio
import secrets
from collections.abc import Mapping
from functools import partial
from math import ceil, inf
from time import monotonic
from typing import TYPE_CHECKING, Final

import structlog
from msgspec import Struct
from msgspec.structs import replace

from protocol.errors import RefusalCode
from protocol.from_client import Notify
from protocol.from_server import Notice, NoticeCode, Told, Unsent
from protocol.ids import MatchId, Seat
from server.addresses import AddressBook, Letter, NotSent
from server.admission.passwords import Tries
from server.logs.marks import identity_mark
from server.matches.match import Match
from server.speaking import N_, in_language
from server.store.journal import JournalError
from server.tables.access import Impossible
from server.tables.lobby import Lobby
from server.tables.people import MOST_PEOPLE, Person, Turn
from server.tables.table import Table
from server.tasks import latest

if TYPE_CHECKING:
    from server.net.session import Session

COLLECT_S: Final = 600
AGAIN_S: Final = 60
"""After the first try that failed."""
MOST_REFUSALS: Final = 8
"""They take two hours."""
MOST_NOTES: Final = 60
"""While the journal fails: so often it is asked to note that a turn was not told, for an hour."""
LONGEST_S: Final = 4 * 3600
"""Between two tries."""
MOST_TRIES: Final = 5
"""To say a code: of a million codes nobody guesses one."""
CODE_S: Final = 3600
"""How long a code holds."""

_CODE: Final = N_(
    "{code} is the code that confirms this address: type notify {code}. Somebody at the game "
    "server {server} asked for it; if it was not you, do nothing, and nothing more is sent here."
)
_TURN: Final = N_("{game}, table {table}: {name}, it is your turn.")
_LEFT: Final = N_("{game}, table {table}: {name}, it is your turn; {days} d {hours} h are left.")


class _Asked(Struct):
    """An address to which a code was sent, in memory alone. `who`: for whom it holds, b"" = for
    nobody any more. `until`: then it is over, in seconds since 1970, and another may be sent
    there."""

    who: bytes
    address: str
    language: str
    code: str
    until: float
    tries: int = 0


class Telling:
    """Of one lobby. `name`: what the server calls itself."""

    def __init__(self, lobby: Lobby, book: AddressBook, name: str) -> None:
        self._lobby: Final = lobby
        self._people: Final = lobby.people
        self._book: Final = book
        self._name: Final = name or "Clocktowers"
        self._asked: Final[dict[str, _Asked]] = {}
        """By address, as `AddressBook.mark` has it; for each person one at most."""
        self._under_way: Final[dict[bytes, asyncio.Task[None]]] = {}
        self._stops = False
        self._tries: Final = Tries(lobby.limits, monotonic)

    @property
    def on(self) -> bool:
        """Whether the operator lets in any kind of address."""
        return bool(self._book.kinds)

    # What players ask -----------------------------------------------------------------------------

    async def serve(self, session: "Session", wish: Notify) -> Told:
        """Do what a player asks. Raises Impossible and JournalError."""
        who, people = session.identity, self._people
        if not (who and self.on):
            raise Impossible(RefusalCode.NO_NOTIFY)
        await people.read([who])  # another node may have changed it just now
        if wish.forget:
            self._forget_code(who)
            await people.change(who, lambda person: Person(away=person.away))
        if wish.address:
            await self._ask_for_code(session, wish)
        if wish.code:
            await self._confirm(session, wish.code)
        if (quiet := wish.quiet) is not None:
            await people.change(who, lambda person: replace(person, quiet=quiet))
        kinds, kept = [*map(str, self._book.kinds)], people.of(who)
        if (asked := self._asked_of(who)) is not None:
            return Told(kinds=kinds, address=asked.address)
        where, fails = kept.address, Unsent.REFUSED if kept.failures >= MOST_REFUSALS else ""
        return Told(
            kinds=kinds, address=where, confirmed=where != "", quiet=kept.quiet, fails=fails
        )

    def welcome(self, session: "Session") -> None:
        """Say that an address does not work."""
        person = self._people.of(session.identity)
        if person.failures >= MOST_REFUSALS:
            told = {"address": person.address, "why": Unsent.REFUSED}
            session.send(Notice(NoticeCode.ADDRESS_OFF, {**told}))

    async def _ask_for_code(self, session: "Session", wish: Notify) -> None:
        """What is kept of another address stays until this one is confirmed."""
        now_s, address = self._lobby.runner.wall(), wish.address
        if self._book.kind_of(address) is None:
            raise Impossible(RefusalCode.BAD_ADDRESS, kinds=[*map(str, self._book.kinds)])
        mark = self._book.mark(address)
        before = self._asked.get(mark)
        wait_s = 0.0 if before is None else before.until - now_s
        if wait_s > 0 or (wait_s := self._tries.begin(*session.counted)):
            raise Impossible(RefusalCode.CODE_SENT, wait_s=ceil(wait_s))
        self._forget_code(session.identity)
        code, language = f"{secrets.randbelow(10**6):06}", wish.language
        self._asked.pop(mark, None)
        asked = _Asked(session.identity, address, language, code, now_s + CODE_S)
        latest(self._asked, mark, MOST_PEOPLE, lambda: asked)
        text = in_language(language)(_CODE).format(code=code, server=self._name)
        try:
            async with self._book.places:
                await self._book.send(address, Letter(text, code))
        except NotSent as error:
            self._asked.pop(mark, None)
            structlog.get_logger().info("code not sent", why=str(error), **session.who())
            raise Impossible(RefusalCode.ADDRESS_FAILS, why=error.why) from None

    async def _confirm(self, session: "Session", code: str) -> None:
        who, asked = session.identity, self._asked_of(session.identity)
        if asked is None or asked.tries >= MOST_TRIES:
            raise Impossible(RefusalCode.WRONG_CODE)
        asked.tries += 1
        if not secrets.compare_digest(asked.code.encode(), code.encode()):
            raise Impossible(RefusalCode.WRONG_CODE)
        await self._people.make_room(who)
        self._asked.pop(self._book.mark(asked.address), None)
        at = partial(Person, asked.address, asked.language)
        await self._people.change(who, lambda was: at(was.quiet, was.turns, away=was.away))
        structlog.get_logger().info("address confirmed", **session.who())

    def _asked_of(self, who: bytes) -> _Asked | None:
        """The address for which this person has a code that holds."""
        now_s = self._lobby.runner.wall()
        asked = (one for one in self._asked.values() if one.who == who and one.until > now_s)
        return next(asked, None)

    def _forget_code(self, who: bytes) -> None:
        if (asked := self._asked_of(who)) is not None:
            asked.who = b""

    # Whose turn it is -----------------------------------------------------------------------------

    async def note(self, table: Table, match: Match, due_at: int | None) -> None:
        """See who is due at a table of days. `due_at`: as in `Turn`. Raises JournalError."""
        for who in {one.identity for one in table.seating.chairs if match.begun}:
            if self.on and self._people.of(who).address:
                noted = partial(self._noted, who, table, match, due_at)
                await self._people.change(who, noted, match.id)

    def _noted(
        self, who: bytes, table: Table, match: Match, due_at: int | None, person: Person
    ) -> Person:
        seats, act = table.seating.owned_by(who), match.to_act()
        dues = [one for one in seats if one.number in act and not one.handed_over]
        due, chair = bool(dues), (dues or seats)[0]
        after, here = _after(match, chair.number) if due else -1, not chair.awaited
        had = person.turns.get(match.id)
        same = had is not None and had.after == after
        if same and had and (had.told or (not here and had.due_at == due_at)):
            return person
        if not person.address or (had is None and (here or not due)):
            return person
        turns = {id: one for id, one in person.turns.items() if id != match.id}
        if due and not here:
            at_s, game = int(self._lobby.runner.wall()), table.terms.game_id
            turns[match.id] = Turn(after, game, table.code, chair.name, due_at, at_s)
        return replace(person, turns=turns)

    def look(self) -> None:
        """Send what is to go out now."""
        for who, person in self._people.known.items() if self.on else ():
            if who not in self._under_way and self._is_due(who, person):
                self._under_way[who] = self._lobby.runner.tasks.spawn(self._tell(who))

    async def stop(self) -> None:
        """Let nothing more go out, and wait until it is known of the rest whether it has."""
        self._stops = True
        await asyncio.gather(*self._under_way.values())

    def _is_due(self, who: bytes, person: Person) -> bool:
        """Whether something is to go out to this person now."""
        now_s = self._lobby.runner.wall()
        at_s = min((one.since for one in person.turns.values() if not one.told), default=inf)
        waits = _is_quiet(person.quiet, now_s) or self._people.away_until(who)
        waits = waits or self._stops or person.failures >= MOST_REFUSALS
        return not waits and max(person.again_at, at_s + COLLECT_S) <= now_s

    async def _tell(self, who: bytes) -> None:
        try:
            async with self._book.places:
                if turns := await self._claim(who):
                    await self._send(who, turns)
        except JournalError as error:
            structlog.get_logger().error("journal failed", error=str(error))
        finally:
            del self._under_way[who]

    async def _claim(self, who: bytes) -> Mapping[MatchId, Turn]:
        """The turns that this server is to tell now, which no other node will. Raises
        JournalError."""
        ids, claimed = [*self._people.of(who).turns], dict[MatchId, Turn]()
        stands = await asyncio.gather(*map(self._stands, ids))
        gone = {id for id, here in zip(ids, stands, strict=True) if not here}

        def claim(person: Person) -> Person:
            turns = {id: one for id, one in person.turns.items() if id not in gone}
            claimed.clear()
            if self._is_due(who, person):
                claimed.update((id, one) for id, one in turns.items() if not one.told)
            return replace(person, turns={**turns, **_told(claimed)})

        await self._people.change(who, claim)
        return claimed

    async def _stands(self, match: MatchId) -> bool:
        """Whether this server has the match, or any node. Raises JournalError."""
        if (cluster := self._lobby.cluster) is None:
            return self._lobby.has_match(match)
        return await cluster.directory.home_of(match) is not None

    async def _send(self, who: bytes, turns: Mapping[MatchId, Turn]) -> None:
        person, now_s, why = self._people.of(who), self._lobby.runner.wall(), None
        try:
            letter = _letter(person.language, [*turns.values()], now_s)
            await self._book.send(person.address, letter)
        except NotSent as error:
            log, why = structlog.get_logger(), error.why
            log.warning("a player is not told", identity=identity_mark(who), why=str(error))
        again_at, told = int(self._lobby.runner.wall()), _told(turns)

        def tried(now: Person) -> Person:
            if now.address != person.address:
                return now
            if why is None:
                return replace(now, failures=0, wait_s=0)
            wait_s = min(2 * now.wait_s or AGAIN_S, LONGEST_S)
            return replace(
                now,
                turns={
                    id: turns[id] if told.get(id) == one else one for id, one in now.turns.items()
                },
                failures=now.failures + (why is Unsent.REFUSED),
                wait_s=wait_s,
                again_at=again_at + wait_s,
            )

        for _try in range(MOST_NOTES):
            try:
                await self._people.change(who, tried)
                return
            except JournalError as error:
                structlog.get_logger().error("journal failed", error=str(error))
            await asyncio.sleep(AGAIN_S)
        if why is not None:
            log = structlog.get_logger()
            log.error("a turn counts as told that was not", identity=identity_mark(who))


def _told(turns: Mapping[MatchId, Turn]) -> Mapping[MatchId, Turn]:
    return {id: replace(one, told=True) for id, one in turns.items()}


def _after(match: Match, seat: Seat) -> int:
    """As in `Turn`."""
    entries = match.entries()
    return max((n for n, one in enumerate(entries, 1) if one.seat not in (seat, None)), default=0)


def _is_quiet(quiet: list[int], now_s: float) -> bool:
    (begins, ends), day = quiet if len(quiet) == 2 else (0, 0), 24 * 60
    return (now_s // 60 - begins) % day < (ends - begins) % day


def _letter(language: str, turns: list[Turn], now_s: float) -> Letter:
    say, lines, listed = in_language(language), list[str](), list[dict[str, str | int | None]]()
    for turn in turns:
        left_s = None if turn.due_at is None else max(0, turn.due_at - int(now_s))
        days, hours = divmod((left_s or 0) // 3600, 24)
        game = turn.game.replace("_", " ").title()
        told = {"game": game, "table": turn.table, "name": turn.name}
        lines.append(say(_TURN if left_s is None else _LEFT).format(**told, days=days, hours=hours))
        listed.append({**told, "left_s": left_s})
    return Letter("\n".join(lines), turns=listed)
