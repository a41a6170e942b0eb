"""The line that is open: from a wish to being there, and what is left to say when it breaks."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from textual.app import App

from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.wishes import Host, Return, Wish, again
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.state.connection import Kind, welcomed
from clocktowers_tui.state.store import Store, parted
from clocktowers_tui.text.i18n import _
from protocol.from_client import Request
from protocol.from_server import Refused
from protocol.text import clean

if TYPE_CHECKING:  # read by the first who goes somewhere
    from clocktowers_tui.net.arrival import Arrival
    from clocktowers_tui.net.link import Answer


class Journey:
    """At most one line at a time; `say` takes sentences for wherever the player is next.

    `opened`: a line that was there before. `lost`: why the line broke and what to wish for to try
    again, until somebody has told it."""

    def __init__(
        self, app: App[Any], store: Store, say: Callable[[str], None], opened: "Arrival | None"
    ) -> None:
        self._app = app
        self._store = store
        self._say = say
        self._arrival = opened
        self.lost: tuple[str, Wish] | None = None

    @property
    def under_way(self) -> bool:
        """A line is open, and one is not yet seen to be there."""
        return self._arrival is not None and self._store.state.connection is None

    @property
    def arrival(self) -> "Arrival | None":
        return self._arrival

    @property
    def hosting(self) -> Host | None:
        """As what a server of one's own was opened to others; None: there is none."""
        wish = self._arrival.wish if self._arrival is not None else None
        return wish if isinstance(wish, Host) else None

    async def go(self, wish: Wish, name: str) -> str:
        """The sentence that says why not, or "" when the line is open; it takes the place of one
        on which a match waited."""
        from clocktowers_tui.net.arrival import arrive

        try:
            arrival = await arrive(wish, name)
        except LinkError as error:
            return fault_in_words(error)
        waited, self._arrival = self._arrival, arrival
        self._store.change(parted(self._store.state))
        self.go_on(arrival, name)
        if waited is not None:
            # Of the app: the screen that wished for this line may be gone before it is done.
            self._app.run_worker(waited.end(), group="ending")
        return ""

    def go_on(self, arrival: "Arrival", name: str) -> None:
        """Listen to a line that is open. `name`: the one that was asked for."""
        self._app.run_worker(self._listen(arrival), group="line", exclusive=True)
        self._app.run_worker(self._settle(arrival, name), group="settle", exclusive=True)

    async def end(self, *, hold_seat: bool = False) -> None:
        """Close the line and be at home. `hold_seat`: the one in a match can be taken again later;
        otherwise it is given up."""
        arrival, self._arrival = self._arrival, None
        if arrival is not None:
            await (arrival.hang_up() if hold_seat else arrival.end())
        self._store.change(parted(self._store.state))

    async def request(self, wish: Request) -> "Answer | None":
        """The server's answer; None when the line broke."""
        if self._arrival is None:
            return None
        try:
            return await self._arrival.link.request(wish)
        except LinkError:
            return None  # `_listen` has been told the same

    async def _listen(self, arrival: "Arrival") -> None:
        error = await arrival.link.run(self._store.hear, self._line_changed)
        if arrival is not self._arrival:
            return  # ended by us
        self._arrival = None
        if arrival.server is not None and await arrival.server.has_ended():
            error = LinkError(Fault.LOCAL_ENDED, file=str(arrival.server.log))
        await arrival.hang_up()
        self.lost = (fault_in_words(error), again(arrival.wish, arrival.link.seat))
        self._store.change(parted(self._store.state))

    def _line_changed(self, attempt: int) -> None:
        """The line has broken and is dialled for this time, or (0) stands again."""
        state = self._store.state
        if state.connection is not None:
            name = self._arrival.link.welcome.name if self._arrival else state.connection.name
            connection = replace(state.connection, attempt=attempt, name=clean(name))
            self._store.change(replace(state, connection=connection))

    async def _settle(self, arrival: "Arrival", name: str) -> None:
        """What the line was opened for; only then is one seen to be there."""
        await self._take_first_steps(arrival)
        friends = arrival.server.friends if arrival.server is not None else ()
        kind = _kind(arrival)
        connection = welcomed(kind, str(arrival.link.address), arrival.link.welcome, friends)
        if connection.name != name and not isinstance(arrival.wish, Return):
            taken = _("That name was taken; here you are {name}.")
            self._say(taken.format(name=connection.name))
        if self._arrival is arrival:
            self._store.change(replace(self._store.state, connection=connection))

    async def _take_first_steps(self, arrival: "Arrival") -> None:
        from clocktowers_tui.net.arrival import first_steps

        for step in first_steps(arrival):
            answer = await self.request(step)
            if isinstance(answer, Refused):
                self._say(refused_in_words(answer))
                return


def _kind(arrival: "Arrival") -> Kind:
    if arrival.server is None:
        return Kind.VISIT
    return Kind.HOST if isinstance(arrival.wish, Host) else Kind.SOLO
