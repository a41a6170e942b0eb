"""From a wish to an open line; starts a server where the player needs their own."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final, NamedTuple

from msgspec.structs import replace

from clocktowers_tui.net import house
from clocktowers_tui.net.address import HOUSE, Address
from clocktowers_tui.net.dialing import answering
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.net.link import Link
from clocktowers_tui.net.programs import LocalServer, Purpose
from clocktowers_tui.net.seats import OwnSeat, Seat, Seats, beside, unfinished
from clocktowers_tui.net.trust import FIRST_USE, Ticket, Trust
from clocktowers_tui.net.wishes import Host, Return, Solo, Visit, Wish
from clocktowers_tui.state.store import State, Store
from protocol.from_client import TOKEN_BYTES, Join, Request, Resume, Start, Watch

_WATCHES: Final = "*"
"""The name of the line that watches while the screen is covered."""
_ALONE: Final = 1
"""The folder of a guest's own match. Any number marks a match that only this player plays."""


class Arrival(NamedTuple):
    """An open line, what it was opened for, and our own server, which ends with it. `beside`: the
    lines of the others at this keyboard and, last, one that watches."""

    wish: Wish
    link: LastingLink
    server: LocalServer | None = None
    beside: tuple[LastingLink, ...] = ()

    async def end(self, *, hold_seat: bool = False) -> None:
        """Close the line and stop the server. `hold_seat`: a seat in a match is kept, so that the
        player can `Return` later; otherwise it is given up."""
        try:
            for link in (self.link, *self.beside):
                await (link.hang_up() if hold_seat else link.close())
        finally:
            if self.server is not None:
                await self.server.stop()


async def arrive(wish: Wish, name: str) -> Arrival:
    """Open the line. Raises LinkError, and leaves neither line nor server then."""
    match wish:
        case Visit(ticket=ticket, trust=trust):
            if (seat := held(wish, name)) is not None:
                back = Return(seat, ticket, wish.table, trust, tuple(wish.addresses))
                return await arrive(back, name)
            arrival = await _visit(wish, name)
            known = wish._replace(trust=arrival.link.trust)  # only its key says which server it is
            if held(known, name) is None:
                return arrival
            await arrival.end(hold_seat=True)
            return await arrive(known, name)
        case Return():
            return await _return(wish)
        case Solo():
            first = wish.people[0] if wish.people else name
            return await _at_home(wish, await _server_for(wish), first)
        case Host(flags=flags, table=table):
            seats = Seats()
            server = await LocalServer.start(Purpose.HOST, flags, player=name)
            seat = held(Visit(server.address, trust=Trust(server.key)), name, table.game)
            return await _at_home(wish, server, name, seats, seat and seats.take(seat))


@asynccontextmanager
async def visiting(wish: Visit, name: str) -> AsyncIterator[LastingLink]:
    """A line to that server, for some requests. Raises LinkError."""
    arrival = await _visit(wish, name)
    reading = asyncio.ensure_future(arrival.link.run(Store(lambda: None)))
    try:
        yield arrival.link
    finally:
        await arrival.end()
        await reading


async def _visit(wish: Visit, name: str) -> Arrival:
    """Dial the addresses one after the other, those that answer first."""
    own = OwnSeat(name, Seats())
    own.invitation = wish.ticket.invitation
    try:
        link = await _first_that_stands(wish.addresses, name, wish.ticket, own, wish.trust)
    except LinkError as error:
        if wish.ticket.invitation and error.fault is Fault.KEY_CHANGED:
            raise LinkError(Fault.OTHER_SERVER, **error.params) from None
        raise
    return Arrival(wish._replace(address=link.address, others=link.others, trust=link.trust), link)


async def _first_that_stands(
    addresses: Sequence[Address], name: str, ticket: Ticket, own: OwnSeat, trust: Trust
) -> LastingLink:
    """A line to one of these addresses of a server, which goes to the others when it breaks."""
    error = LinkError(Fault.UNREACHABLE, address=str(addresses[0]))
    for address in await answering(addresses):
        others = [one for one in addresses if one != address]
        try:
            return await LastingLink.open(address, name, ticket, own, trust=trust, others=others)
        except TurnedAway:
            raise
        except LinkError as why:
            error = why
    raise error


def held(wish: Visit, name: str, game: str = "") -> Seat | None:
    """The unfinished seat of this player at that server, by its key or an address, or None; a
    player who asks for another name gets none. `game`: "" is any."""
    if wish.watch or wish.fresh:
        return None
    for seat in unfinished():
        known = bool(wish.trust.key) and seat.trusts.key.startswith(wish.trust.key)
        here = known or not {*seat.addresses}.isdisjoint(wish.addresses)
        # Of several that wait for days the player chooses one in the menu.
        tables = (seat.table,) if seat.days else ("", seat.table)
        meant = name in (seat.name, seat.asked) and wish.table in tables
        if here and meant and not seat.folder and game in ("", seat.game):
            return seat
    return None


