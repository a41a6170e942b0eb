"""Takes the player where they wish to be, over a line that is open until it ends or is lost."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import Fault, LinkError, stopped
from clocktowers_tui.net.seats import Progress
from clocktowers_tui.net.wishes import Host, Return, Solo, Wish, again
from clocktowers_tui.state.store import is_told, parted
from clocktowers_tui.state.table import Chat, Connection, Kind, cleaned
from clocktowers_tui.text.i18n import _
from protocol.from_client import CreateTable, Join, ListTables, Request, Resume, Start, Watch
from protocol.from_server import Done, Listing, Refused
from protocol.table import TableInfo, TablePhase
from protocol.text import clean

if TYPE_CHECKING:  # the client has made it; the others are loaded with the first connection
    from clocktowers_tui.deeds.client import Client
    from clocktowers_tui.net.arrival import Arrival
    from clocktowers_tui.net.keyboard import Keyboard
    from clocktowers_tui.net.lasting_link import LastingLink
    from clocktowers_tui.net.link import Answer


BOARD_S: Final = 5.0
"""How long the server may take to tell of the place to which it has let the player."""


class Lost(NamedTuple):
    """Why the line broke for good, and what to wish for to try again."""

    error: LinkError
    wish: Wish


class Journey:
    """At most one line at a time. `opened`: a line that was opened before there was a screen."""

    def __init__(self, client: "Client", opened: "Arrival | None" = None) -> None:
        self._client: Final = client
        self.arrival = opened
        """The line of now, and what it was opened for; None at home."""
        self._keyboard: Keyboard | None = None
        self._lost: Lost | None = None
        self._changed: Final = asyncio.Event()
        """The state has changed since `_until_told` looked."""
        self.invitations: dict[str, Done] = {}
        """Those that the player has asked for as a host, by the table's code."""

    @property
    def under_way(self) -> bool:
        """Whether a line is open, and the player is not shown to be there yet: the old screen stays
        until the server has told where they are."""
        return self.arrival is not None and self._client.state.connection is None

    @property
    def keyboard(self) -> "Keyboard | None":
        """The people at this one; None where the player is the only one."""
        return None if self.arrival is None else self._keyboard

    @property
    def server(self) -> str:
        """The name by which the server knows the player again; "" at home, and where nobody else
        plays."""
        if self.arrival is None or self.solo is not None:
            return ""
        from clocktowers_tui.net.identity import server_name

        link = self.arrival.link
        return server_name(link.address, 0, link.trust.key)

    @property
    def teaches(self) -> bool:
        """Whether the player is at, or on the way to, a guided match."""
        return self.solo is not None and self.solo.lesson

    @property
    def solo(self) -> Solo | None:
        """The wish for a match alone or against bots; None anywhere else."""
        wish = self.arrival.wish if self.arrival is not None else None
        return wish if isinstance(wish, Solo) else None

    def state_changed(self) -> None:
        self._changed.set()
        if (keyboard := self.keyboard) is not None:
            keyboard.follow()

    def take_lost(self) -> Lost | None:
        """Why the line broke for good; told once: the caller tells the player."""
        lost, self._lost = self._lost, None
        return lost

    async def go(self, wish: Wish, name: str) -> LinkError | None:
        """Open a line, in place of a line on which a match waited. Returns why that failed."""
        from clocktowers_tui.net.arrival import arrive

        try:
            arrival = await arrive(wish, name)
        except LinkError as error:
            return error
        waited, self.arrival, self._keyboard = self.arrival, arrival, None
        self.invitations.clear()
        self._client.change(parted(self._client.state))
        self.go_on(arrival, name)
        if waited is not None:
            ending = waited.end(hold_seat=isinstance(wish, Return))
            self._client.run_worker(ending, group="ending")
        return None

    def go_on(self, arrival: "Arrival", name: str) -> None:
        """Listen to a line that is open. `name`: what the player asked to be called. Whom they have
        muted at the table of their seat stays muted, and what they have not read is unread."""
        if (seat := arrival.link.own.seat) is not None:
            state, progress = self._client.state, seat.progress
            names = frozenset((seat.table, clean(one)) for one in progress.muted)
            chat = Chat(read=progress.read)
            notes = {seat.match: {at: clean(told) for at, told in progress.notes.items()}}
            muted = state.muted | names
            self._client.change(replace(state, muted=muted, chat=chat, notes=notes))
        if arrival.beside:
            from clocktowers_tui.net.keyboard import Keyboard  # seldom used

            self._keyboard = Keyboard(self._client, arrival)
        self._client.run_worker(self._listen(arrival), group="line", exclusive=True)
        self._client.run_worker(self._settle(arrival, name), group="settle", exclusive=True)

    async def end(self, *, hold_seat: bool = False) -> None:
        """Close the line and be at home. `hold_seat`: a seat in a match can be taken again later;
        otherwise it is given up. A match that is being kept still needs the line."""
        arrival, hold_seat = self.arrival, hold_seat and not self.teaches
        await self._client.keeping.settle()
        if arrival is not self.arrival:
            return  # the line is lost, or the player has gone elsewhere meanwhile
        self.arrival = None
        try:
            if arrival is not None:
                await arrival.end(hold_seat=hold_seat)
        finally:
            if self.arrival is None:  # else the player has gone elsewhere meanwhile
                self._client.change(parted(self._client.state))

    def distrust(self) -> None:
        """End the line: what the server tells makes no sense. `take_lost` says so."""
        if self.arrival is not None:
            self.arrival.link.break_off(LinkError(Fault.SENSELESS))

    def note(self, now: Progress) -> None:
        """Keep with the player's seat how far its match is; without a turn it is as far as it
        was."""
        own = None if (link := self._link) is None else link.own
        if own is not None and own.seat is not None:
            if not now.turn:
                now = replace(now, turn=own.seat.progress.turn, round=own.seat.progress.round)
            if own.seat.progress != now:
                self._client.run_worker(own.note(now), group="noting")

    @property
    def _link(self) -> "LastingLink | None":
        """That of the player; of the people at one keyboard, the one whose eyes are shown."""
        if (keyboard := self.keyboard) is not None and not self.under_way:
            return keyboard.link
        return None if self.arrival is None else self.arrival.link

    async def request(self, wish: Request) -> "Answer | None":
        """The server's answer; None when the line broke, which `take_lost` tells if it was for
        good. Where the player is shown a line that stands, the way to a table goes out twice: its
        answer comes before anything of the table does."""
        if self.arrival is None:
            return None
        line = self._client.state.connection
        stands = line is not None and not line.attempt
        try:
            twice = stands and isinstance(wish, Join | Watch)
            if (keyboard := self.keyboard) is not None and not self.under_way:
                return await keyboard.request(wish)
            return await self.arrival.link.request(wish, twice=twice)
        except LinkError:
            return None  # `_listen` hears of it, too

    def record(self, match: str) -> asyncio.Future[bytes | Refused | None]:
        """As `Link.record`; None when the line broke. The line asks at once."""
        return asyncio.ensure_future(self._record(self.arrival, match))

    async def _record(self, arrival: "Arrival | None", match: str) -> bytes | Refused | None:
        if arrival is None:
            return None
        try:
            return await arrival.link.record(match)
        except LinkError:
            return None  # `_listen` hears of it, too

    async def _listen(self, arrival: "Arrival") -> None:
        if (keyboard := self.keyboard) is not None:
            error = await keyboard.run(self._line_changed)
        else:
            error = await arrival.link.run(self._client.store, self._line_changed)
        if arrival is not self.arrival:
            return  # we have ended it
        if arrival.server is not None and await arrival.server.has_ended() and not stopped(error):
            error = LinkError(Fault.LOCAL_ENDED, file=str(arrival.server.log))
        if arrival is self.arrival:
            await arrival.end(hold_seat=True)
        if arrival is not self.arrival:
            return  # the player has gone home or elsewhere meanwhile
        self.arrival = None
        self._lost = Lost(error, again(arrival.wish, arrival.link.own.seat))
        self._client.change(parted(self._client.state))

    def _line_changed(self, attempt: int) -> None:
        """The line has broken and is dialled for this time, or (0) stands again."""
        state = self._client.state
        if state.connection is not None:
            name = self.arrival.link.welcome.name if self.arrival else state.connection.name
            connection = replace(state.connection, attempt=attempt, name=clean(name))
            self._client.change(replace(state, connection=connection))

    async def _settle(self, arrival: "Arrival", name: str) -> None:
        """Ask for what the line was opened for; only then is the player shown to be there. A server
        tells of a table a moment after its answer, and of the match there after that. If it tells
        nothing, the player is shown to be where they are."""
        if led := await self._take_first_steps(arrival):
            await self._until_told(arrival)
        if self.arrival is not arrival:
            return  # the line is gone, or the player is
        link, kind = arrival.link, Kind.VISIT if arrival.server is None else Kind.HOST
        kind = Kind.SOLO if link.own.folder else kind
        connection = Connection(
            kind=kind,
            address=str(link.address),
            name=clean(link.welcome.name),
            welcome=cleaned(link.welcome),
            private=link.private,
        )
        returns = isinstance(arrival.wish, Return)
        # Who is not let in to a table is told that alone.
        hears = not returns and self.keyboard is None and (led or not arrival.wish.table)
        if hears and connection.name != name:
            said = _("Somebody, or your old seat, has that name: you are {name}.")
            self._client.tell(said.format(name=connection.name))
        if (own := arrival.server) is not None:
            connection = replace(connection, friends=own.friends, ways=own.ways)
            if connection.kind is Kind.HOST:
                self._client.keep(replace(self._client.settings, own_key=own.key.hex()))
            if own.taken and own.friends:
                said = _("Another program has port {taken}: friends use port {port}.")
                if own.taken_by_own:
                    said = _("Your other server has port {taken}: friends use port {port}.")
                self._client.tell(said.format(taken=own.taken, port=own.address.port))
        if not (connection.friends or self.solo):
            connection = replace(connection, shut=await _is_shut(arrival.link.address))
        if self.arrival is not arrival:
            return
        if (keyboard := self.keyboard) is not None:
            keyboard.connect(connection)
        else:
            self._client.change(replace(self._client.state, connection=connection))
        if own is not None and returns:
            self._tell_of_host()
        seat = arrival.link.own.seat
        if seat is not None and (notes := self._client.state.notes.get(seat.match)):
            self._client.tell(_("Your note: {text}").format(text=notes[max(notes)]))

    def _tell_of_host(self) -> None:
        """Who is host of the table at which the player's own server has them again."""
        table = self._client.state.table
        if table is None or table.info.phase is not TablePhase.WAITING or table.is_host:
            return
        if table.seat is not None and table.info.host is not None:
            host = table.names[table.info.host]
            self._client.tell(_("{name} is the host now.").format(name=host))

    def _tell_where_hosts_sit(self, table: str) -> None:
        """A player who hosts is at a table again where they had a seat."""
        said = _("Your table {table} goes on here. Leave it for good to open another.")
        self._client.tell(said.format(table=table))

    async def _until_told(self, arrival: "Arrival") -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(BOARD_S):
                while self.arrival is arrival and not is_told(self._client.state):
                    self._changed.clear()
                    await self._changed.wait()

    async def _take_first_steps(self, arrival: "Arrival") -> bool:
        """Returns whether the server has let the player to a table."""
        from clocktowers_tui.net.arrival import first_steps

        led, hosts = False, isinstance(arrival.wish, Host)
        for step in first_steps(arrival):
            answer = await self.request(step)
            led = isinstance(answer, Done)
            keyboard, seat = self.keyboard, arrival.link.own.seat
            if keyboard is not None and isinstance(answer, Done) and not isinstance(step, Start):
                await keyboard.sit_down(answer.table or ("" if seat is None else seat.table))
            asks = isinstance(step, Resume) and not step.match  # whether there is a seat
            if isinstance(answer, Refused) and not asks:
                self._client.tell_refused(answer)
            if hosts and isinstance(answer, Done):
                self._tell_where_hosts_sit(answer.table)
            if isinstance(answer, Refused) != (hosts or isinstance(step, Resume)):
                return led
        if isinstance(arrival.wish, Host):
            return await self._go_to_own_table(arrival.wish)
        return led

    async def _go_to_own_table(self, wish: Host) -> bool:
        """The player's own server may have run on without them. Returns whether the player is let
        to a table."""
        listing = await self.request(ListTables(id=0))
        if not isinstance(listing, Listing):
            return False
        if (way := way_of_host(listing.tables, wish)) is None:
            return False
        answer = await self.request(way)
        if isinstance(answer, Refused):
            self._client.tell_refused(answer)
        elif isinstance(answer, Done) and isinstance(way, Join):
            self._tell_where_hosts_sit(answer.table)
        return isinstance(answer, Done)


def way_of_host(tables: Sequence[TableInfo], wish: Host) -> Join | CreateTable | None:
    """Back to the only table of that game that waits for players; to a new one, where none does;
    None: the host chooses in the lobby."""
    game = wish.table.game
    waits = [one for one in tables if one.game == game and one.phase is TablePhase.WAITING]
    if not waits:
        return wish.table
    return Join(id=0, table=waits[0].table) if len(waits) == 1 else None


async def _is_shut(address: Address) -> bool:
    """Whether it is one of this machine alone, whose server takes no calls where others dial."""
    from clocktowers_tui.net.dialing import takes_calls
    from clocktowers_tui.net.trust import is_here
    from protocol.networks import lan_addresses

    if not is_here(address):
        return False
    return not any([await takes_calls(Address(host, address.port)) for host in lan_addresses()[:1]])
