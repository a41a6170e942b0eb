"""The loop of plain mode: says what is new, reads a line, obeys it, until the player leaves."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from clocktowers_tui.config.settings import called
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.keys.keymap_file import Reading
from clocktowers_tui.net.wishes import Wish
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.plain.at_table import TablePlace
from clocktowers_tui.plain.client import BOARD_S, PlainClient
from clocktowers_tui.plain.commands import (
    Command,
    find,
    split,
    typed,
    unknown_in_words,
)
from clocktowers_tui.plain.everywhere import ANSWERS, everywhere
from clocktowers_tui.plain.finished import MatchesPlace
from clocktowers_tui.plain.home import HomePlace
from clocktowers_tui.plain.lesson import LessonPlace
from clocktowers_tui.plain.lobby import LobbyPlace
from clocktowers_tui.plain.match import MatchPlace
from clocktowers_tui.plain.news import happened
from clocktowers_tui.state.store import Place, State, handed_over, place, timed_out

LAST_WORDS_S: Final = 10.0
"""How long a player whose input has ended waits for what the others do: bots take some seconds."""
_SHORT_S: Final = 0.3
"""How long a prompt waits for the answer to what was typed."""


class NoWay(Exception):
    """There is no way to where the player wishes; the text is a sentence that says why."""


class Playing:
    """`say`: gets each new state."""

    def __init__(self, client: PlainClient) -> None:
        self._client = client
        self._said = client.state
        """The state that was said last."""
        self._asked_last: list[str] = []
        """What the player is asked, as it was said last; nothing while others have the turn."""
        self._over = ""
        """The match whose result was said."""
        self.place: Any = HomePlace(client)
        client.says, client.opens = self.say, self._open
        client.keys = self._keys()

    # What is new --------------------------------------------------------------------------------

    def say(self, state: State) -> None:
        """What happened, where the player is now, what they are asked."""
        client, before = self._client, self._said
        once = client.told_once()
        self._said = state = client.state
        news, moved = [*once, *happened(before, state)], [*self._moved(before, state)]
        told = [*moved, *news] if place(state) is Place.MATCH else [*news, *moved]
        client.say(*told, *self._asked(state))

    def _moved(self, before: State, state: State) -> Iterator[str]:
        """The place where the player is, if it is another one; why the line was lost."""
        if (lost := self._client.journey.take_lost()) is not None:
            yield fault_in_words(lost.error)
            self._client.undone = True
        here, was = place(state), place(before)
        new_match = here is Place.MATCH and _match_of(state) != _match_of(before)
        if here is was and not new_match:
            return
        self.place = self._new_place(here)
        self._client.question = None
        self._client.keys = self._keys()
        yield from self.place.begins()
        if here is Place.MATCH:
            self._client.tasks.run_worker(self.place.settle_pace(), group="pace")

    def _keys(self) -> Reading:
        """For sentences that name keys: the words of this place, and those of the menu."""
        return Reading(typed([*self.commands, *HomePlace(self._client).commands]))

    def _new_place(self, here: Place) -> Any:
        client = self._client
        match here:
            case Place.HOME:
                return HomePlace(client)
            case Place.LOBBY:
                return LobbyPlace(client)
            case Place.TABLE:
                return TablePlace(client)
            case Place.MATCH if client.journey.teaches and client.state.match is not None:
                return LessonPlace(client, client.state.match.game)
            case Place.MATCH:
                return MatchPlace(client)

    def _asked(self, state: State) -> Iterator[str]:
        """What the match asks of the player; once it is over, the result."""
        match = state.match
        if match is None or match.view is None or not isinstance(self.place, MatchPlace):
            return
        if match.over:
            if self._over != match.id:
                self._over = match.id
                yield from self.place.ending.result()
            return
        played_for = handed_over(state) or timed_out(state)
        if match.pending is not None:
            return
        needed = state.seat is not None and not played_for
        asked = self.place.turn() if needed and FACES[match.game].is_my_turn(match.view) else []
        if asked != self._asked_last:  # where all act at once, others change nothing for the player
            yield from self.place.unheard(asked)
        self._asked_last = asked

    async def _open(self, beside: Any) -> None:
        """A place beside the menu; None: the menu."""
        self.place = HomePlace(self._client) if beside is None else beside
        self._client.question = None
        self._client.keys = self._keys()
        said = self.place.begins()
        self._client.say(*(said if isinstance(said, list) else await said))

    # What is typed ------------------------------------------------------------------------------

    @property
    def commands(self) -> Sequence[Command]:
        """Those of the place, and those that are everywhere."""
        return everywhere(self._client, self.place.commands)

    async def obey(self, line: str) -> None:
        """One line. What is neither yes nor no lets a question be."""
        client, words = self._client, split(line)
        if not words:
            await self._nothing()
        elif isinstance(self.place, MatchPlace) and words[0].isdigit():
            client.question = None
            await self.place.numbers(words)
        elif (command := find(self.commands, words[0])) is None:
            client.cannot(unknown_in_words(self.commands, words[0]))
        else:
            if command.word not in (*ANSWERS, "help"):
                client.question = None
            if command.waits and not client.own_pace and isinstance(self.place, MatchPlace):
                await client.until(self.place.needs_nobody_else)
            await command.does(words[1:])

    async def _nothing(self) -> None:
        """An empty line goes on reading in a lesson; elsewhere it says what is asked."""
        if self._client.question is not None:
            self._client.say(*self._client.question.words)
        elif isinstance(self.place, LessonPlace):
            await self._client.until(self.place.needs_nobody_else)
            await self.place.go_on()
        elif isinstance(self.place, MatchPlace):
            self._client.say(*self.place.now())

    # From beginning to end ----------------------------------------------------------------------

    async def run(self, wish: Wish | None, replays: str = "") -> int:
        """The exit code: 0; 1 when something that was read from a pipe could not be done.
        `replays`: the match that is seen again first, as it was typed."""
        client = self._client
        if client.journey.arrival is not None:
            client.journey.go_on(client.journey.arrival, called(client.settings))
            await client.arrive()
        elif replays:
            await MatchesPlace(client).replay([replays])
        elif wish is None:
            client.say(*self.place.begins())
        else:
            await self._go(wish)
        while not client.leaves and client.saying.heard:
            client.saying.prompt()
            line = await client.lines.next()
            client.saying.typed()
            if line is None:
                break
            await self.obey(line)
            await client.until(self._is_calm, _SHORT_S if client.own_pace else None)
            if place(client.state) is Place.TABLE:
                await client.until(client.sees_the_board, BOARD_S)
        if not client.leaves and client.saying.heard:
            await self._last_words()
        return 1 if client.undone and not client.own_pace else 0

    async def _go(self, wish: Wish) -> None:
        """To where the command line says. Raises NoWay."""
        client = self._client
        if error := await client.go(wish):
            raise NoWay(error)

    def _is_calm(self) -> bool:
        """Whether everything that is known is said, and nothing of the player's is on its way."""
        match = self._client.state.match
        quiet = self._client.state is self._said and not self._client.journey.under_way
        return quiet and (match is None or match.pending is None)

    async def _last_words(self) -> None:
        """Hear what the others do after the player's last move; a watcher hears all of it."""
        state = self._client.state
        if state.table is not None and state.seat is None:
            await self._client.until(self._is_over)
        elif isinstance(self.place, MatchPlace):
            await self._client.until(self.place.needs_nobody_else, LAST_WORDS_S)

    def _is_over(self) -> bool:
        """Whether a watcher has heard all."""
        state = self._client.state
        over = state.match is not None and state.match.over
        return over or state.table is None or not self._client.saying.heard


def _match_of(state: State) -> str:
    return "" if state.match is None else state.match.id
