"""Several people at one keyboard: each has a line and a state of their own to the player's own
server, and one line more watches their table. One of these states is shown.

Laws: a hand is shown to the person who has said that they are there, and to nobody else. Between
two people, before the first and after the end, the watcher's state is shown, to which the server
sends nothing that is hidden from anybody. In a race nothing is covered: the watcher's state is
shown while all act at once, with both hands, and else that of the person who acts, if one does.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.lasting_link import LastingLink
from clocktowers_tui.state.store import State, handed_over
from clocktowers_tui.state.table import Connection
from protocol.from_client import Act, Join, Ready, Rematch, Request, TakeBack, Watch
from protocol.ids import Seat

if TYPE_CHECKING:
    from clocktowers_tui.deeds.client import Client
    from clocktowers_tui.net.arrival import Arrival
    from clocktowers_tui.net.link import Answer

_WATCHER: Final = -1
"""The place of the last line and its state."""


class Eyes(NamedTuple):
    """`of`: the person who looks, by number; -1 is nobody, who sees what a watcher sees. `due`: the
    person for whom the match waits, as far as the screen has been handed on; None: for nobody
    yet, or the match is over."""

    of: int = _WATCHER
    due: int | None = None

    @property
    def covered(self) -> bool:
        """Whether hands are covered until the person who is due says that they are there."""
        return self.due is not None and self.of != self.due


def hides(view: Any, seen_by_all: Any) -> bool:
    """Whether a seat's view of a game has something that a watcher's view of that moment lacks."""
    fields = [name for name in view.__struct_fields__ if name != "seat"]
    return any(getattr(view, name) != getattr(seen_by_all, name) for name in fields)


class Keyboard:
    """The people at it, by number, and whose eyes are shown."""

    def __init__(self, client: "Client", arrival: "Arrival") -> None:
        self._client: Final = client
        self._links: Final[Sequence[LastingLink]] = (arrival.link, *arrival.beside)
        self._stores: Final = [client.new_store() for _link in self._links]
        self._acting: Final = asyncio.Lock()
        """Of two who press a key, the first is heard first: each has a line of their own."""
        self.eyes = Eyes()
        client.store = self._stores[_WATCHER]

    @property
    def link(self) -> LastingLink:
        """That of the person whose eyes are shown; while all race, that of the first."""
        return self._links[max(self.eyes.of, 0) if self.races else self.eyes.of]

    @property
    def due(self) -> str:
        """The name of the person for whom the match waits, as far as the screen has been handed on;
        "" = for none."""
        return "" if self.eyes.due is None else self.name(self.eyes.due)

    def name(self, person: int) -> str:
        return self._links[person].welcome.name

    @property
    def revoker(self) -> str:
        """The name of the person who may take a move back while all is covered; "" = nobody may."""
        person = self._revoker() if self.eyes.covered else None
        return "" if person is None else self.name(person)

    def _revoker(self) -> int | None:
        *people, watcher = [store.state for store in self._stores]
        if watcher.match is None:
            return None
        seats = [one.seat for one in people]
        seat = watcher.match.revocable
        return None if seat is None or seat not in seats else seats.index(seat)

    @property
    def seat(self) -> Seat | None:
        """That of the person who is due; None: nobody is."""
        return None if self.eyes.due is None else self._stores[self.eyes.due].state.seat

    # Whose eyes are shown -----------------------------------------------------------------------

    def follow(self) -> None:
        """One of the states has changed: hand the screen on, if another person is due now."""
        *people, watcher = [store.state for store in self._stores]
        if any(one.match is not None and one.match.over for one in people):
            self._look(Eyes())
            return
        due = next((n for n, one in enumerate(people) if self._is_due(one)), None)
        shown = self._stores[self.eyes.of].state.match
        if shown is not None and shown.pending is not None:
            return
        if due is None and self.races:
            self._look(Eyes())
        if due is None or due == self.eyes.due:
            return
        own, seen_by_all = people[due].match, watcher.match
        if own is None or seen_by_all is None or own.version != seen_by_all.version:
            return  # the watcher's line has not told it yet
        covered = not self.races and hides(own.view, seen_by_all.view)
        self._look(Eyes(_WATCHER if covered else due, due))

    @property
    def races(self) -> bool:
        """Whether all act at once in the game that is played, so that all hands lie open."""
        match = self._stores[_WATCHER].state.match
        return match is not None and not self._client.faces[match.game].in_turns

    @property
    def hands(self) -> Sequence[Any]:
        """In a race what each person sees; () elsewhere, and until all see something."""
        matches = [store.state.match for store in self._stores[:_WATCHER]]
        views = [one.view for one in matches if one is not None and one.view is not None]
        return views if self.races and len(views) == len(matches) else ()

    def _is_due(self, state: State) -> bool:
        match = state.match
        if match is None or match.view is None or match.over or handed_over(state):
            return False
        face = self._client.faces[match.game]
        return face.is_my_turn(match.view) and not face.at_once(match.view)

    def uncover(self) -> None:
        """The person whose turn it is has said that they are there: show their hand."""
        if self.eyes.due is not None:
            self._look(self.eyes._replace(of=self.eyes.due))

    def _look(self, eyes: Eyes) -> None:
        if eyes != self.eyes:
            self.eyes = eyes
            self._client.show_store(self._stores[eyes.of])

    # Their lines --------------------------------------------------------------------------------

    async def run(self, told: Callable[[int], None]) -> LinkError:
        """Read all lines until the first person's ends; return why."""
        lines = zip(self._links[1:], self._stores[1:], strict=True)
        async with asyncio.TaskGroup() as tasks:
            others = [tasks.create_task(link.run(store)) for link, store in lines]
            try:
                return await self._links[0].run(self._stores[0], told)
            finally:
                for one in others:
                    one.cancel()

    async def sit_down(self, table: str) -> None:
        """The first person is at this table: the others take their seats, and the watcher looks."""
        for link in self._links[1:-1]:
            if link.own.seat is not None and (resume := link.own.resume(State())) is not None:
                await link.request(resume)
            else:
                await link.request(Join(id=0, table=table))
                await link.request(Ready(id=0, ready=True))
        await self._links[_WATCHER].request(Watch(id=0, table=table))

    def connect(self, connection: Connection) -> None:
        """They are shown to be there."""
        for store in self._stores:
            store.change(replace(store.state, connection=connection))

    async def act(self, person: int, action: Any) -> "Answer | None":
        """By this one of those who act at once; None: the line is lost."""
        match = self._stores[person].state.match
        wish = Act(id=0, version=match.version if match else 0, key=os.urandom(8), action=action)
        async with self._acting:
            try:
                return await self._links[person].request(wish)
            except LinkError:
                return None  # `run` hears of it, too

    async def request(self, wish: Request) -> "Answer":
        """By the person whose eyes are shown; a rematch by all. While all hands are covered, the
        person who has moved takes that back. Raises LinkError."""
        if isinstance(wish, TakeBack) and (person := self._revoker()) is not None:
            return await self._links[person].request(wish)
        if isinstance(wish, Rematch):
            for link in self._links[1:-1]:
                await link.request(wish)
            return await self._links[0].request(wish)
        return await self.link.request(wish)
