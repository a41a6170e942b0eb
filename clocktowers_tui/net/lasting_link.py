"""A line that lasts: when it breaks it is dialled again, and the player is where they were.

    lasting = await LastingLink.open(address, name)
    error = await lasting.run(store, told)    # a task; until there is nothing to come back to

Law: an action that got no answer is sent again with its key; no other request is, but for one that
its caller lets go out twice.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Final, Self, TypeAlias

import msgspec
from msgspec.structs import replace

from clocktowers_tui.net.address import HOUSE, MOST_ADDRESSES, Address, parse_address
from clocktowers_tui.net.dialing import keep_known
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway, moved, stopped
from clocktowers_tui.net.identity import shown_to
from clocktowers_tui.net.link import PATIENCE, QUICK, Answer, Hears, Link
from clocktowers_tui.net.seats import OwnSeat
from clocktowers_tui.net.trust import FIRST_USE, NO_TICKET, Ticket, Trust, is_here
from clocktowers_tui.state.store import State, Store, match_called, way_to_lobby, ways_back
from protocol.errors import GoodbyeCode
from protocol.from_client import Act, Join, Leave, Request, Resume, TakeBack, Watch
from protocol.from_server import AtTable, Done, Ended, LeftTable, Refused, SeatToken, TableGone
from protocol.table import Days, TablePhase

_BROKEN: Final = (Fault.LOST, Fault.SILENT, Fault.TURNED_AWAY)
"""Faults that may be over in a moment."""

# Dialling again after the line broke.
#
# Law: attempts begin one after the other, at most 1.5 s apart for ten minutes and at most 10 s
# apart after that, where the address answers. One that hangs is given up after `HANGS_S`, in each
# round for so much longer. In the first round the next address is dialled at once.


FIRST_GAP_S: Final = 0.4
MOST_GAP_S: Final = 1.5
EAGER_S: Final = 600.0
PATIENT_GAP_S: Final = 10.0
HANGS_S: Final = 3.0
"""Of the first round; `Patience.open_s` bounds all."""

PASSING: Final = (
    GoodbyeCode.SILENT,
    GoodbyeCode.TOO_SLOW,
    GoodbyeCode.FULL,
    GoodbyeCode.SHUTDOWN,
    GoodbyeCode.ADDRESS_FULL,
    GoodbyeCode.DRAINING,
    GoodbyeCode.TOO_MANY_TRIES,
    GoodbyeCode.MOVED,
)
"""Goodbyes after which coming back makes sense."""

Dial: TypeAlias = Callable[[], Awaitable[Link]]
Told: TypeAlias = Callable[[int], None]
"""Called with the number of each attempt, from 1, and with 0 when the line stands again."""


def gap_s(attempt: int, since_s: float, rng: Random) -> float:
    """The seconds between the beginnings of this attempt and the next: more each time, and by
    chance, so that clients that lost the same server do not return together. `since_s`: how long
    the line has been broken."""
    if since_s >= EAGER_S:
        return PATIENT_GAP_S * rng.uniform(0.75, 1)
    backed_off: float = FIRST_GAP_S * 2.0 ** min(attempt - 1, 10)
    return min(MOST_GAP_S, backed_off) * rng.uniform(0.5, 1)


async def lines(
    dial: Dial,
    told: Told,
    worth_it: Callable[[], Awaitable[bool]],
    rng: Random,
    *,
    addresses: int = 1,
) -> AsyncGenerator[Link, None]:
    """A new line, and when it does not last, another one; none when there can be no server any
    more. Raises LinkError when the server wants none. `addresses`: how many `dial` goes round; each
    is dialled as often as one alone would be."""
    now_s, attempts = asyncio.get_running_loop().time, 0
    began_s = now_s()
    while await worth_it():
        attempts += 1
        rounds = 1 + (attempts - 1) // addresses
        due_s = now_s() + gap_s(rounds, now_s() - began_s, rng) / addresses
        told(attempts)
        try:
            async with asyncio.timeout(HANGS_S * rounds):
                link = await dial()
        except TimeoutError:
            pass
        except LinkError as error:
            if for_good(error):
                raise
        else:
            yield link
        if attempts >= addresses:
            await asyncio.sleep(due_s - now_s())


def for_good(error: LinkError) -> bool:
    """Whether the server has said that it does not want this client, or is another server."""
    if isinstance(error, TurnedAway):
        return error.code not in PASSING
    return error.fault is Fault.KEY_CHANGED


# The line.


async def always() -> bool:
    return True


FOLLOW_S: Final = 3.0
"""How long the machine to which a server leads may take to answer, where there is another way."""


class Round:
    """Dials the addresses of one server in turn: each call the next one, after the last the first
    again. The first address is that of the line which breaks. Law: a server may name anybody's
    address. One that it names is dialled once after each welcome, and is an address of the server
    only when a line with its key has stood there."""

    def __init__(
        self, addresses: deque[Address], dial: Callable[[Address, str], Awaitable[Link]]
    ) -> None:
        self._addresses: Final = addresses
        self._dial: Final = dial
        self._unreached: Final[set[str]] = set()
        """Where the server has led, and nobody answers."""
        self._named: list[Address] = []
        """Where the server says that others of its lobby are, and nobody has been."""
        self._own_next = True

    def __len__(self) -> int:
        """How many are dialled after a break."""
        return len(self._addresses) + len(self._named)

    def __iter__(self) -> Iterator[Address]:
        return iter(self._addresses)

    def learn(self, nodes: Sequence[str]) -> None:
        """The server has welcomed the player, and named these others of its lobby."""
        named = dict.fromkeys(map(self._place, nodes[:MOST_ADDRESSES]))
        self._named = [one for one in named if one is not None and one not in self._addresses]
        self._own_next = True

    async def follow(self, at: str, ticket: str) -> Link | None:
        """A line to the machine to which the server leads, by itself or through another one; None:
        there is none. When it breaks, that machine is dialled first."""
        try:
            if (address := self._place(at)) is not None:
                try:
                    async with asyncio.timeout(FOLLOW_S):
                        link = await self._dial(address, ticket)
                except TurnedAway:
                    raise
                except (LinkError, TimeoutError):
                    self._unreached.add(at)
                else:
                    self._has_stood(address)
                    return link
            return await self._dial(self._addresses[0], ticket)
        except LinkError:
            return None

    def _place(self, at: str) -> Address | None:
        """None: this client does not go there by itself."""
        first = self._addresses[0]
        if not at or at in self._unreached or first == HOUSE:
            return None
        with suppress(LinkError):
            address = parse_address(at)
            # A server on another machine must not make us dial an address of this machine.
            return address if is_here(first) or not is_here(address) else None
        return None

    def _has_stood(self, address: Address) -> None:
        """The next line is dialled there first."""
        if address in self._addresses:
            self._addresses.remove(address)
        self._addresses.insert(1, address)

    async def __call__(self) -> Link:
        """By turns one of its own addresses, and one that the server has named."""
        named = None if self._own_next or not self._named else self._named.pop(0)
        self._own_next = named is not None
        if named is None:
            self._addresses.rotate(-1)
        address = named or self._addresses[0]
        try:
            link = await self._dial(address, "")
        except LinkError as error:
            if error.fault is Fault.KEY_CHANGED and (named or len(self._addresses) > 1):
                # Another server has this address, as in the network at home: not the next one.
                raise LinkError(Fault.UNREACHABLE, address=str(address)) from None
            raise
        if named is not None:
            self._has_stood(named)
        return link


class LastingLink:
    """Like a `Link`, but for `run`. `worth_it`: whether there can still be a server at that
    address. `others`: further addresses of the server, which
    are dialled, too."""

    def __init__(
        self,
        link: Link,
        around: Round,
        own: OwnSeat,
        *,
        worth_it: Callable[[], Awaitable[bool]] = always,
    ) -> None:
        self.address: Final = link.address
        self.trust: Final = link.trust
        self._link = link
        self._next: Link | None = None
        """A new line, until the player is where they were."""
        self._around: Final = around
        self._dial: Dial = around
        self._welcomed(link)
        self.own: Final = own
        """The player's seat there."""
        self._worth_it: Final = worth_it
        self._over: LinkError | None = None
        self._turn: Final = asyncio.Condition()
        self._dialling: asyncio.Timeout | None = None
        """Ended when the player parts."""

    @classmethod
    async def open(
        cls,
        address: Address,
        name: str,
        ticket: Ticket = NO_TICKET,
        own: OwnSeat | None = None,
        *,
        trust: Trust = FIRST_USE,
        worth_it: Callable[[], Awaitable[bool]] = always,
        others: Sequence[Address] = (),
    ) -> Self:
        """Dial and be welcomed, as `Link.open`; each time by the same server, which is known from
        now on. When the line breaks, `others` are dialled, too, and the next of them first."""
        own = own or OwnSeat(name)
        identify, addresses = partial(shown_to, address, own.folder), deque((address, *others))

        async def dial(trust: Trust, to: Address, moved: str) -> Link:
            shown = ticket._replace(moved=moved)
            patience = QUICK if len(addresses) > 1 or moved else PATIENCE
            return await Link.open(to, name, shown, patience, trust=trust, identify=identify)

        first = await dial(trust, address, "")
        if not (first.trust.plain or is_here(address)):
            await asyncio.to_thread(keep_known, address, first.trust)
        own.trust = first.trust
        again = Round(addresses, partial(dial, first.trust))
        return cls(first, again, own, worth_it=worth_it)

    def _welcomed(self, link: Link) -> None:
        self.welcome = link.welcome
        if not link.trust.plain or is_here(self.address):  # else anybody could stand there
            self._around.learn(link.welcome.nodes)
        if len(self._around) > 1:
            link.be_quick()

    @property
    def others(self) -> tuple[Address, ...]:
        """Further addresses of the server."""
        return tuple(one for one in self._around if one != self.address)

    def _all(self) -> list[Address]:
        return [self.address, *self.others]

    @property
    def private(self) -> bool:
        """As of a `Link`."""
        return self._link.private

    # A request and its answer -------------------------------------------------------------------

    async def request(self, wish: Request, *, twice: bool = False) -> Answer:
        """Like `Link.request`; an action outlives the line that it was sent on. `twice`: so does
        this wish, but the next line is its last."""
        while True:
            link = self._link
            try:
                answer = await link.request(wish)
            except LinkError as error:
                led = moved(error) is not None  # nothing that has no answer was served
                if isinstance(wish, Leave) and not led:  # the player does not want to come back
                    await self.close()
                again = led or twice or isinstance(wish, Act | TakeBack)
                if not again or not await self._another_than(link):
                    raise
                twice = twice and led
                if isinstance(wish, Resume) and wish.match:
                    return Done(id=0)  # no other line stands before the seat is taken
            else:
                self._note(wish, answer)
                return answer

    async def record(self, match: str, proof: bytes | None = None) -> bytes | Refused:
        """As `Link.record`."""
        return await self._link.record(match, proof)

    async def _another_than(self, link: Link) -> bool:
        """Wait until another line stands; False when none will."""
        async with self._turn:
            await self._turn.wait_for(lambda: self._link is not link or self._over is not None)
        return self._over is None

    def _note(self, wish: Request, answer: Answer) -> None:
        match wish, answer:
            case (Leave(), Done()) | (Resume(), Refused()):
                self.own.forget()
            case Join(), Refused():
                self.own.wait_no_more()
            case Resume() | Join() | Watch(), Done(name=name) if name:
                self.welcome = replace(self.welcome, name=name)

    # What comes ---------------------------------------------------------------------------------

    async def run(self, store: Store, told: Told = lambda attempt: None) -> LinkError:
        """Read, through all lines, until there is nothing to come back to; return why. `store`
        hears everything but tokens, and knows where the player is."""

        def hear(message: msgspec.Struct) -> None:
            if self._over is not None:
                return
            match message:
                case LeftTable():
                    self.own.forget()
                case Ended(match=match):
                    self.own.match_ended(match)
                case AtTable(info=table, seat=seat) if seat is not None:
                    if table.phase is not TablePhase.PLAYING:
                        tasks.create_task(self.own.wait(table, self._all(), self.welcome.name))
            store.hear(message)

        async def keep(message: SeatToken) -> None:
            match = match_called(store.state, message.match)
            if match is not None and self._over is None:
                table, name = store.state.table, self.welcome.name
                days = table is not None and isinstance(table.info.clock, Days)
                await self.own.keep(message.token, match, self._all(), name, days=days)

        async with asyncio.TaskGroup() as tasks:
            reading: Awaitable[LinkError] = self._link.run(hear, keep)
            while True:
                error = await reading
                addresses = len(self._around)
                again = lines(self._dial, told, self._worth_it, Random(), addresses=addresses)
                try:
                    while True:
                        self._next = link = await self._come_back(again, error)
                        if self._over is not None:
                            raise self._over  # the player has left meanwhile
                        reading = tasks.create_task(link.run(hear, keep))
                        if await self._there_again(link, store, hear):
                            break
                        error = await reading
                    await self._change(link)
                    self._next = None
                except LinkError as final:
                    await self._change(over=final)
                    return final
                finally:
                    if self._next is not None:
                        self._next.abort()
                told(0)

    # Coming back --------------------------------------------------------------------------------

    async def _come_back(self, again: AsyncGenerator[Link, None], error: LinkError) -> Link:
        """Dial the same server again. Raises LinkError when that makes no sense."""
        if self._over is not None:
            raise self._over
        if for_good(error) or error.fault not in _BROKEN:
            raise error
        if stopped(error) and self.own.seat is None and len(self._around) == 1:
            raise error
        led = moved(error)
        try:
            async with asyncio.timeout(None) as self._dialling:
                link = None if led is None else await self._around.follow(*led)
                link = link or await anext(again, None)
        except TimeoutError:
            link = None
        finally:
            self._dialling = None
        if link is None:
            raise self._over or error
        return link

    async def _there_again(self, link: Link, store: Store, hear: Hears) -> bool:
        """Go where the player was, or as near as can be; False when this line has broken, too.
        Raises LinkError when their seat is gone: they want no other place."""
        self._welcomed(link)
        playing, ways = self.own.seat is not None, self._ways_back(store.state)
        try:
            for wish in ways:
                answer = await link.request(wish)
                self._note(wish, answer)
                if isinstance(answer, Done):
                    return True
                if playing and isinstance(answer, Refused):
                    await link.close()
                    raise LinkError(Fault.SEAT_GONE, address=str(self.address))
            if ways and (table := store.state.table) is not None:
                hear(LeftTable(table.info.table, TableGone.CLOSED))
            elif (listing := way_to_lobby(store.state)) is not None:
                await link.request(listing)
        except LinkError as error:
            if error.fault is Fault.SEAT_GONE:
                raise
            return False
        return True

    def _ways_back(self, state: State) -> list[Request]:
        """Requests; the first that is granted is enough."""
        resume = self.own.resume(state)
        if resume is not None and self.own.seat is not None:
            return [resume]
        ways = ways_back(state)
        if resume is not None and state.seat is not None:
            # The match is over. If the server fell, it holds the seat of the next for this token.
            return [resume, *ways]
        return ways

    async def _change(self, link: Link | None = None, *, over: LinkError | None = None) -> None:
        async with self._turn:
            self._link = link or self._link
            self._over = self._over or over
            self._turn.notify_all()

    # The end ------------------------------------------------------------------------------------

    def break_off(self, error: LinkError) -> None:
        """End it for this reason, as if the server had caused it."""
        (self._next or self._link).break_off(error)

    async def close(self) -> None:
        """Say bye and give up the seat."""
        self.own.forget()
        await self._part()
        if self._next is not None:
            await self._next.close()
        await self._link.close()

    async def hang_up(self) -> None:
        """Go without a word: the server holds the seat, and `Seats.unfinished` has it."""
        await self._part()
        if self._next is not None:
            self._next.abort()
        self._link.abort()

    async def _part(self) -> None:
        if self._dialling is not None:
            self._dialling.reschedule(0)
            self._dialling = None
        await self._change(over=self._over or LinkError(Fault.LOST, address=str(self.address)))
        await self.own.release()
