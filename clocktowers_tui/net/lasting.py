"""A line that lasts: when it breaks it is dialled again, and the player is where they were.

    lasting = await LastingLink.open(address, name)
    error = await lasting.run(heard, told)    # a task; until there is nothing to come back to

Law: an action that was not answered is sent again with its key; no other request is.
"""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Final, Self

import msgspec
from msgspec.structs import replace

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.identity import shown_to
from clocktowers_tui.net.link import Answer, Heard, Link
from clocktowers_tui.net.redial import Dial, Redial, Told, for_good, stopped
from clocktowers_tui.net.seats import Seat, Seats
from clocktowers_tui.net.whereabouts import Whereabouts
from protocol.from_client import Act, Leave, Request, Resume, TakeBack
from protocol.from_server import Done, LeftTable, Refused, TableGone, Welcome

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
        folder: int = 0,
        asked: str = "",
        worth_it: Callable[[], Awaitable[bool]] = always,
        rng: Random | None = None,
    ) -> None:
        self.address: Final = link.address
        self.welcome: Welcome = link.welcome
        self._link = link
        self._dial: Final = dial
        name = link.welcome.name
        self._where: Final = Whereabouts(link.address, name, seats, seat, folder, asked)
        self._worth_it: Final = worth_it
        self._rng: Final = rng or Random()
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
        folder: int = 0,
        worth_it: Callable[[], Awaitable[bool]] = always,
    ) -> Self:
        """Dial and be welcomed, as `Link.open`. `seat`: the one that shall be taken again."""
        identity = await shown_to(address, folder)

        async def dial() -> Link:
            return await Link.open(address, name, password, identity=identity)

        return cls(
            await dial(), dial, seats, seat=seat, folder=folder, asked=name, worth_it=worth_it
        )

    @property
    def seat(self) -> Seat | None:
        """The one in a running match."""
        return self._where.seat

    @property
    def resuming(self) -> Resume | None:
        """The request that takes the seat of a running match again."""
        return self._where.resuming

    # A request and its answer -------------------------------------------------------------------

    async def request(self, wish: Request) -> Answer:
        """As `Link.request`; an action outlives the line that it was sent on."""
        while True:
            link = self._link
            try:
                answer = await link.request(wish)
            except LinkError:
                if isinstance(wish, Leave):  # nobody comes back to what they wanted to leave
                    self._where.forget()
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
        self._where.asked(wish, answer)
        if isinstance(wish, Resume) and isinstance(answer, Done) and answer.name:
            self.welcome = replace(self.welcome, name=answer.name)

    # What comes ---------------------------------------------------------------------------------

    async def run(self, heard: Heard, told: Told = lambda attempt: None) -> LinkError:
        """Read, through all lines, until there is nothing to come back to; return why."""

        def hear(message: msgspec.Struct) -> None:
            if not self._where.heard(message):
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
                        if await self._there_again(link, hear):
                            break
                        error = await reading
                except LinkError as final:
                    await self._change(over=final)
                    return final
                await self._change(link)
                told(0)

    # Coming back --------------------------------------------------------------------------------

    async def _come_back(self, redial: Redial, error: LinkError) -> Link:
        """A new line to the same server. Raises LinkError when there is no sense in it."""
        if self._over is not None:
            raise self._over
        if for_good(error) or error.fault not in _BROKEN:
            raise error
        if stopped(error) and self.resuming is None:
            raise error
        return await redial.link(error)

    async def _there_again(self, link: Link, hear: Heard) -> bool:
        """Be where one was, or as near as can be; False when this line has broken, too. Raises
        LinkError when the seat is gone: whoever had one wants no other place."""
        self.welcome = link.welcome
        playing, ways = self.resuming is not None, self._where.ways_back()
        try:
            for wish in ways:
                answer = await link.request(wish)
                self._note(wish, answer)
                if isinstance(answer, Done):
                    return True
                if playing and isinstance(answer, Refused):
                    await link.close()
                    raise LinkError(Fault.SEAT_GONE, address=str(self.address))
            if ways:
                hear(LeftTable(self._where.table, TableGone.CLOSED))
            elif (listing := self._where.way_to_lobby()) is not None:
                await link.request(listing)
        except LinkError as error:
            if error.fault is Fault.SEAT_GONE:
                raise
            return False
        return True

    async def _change(self, link: Link | None = None, *, over: LinkError | None = None) -> None:
        async with self._turn:
            self._link = link or self._link
            self._over = self._over or over
            self._turn.notify_all()

    # The end ------------------------------------------------------------------------------------

    async def close(self) -> None:
        """Say bye: a seat is given up."""
        self._where.forget()
        await self._part()
        await self._link.close()

    async def hang_up(self) -> None:
        """Go without a word: the server holds the seat, and `Seats.unfinished` has it."""
        await self._part()
        self._link.abort()

    async def _part(self) -> None:
        self._parted.set()
        await self._change(over=self._over or LinkError(Fault.LOST, address=str(self.address)))
        self._where.release()
