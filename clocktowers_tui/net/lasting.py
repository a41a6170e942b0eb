"""A line that lasts: when it breaks in a match it is dialled again, and the seat taken again.

    lasting = await LastingLink.open(address, name)
    error = await lasting.run(heard, told)    # a task; until there is nothing to come back to

Laws: an action that was not answered is sent again with its key; the token of a seat is known to
nobody but this module and the disk.
"""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Final, Self

import msgspec
from msgspec.structs import replace

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.link import Answer, Heard, Link
from clocktowers_tui.net.redial import Dial, Redial, Told, for_good
from clocktowers_tui.net.seats import Seat, Seats
from protocol.from_client import Act, Leave, Request, Resume, TakeBack
from protocol.from_server import (
    Done,
    Ended,
    History,
    LeftTable,
    Refused,
    SeatToken,
    Started,
    Update,
    Welcome,
)

_BROKEN: Final = (Fault.LOST, Fault.SILENT, Fault.NO_ANSWER, Fault.TURNED_AWAY)
"""What may be over in a moment."""


async def always() -> bool:
    return True


class LastingLink:
    """As a `Link`, but for `run`. `seats`: where tokens are kept; None = nowhere but here.

    `worth_it`: whether there can still be a server at that address.
    """

    def __init__(
        self,
        link: Link,
        dial: Dial,
        seats: Seats | None,
        *,
        seat: Seat | None = None,
        worth_it: Callable[[], Awaitable[bool]] = always,
        rng: Random | None = None,
    ) -> None:
        self.address: Final = link.address
        self.welcome: Welcome = link.welcome
        self._link = link
        self._dial: Final = dial
        self._seats: Final = seats
        self._seat = seat
        self._worth_it: Final = worth_it
        self._rng: Final = rng or Random()
        self._version: int | None = None
        self._started: Started | None = None
        self._over: LinkError | None = None
        self._turn: Final = asyncio.Condition()
        self._parted: Final = asyncio.Event()

    @classmethod
    async def open(
        cls,
        address: Address,
        name: str,
        password: str = "",
        seats: Seats | None = None,
        *,
        seat: Seat | None = None,
        worth_it: Callable[[], Awaitable[bool]] = always,
    ) -> Self:
        """Dial and be welcomed, as `Link.open`. `seat`: the one that shall be taken again."""

        async def dial() -> Link:
            return await Link.open(address, name, password)

        return cls(await dial(), dial, seats, seat=seat, worth_it=worth_it)

    @property
    def resuming(self) -> Resume | None:
        """The request that takes the seat of a running match again."""
        seat = self._seat
        if seat is None:
            return None
        token = bytes.fromhex(seat.token)
        return Resume(id=0, match=seat.match, token=token, version=self._version)

    # A request and its answer -------------------------------------------------------------------

    async def request(self, wish: Request) -> Answer:
        """As `Link.request`; an action outlives the line that it was sent on."""
        while True:
            link = self._link
            try:
                answer = await link.request(wish)
            except LinkError:
                if isinstance(wish, Leave):  # nobody comes back to what they wanted to leave
                    self._forget()
                    await self._part()
                if not isinstance(wish, Act | TakeBack) or not await self._another_than(link):
                    raise
            else:
                self._note(wish, answer)
                return answer

    async def _another_than(self, link: Link) -> bool:
        """Wait until there is another line than this one; False when there will be none."""
        async with self._turn:
            await self._turn.wait_for(lambda: self._link is not link or self._over is not None)
        return self._over is None

    def _note(self, wish: Request, answer: Answer) -> None:
        gone = isinstance(wish, Leave) and isinstance(answer, Done)
        if gone or (isinstance(wish, Resume) and isinstance(answer, Refused)):
            self._forget()
        if isinstance(wish, Resume) and isinstance(answer, Done) and answer.name:
            self.welcome = replace(self.welcome, name=answer.name)

    # What comes ---------------------------------------------------------------------------------

    async def run(self, heard: Heard, told: Told = lambda attempt: None) -> LinkError:
        """Read, through all lines, until there is nothing to come back to; return why."""

        def hear(message: msgspec.Struct) -> None:
            if not self._overheard(message):
                heard(message)

        async with asyncio.TaskGroup() as tasks:
            reading: Awaitable[LinkError] = self._link.run(hear)
            while True:
                error = await reading
                redial = Redial(self._dial, told, self._parted, self._worth_it, self._rng)
                try:
                    while True:
                        link = await self._come_back(redial, error)
                        reading = tasks.create_task(link.run(hear))
                        if await self._resumed(link):
                            break
                        error = await reading
                except LinkError as final:
                    await self._change(over=final)
                    return final
                told(0)
                await self._change(link)

    async def _resumed(self, link: Link) -> bool:
        """Whether the seat is taken again; raises LinkError when it is gone."""
        if (wish := self.resuming) is None:
            await link.close()
            raise LinkError(Fault.LOST, address=str(self.address))
        try:
            answer = await link.request(wish)
        except LinkError:
            return False
        self._note(wish, answer)
        if isinstance(answer, Refused):
            await link.close()
            raise LinkError(Fault.SEAT_GONE, address=str(self.address))
        return True

    def _overheard(self, message: msgspec.Struct) -> bool:
        """What has to be known to come back; True for what is nobody else's business."""
        match message:
            case SeatToken():
                self._keep(message)
                return True
            case Started():
                if self._seat is None or self._seat.match != message.match:
                    self._version = None
                self._started = message
            case Update(match=match, version=version) | History(match=match, version=version):
                if self._started is not None and match == self._started.match:
                    self._version = version
            case Ended(match=match) if self._seat is not None and match == self._seat.match:
                self._forget()
            case LeftTable():
                self._forget()
        return False

    def _keep(self, message: SeatToken) -> None:
        started, before = self._started, self._seat
        if started is None or started.match != message.match:
            return
        same = before is not None and before.match == message.match
        self._seat = Seat(
            host=self.address.host,
            port=self.address.port,
            name=before.name if before is not None and same else self.welcome.name,
            match=message.match,
            table=started.table,
            game=started.game,
            token=message.token.hex(),
        )
        if self._seats is not None:
            self._seats.keep(self._seat)

    def _forget(self) -> None:
        if self._seat is not None and self._seats is not None:
            self._seats.forget(self._seat)
        self._seat = None

    # Coming back --------------------------------------------------------------------------------

    async def _come_back(self, redial: Redial, error: LinkError) -> Link:
        """A new line to the same server. Raises LinkError when there is no sense in it."""
        if self._over is not None or self._seat is None:
            raise self._over or error
        if for_good(error) or error.fault not in _BROKEN:
            raise error
        return await redial.link(error)

    async def _change(self, link: Link | None = None, *, over: LinkError | None = None) -> None:
        async with self._turn:
            self._link = link or self._link
            self._over = self._over or over
            self._turn.notify_all()

    # The end ------------------------------------------------------------------------------------

    async def close(self) -> None:
        """Say bye: a seat is given up."""
        self._forget()
        await self._part()
        await self._link.close()

    async def hang_up(self) -> None:
        """Go without a word: the server holds the seat, and `Seats.unfinished` has it."""
        await self._part()
        self._link.abort()

    async def _part(self) -> None:
        self._parted.set()
        await self._change(over=self._over or LinkError(Fault.LOST, address=str(self.address)))
        if self._seats is not None:
            self._seats.release()
