"""Tells players who are away that it is their turn in a match of days, if they have asked for it.

Laws: before its player has said the code that was sent to an address, nothing else is sent there.
The turn stands in the journal before the server lets go of its table, and that it was told when it
was: each turn is told at least once, and twice only where the server stopped before it had noted
that. Turns of `COLLECT_S` go together, and none goes out in quiet hours. A message has no card, and
no text that somebody else wrote. Nobody waits for an address: what fails is tried again while the
turn lasts, after twice as long each time, and after `MOST_REFUSALS` in a row nothing is sent there
until the player gives an address again. Where nobody answers, the address need not be at fault. A
person who plays nowhere makes room for another.
"""

import secrets
from math import ceil, inf
from time import monotonic
from typing import TYPE_CHECKING, Final

import structlog
from msgspec import DecodeError, Struct, msgpack

from protocol.codec import encode
from protocol.errors import RefusalCode
from protocol.from_client import Notify
from protocol.from_server import Notice, NoticeCode, Told, Unsent
from protocol.ids import MatchId, Seat
from server.addresses import AddressBook, Letter, NotSent
from server.admission.passwords import Tries
from server.logs.marks import identity_mark
from server.matches.match import Match
from server.speaking import N_, in_language
from server.store.journal import Journal, JournalError
from server.tables.access import Impossible
from server.tables.lobby import Lobby
from server.tables.table import Table
from server.tasks import latest

if TYPE_CHECKING:
    from server.net.session import Session

COLLECT_S: Final = 600
AGAIN_S: Final = 60
"""After the first try that failed."""
MOST_REFUSALS: Final = 8
"""They take two hours."""
LONGEST_S: Final = 4 * 3600
"""Between two tries."""
MOST_PEOPLE: Final = 10_000
MOST_TRIES: Final = 5
"""To say a code: of a million codes nobody guesses one."""
CODE_S: Final = 3600
"""How long a code holds; no other goes to its address meanwhile."""

_CODE: Final = N_(
    "{code} is the code that confirms this address: type notify {code}. Somebody at the game "
    "server {server} asked for it; if it was not you, do nothing, and nothing more is sent here."
)
_TURN: Final = N_("{game}, table {table}: {name}, it is your turn.")
_LEFT: Final = N_("{game}, table {table}: {name}, it is your turn; {days} d {hours} h are left.")


class Turn(Struct):
    """Of a player who was away. `after`: the version of the last action of somebody else. `name`:
    the player's. `due_at`: when their time is up, `since`: when the server noticed, in seconds
    since 1970."""

    after: int
    game: str
    table: str
    name: str
    due_at: int | None
    since: int
    told: bool = False


class Person(Struct):
    """As the journal has it. `quiet`: as in `Notify`. `failures`: refusals in a row. `fails`: as in
    `Told`. `turns`: the newest in each match. `wait_s`: after the newest try, 0 if it went well;
    `again_at`: its end, in seconds since 1970."""

    address: str
    language: str
    quiet: list[int] = []
    turns: dict[MatchId, Turn] = {}
    failures: int = 0
    fails: str = ""
    wait_s: int = 0
    again_at: int = 0


class _Asked(Struct):
    """An address that is not confirmed, which is kept in memory alone. `until`: in seconds since
    1970."""

    address: str
    language: str
    code: str
    until: float
    tries: int = 0