async def _server_for(wish: Solo) -> LocalServer | None:
    """A new server; None for a guest, who plays at a table of the house. The match that ends for it
    is gone as soon as the server stands, unless another client plays it."""
    seats = Seats()
    old = None if wish.instead is None else seats.take(wish.instead)
    if house.is_guest():
        if old is not None:
            await _give_up(old, seats)
        return None
    if old is None:
        return await LocalServer.start(Purpose.SOLO)
    try:
        others = [one for one in beside(old) if seats.take(one)]
        server = await LocalServer.start(Purpose.SOLO, folder=old.folder, instead=True)
        for seat in (old, *others):
            seats.forget(seat)
        return server
    finally:
        seats.release()


async def _give_up(seat: Seat, seats: Seats) -> None:
    """End a match against bots in the house, as one that is left for good."""
    resume = OwnSeat(seat.name, seat=seat).resume(State())
    with suppress(LinkError):
        link = await Link.open(HOUSE, seat.name, house.ticket())
        reading = asyncio.ensure_future(link.run(lambda _message: None))
        try:
            if resume is not None:
                await link.request(resume)
        finally:
            await link.close()
            await reading
    seats.forget(seat)


async def _return(wish: Return) -> Arrival:
    seats = Seats()
    if (seat := seats.take(wish.seat)) is None:
        raise LinkError(Fault.SEAT_ELSEWHERE)
    try:
        if seat.folder:
            server = None
            if not house.is_guest():
                server = await LocalServer.start(Purpose.SOLO, folder=seat.folder)
            return await _at_home(wish, server, seat.name, seats, seat)
        if (server := await _own_server(seat)) is not None:
            return await _at_home(wish, server, seat.name, seats, seat)
        own = OwnSeat(seat.name, seats, seat=seat)
        trust = seat.trusts if wish.trust == FIRST_USE else wish.trust
        ticket = wish.ticket
        if not ticket.invitation:
            ticket = ticket._replace(invitation=own.invitation)
        addresses = [*dict.fromkeys((*wish.addresses, *seat.addresses))]
        link = await _first_that_stands(addresses, seat.name, ticket, own, trust)
        return Arrival(wish._replace(trust=link.trust), link)
    except BaseException as error:
        if isinstance(error, LinkError) and not (seat.match or seat.days):
            seats.forget(seat)  # it ended with the server
        seats.release()
        raise


async def _own_server(seat: Seat) -> LocalServer | None:
    """The player's own server at which they have this seat, started again where it does not run;
    None: it is somebody else's."""
    if house.is_guest() or not seat.at_home:
        return None
    with suppress(LinkError):
        return await LocalServer.start(Purpose.HOST, player=seat.name, key=seat.trusts.key)
    return None


async def _at_home(
    wish: Wish,
    server: LocalServer | None,
    name: str,
    seats: Seats | None = None,
    seat: Seat | None = None,
) -> Arrival:
    """A line to the player's own server, or to the house, which has a guest's matches, too."""

    async def runs() -> bool:
        return server is None or not await server.has_ended()

    address, ticket, trust, folder = HOUSE, house.ticket(), FIRST_USE, _ALONE
    if server is not None:
        address, ticket, trust = server.address, server.ticket, Trust(server.key)
        folder = server.folder
    kept = None if isinstance(wish, Solo) and wish.lesson else seats or Seats()
    owns = [OwnSeat(name, kept, seat=seat, folder=folder), *_others(wish, seat, folder)]
    links = list[LastingLink]()
    try:
        for own in owns:
            links.append(
                await LastingLink.open(address, own.asked, ticket, own, trust=trust, worth_it=runs)
            )
        return Arrival(wish, links[0], server, tuple(links[1:]))
    except BaseException:
        for link in links:
            await link.hang_up()
        if server is not None:
            await server.stop()
        raise


def _others(wish: Wish, seat: Seat | None, folder: int) -> list[OwnSeat]:
    """Of the others at this keyboard, and one without a seat, who watches; none where the player is
    the only one."""
    owns = list[OwnSeat]()
    if isinstance(wish, Solo):
        named = enumerate(wish.people[1:], 1)
        owns = [OwnSeat(one, Seats(), folder=folder, person=n) for n, one in named]
    for one in beside(seat) if seat is not None else ():
        seats = Seats()
        if (own := seats.take(one)) is not None:
            owns.append(OwnSeat(own.name, seats, seat=own, folder=folder, person=own.person))
    return [*owns, OwnSeat(_WATCHES, folder=folder)] if owns else []


def first_steps(arrival: Arrival) -> list[Request]:
    """The requests that follow at once. Behind a `Resume` comes what to do when it is refused; any
    other refusal ends them. A guest asks for a seat that another machine of the server knows."""
    own = arrival.link.own
    # It takes the seat again of a client that has seen nothing of its match yet.
    resume = None if own.seat is None else own.resume(State())
    match arrival.wish:
        case Solo(table=table):
            if house.is_guest():  # others are at this server, too
                table = replace(table, hidden=True, watchable=False)
            return [table, Start(id=0)]
        case Visit(table=code, watch=watch) if code:
            return [Watch(id=0, table=code) if watch else Join(id=0, table=code)]
        case Visit() if house.is_guest() and not unfinished():
            return [Resume(id=0, match="", token=bytes(TOKEN_BYTES))]
        case Return(table=code) if resume is not None:
            return [resume, Join(id=0, table=code)] if code else [resume]
        case Host() if resume is not None:
            return [resume]
        case Host() | Return() if own.waits is not None:
            return [Join(id=0, table=own.waits.table)]
        case _:
            return []