class Telling:
    """Of one lobby. `name`: what the server calls itself."""

    def __init__(self, journal: Journal, lobby: Lobby, book: AddressBook, name: str) -> None:
        self._journal: Final = journal
        self._lobby: Final = lobby
        self._book: Final = book
        self._name: Final = name or "Clocktowers"
        self._people: Final[dict[bytes, Person]] = {}
        self._asked: Final[dict[bytes, _Asked]] = {}
        self._codes: Final[dict[str, float]] = {}
        """Until when an address, as `AddressBook.mark` has it, is sent no other code."""
        self._under_way: Final[set[bytes]] = set()
        self._tries: Final = Tries(lobby.limits, monotonic)

    @property
    def on(self) -> bool:
        """Whether the operator lets in any kind of address."""
        return bool(self._book.kinds)

    async def begin(self) -> None:
        """Take over from the journal whom to tell. Raises JournalError."""
        for who, kept in (await self._journal.people()).items():
            try:
                self._people[who] = msgpack.decode(kept, type=Person)
            except DecodeError:
                log = structlog.get_logger()
                log.error("cannot read where a player is told", identity=identity_mark(who))

    # What players ask -----------------------------------------------------------------------------

    async def serve(self, session: "Session", wish: Notify) -> Told:
        """Do what a player asks. Raises Impossible and JournalError."""
        who = session.identity
        if not (who and self.on):
            raise Impossible(RefusalCode.NO_NOTIFY)
        if wish.forget:
            self._asked.pop(who, None)
            if self._people.pop(who, None) is not None:
                await self._journal.keep_person(who, b"")
        if wish.address:
            await self._ask_for_code(session, wish)
        if wish.code:
            await self._confirm(session, wish.code)
        if wish.quiet is not None and (person := self._people.get(who)) is not None:
            person.quiet = wish.quiet
            await self._keep(who)
        kinds, kept = [*map(str, self._book.kinds)], self._people.get(who)
        asked = self._asked.get(who)
        if asked is not None and asked.until > self._lobby.runner.wall():
            return Told(kinds=kinds, address=asked.address)
        if kept is None:
            return Told(kinds=kinds)
        where, quiet = kept.address, kept.quiet
        return Told(kinds=kinds, address=where, confirmed=True, quiet=quiet, fails=kept.fails)

    def welcome(self, session: "Session") -> None:
        """Say that an address does not work."""
        person = self._people.get(session.identity)
        if person is not None and person.fails:
            told = {"address": person.address, "why": person.fails}
            session.send(Notice(NoticeCode.ADDRESS_OFF, {**told}))

    async def _ask_for_code(self, session: "Session", wish: Notify) -> None:
        """What is kept of another address stays until this one is confirmed."""
        now_s, who, address = self._lobby.runner.wall(), session.identity, wish.address
        if self._book.kind_of(address) is None:
            raise Impossible(RefusalCode.BAD_ADDRESS, kinds=[*map(str, self._book.kinds)])
        mark = self._book.mark(address)
        wait_s = self._codes.get(mark, 0.0) - now_s
        if wait_s > 0 or (wait_s := self._tries.begin(*session.counted)):
            raise Impossible(RefusalCode.CODE_SENT, wait_s=ceil(wait_s))
        asked = _Asked(address, wish.language, f"{secrets.randbelow(10**6):06}", now_s + CODE_S)
        self._asked.pop(who, None)
        latest(self._asked, who, MOST_PEOPLE, lambda: asked)
        self._codes.pop(mark, None)
        latest(self._codes, mark, MOST_PEOPLE, lambda: asked.until)
        say = in_language(wish.language)
        text = say(_CODE).format(code=asked.code, server=self._name)
        try:
            await self._book.send(address, Letter(text, asked.code))
        except NotSent as error:
            self._codes.pop(mark, None)
            if self._asked.get(who) is asked:
                del self._asked[who]
            structlog.get_logger().info("code not sent", why=str(error), **session.who())
            raise Impossible(RefusalCode.ADDRESS_FAILS, why=error.why) from None

    async def _confirm(self, session: "Session", code: str) -> None:
        who, asked = session.identity, self._asked.get(session.identity)
        if asked is None or asked.until < self._lobby.runner.wall() or asked.tries >= MOST_TRIES:
            raise Impossible(RefusalCode.WRONG_CODE)
        asked.tries += 1
        if not secrets.compare_digest(asked.code.encode(), code.encode()):
            raise Impossible(RefusalCode.WRONG_CODE)
        before = self._people.get(who, Person("", ""))
        if before.address == "" and len(self._people) >= MOST_PEOPLE:
            await self._make_room()
        del self._asked[who]
        self._codes.pop(self._book.mark(asked.address), None)
        self._people[who] = Person(asked.address, asked.language, before.quiet, before.turns)
        await self._keep(who)
        structlog.get_logger().info("address confirmed", **session.who())

    async def _make_room(self) -> None:
        """Forget somebody who plays nowhere. Raises Impossible and JournalError."""
        plays = self._lobby.shares.plays
        gone = next((who for who in self._people if not plays(who)), None)
        if gone is None:
            raise Impossible(RefusalCode.BUSY)
        del self._people[gone]
        await self._journal.keep_person(gone, b"")

    async def _keep(self, who: bytes) -> None:
        """Raises JournalError."""
        if (person := self._people.get(who)) is not None:
            await self._journal.keep_person(who, encode(person))

    # Whose turn it is -----------------------------------------------------------------------------

    async def note(self, table: Table, match: Match, due_at: int | None) -> None:
        """See who is due at a table of days. `due_at`: as in `Turn`. Raises JournalError."""
        for who in {one.identity for one in table.seating.chairs if match.begun}:
            if not who or (person := self._people.get(who)) is None:
                continue
            seats, act = table.seating.owned_by(who), match.to_act()
            dues = [one for one in seats if one.number in act and not one.handed_over]
            due, chair = bool(dues), (dues or seats)[0]
            after, here = _after(match, chair.number) if due else -1, not chair.awaited
            turns, had = person.turns, person.turns.get(match.id)
            if (had is None and (here or not due)) or (
                had is not None and had.after == after and (had.told or not here)
            ):
                continue
            person.turns = {id: one for id, one in turns.items() if id != match.id}
            if due and not here:
                at_s, game = int(self._lobby.runner.wall()), table.terms.game_id
                turn = Turn(after, game, table.code, chair.name, due_at, at_s)
                person.turns[match.id] = turn
            try:
                await self._keep(who)
            except JournalError:
                person.turns = turns
                raise

    def look(self) -> None:
        """Send what is to go out now."""
        now_s = self._lobby.runner.wall()
        for who, person in self._people.items():
            at_s = min((one.since for one in person.turns.values() if not one.told), default=inf)
            may = not (person.fails or who in self._under_way or _is_quiet(person.quiet, now_s))
            if may and max(person.again_at, at_s + COLLECT_S) <= now_s:
                self._under_way.add(who)
                self._lobby.runner.tasks.spawn(self._tell(who, person))

    async def _tell(self, who: bytes, person: Person) -> None:
        try:
            has = self._lobby.has_match
            person.turns = {id: one for id, one in person.turns.items() if has(id)}
            if turns := [one for one in person.turns.values() if not one.told]:
                await self._send(who, person, turns)
            if self._people.get(who) is person:
                await self._keep(who)
        except JournalError as error:
            structlog.get_logger().error("journal failed", error=str(error))
        finally:
            self._under_way.discard(who)

    async def _send(self, who: bytes, person: Person, turns: list[Turn]) -> None:
        letter = _letter(person.language, turns, self._lobby.runner.wall())
        try:
            await self._book.send(person.address, letter)
        except NotSent as error:
            log = structlog.get_logger()
            log.warning("a player is not told", identity=identity_mark(who), why=str(error))
            person.wait_s = min(2 * person.wait_s or AGAIN_S, LONGEST_S)
            person.again_at = int(self._lobby.runner.wall()) + person.wait_s
            if error.why is Unsent.REFUSED:
                person.failures += 1
                person.fails = error.why if person.failures >= MOST_REFUSALS else ""
        else:
            person.failures = person.wait_s = 0
            for turn in turns:
                turn.told = True


def _after(match: Match, seat: Seat) -> int:
    """As in `Turn`."""
    entries = match.entries()
    return max((n for n, one in enumerate(entries, 1) if one.seat not in (seat, None)), default=0)


def _is_quiet(quiet: list[int], now_s: float) -> bool:
    if len(quiet) != 2:
        return False
    (begins, ends), minute = quiet, int(now_s // 60) % (24 * 60)
    return begins <= minute < ends if begins <= ends else not ends <= minute < begins


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
