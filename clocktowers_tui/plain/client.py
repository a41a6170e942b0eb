"""The client of plain mode: it obeys what is typed, and says what is new.

Beside the app it is the other thing that holds the newest state. Here, too, the state changes in
the store alone; what is said follows from what was said before and from the newest state.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import Settings, called
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.exporting import exported
from clocktowers_tui.deeds.plausible import refuse_implausible
from clocktowers_tui.deeds.waiting import waiting
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.keys.keymap_file import Reading
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.net.journey import News
from clocktowers_tui.net.ticket import asks_password
from clocktowers_tui.net.wishes import Return, Solo, Visit, Wish
from clocktowers_tui.new_table.lessons import begun
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.phrases.unfinished import kept_in_words
from clocktowers_tui.plain.lines import Lines
from clocktowers_tui.plain.saying import Saying
from clocktowers_tui.plain.tasks import Tasks
from clocktowers_tui.plain.tried import TRIED_FACES
from clocktowers_tui.state.store import Place, State, place
from clocktowers_tui.text.i18n import _
from protocol.from_client import Request
from protocol.from_server import Refused
from protocol.table import TablePhase

if TYPE_CHECKING:
    from clocktowers_tui.net.arrival import Arrival

BOARD_S: Final = 5.0
"""How long a line that was typed waits for the table to which the player was led."""


class Question(NamedTuple):
    """What is done when the player types yes."""

    words: Sequence[str]
    does: Callable[[], Awaitable[None]]


class PlainClient(Client):
    """What the places of plain mode may ask, and what holds the newest state.

    `says`: gets each new state, and says what is new in it. `opens`: goes to a place beside the
    menu, None to the menu. `own_pace`: a person types and reads;
    else a command that needs the player's turn waits for it. `arrival`: a line that is open."""

    def __init__(
        self,
        settings: Settings,
        look: Look,
        lines: Lines,
        saying: Saying,
        arrival: "Arrival | None" = None,
    ) -> None:
        self.guest = is_guest()
        self.look = self.able = look
        self.lines: Final = lines
        self.saying: Final = saying
        self.own_pace = sys.stdin.isatty()
        self.undone = False
        """Something that was typed could not be done."""
        self.leaves = False
        self.question: Question | None = None
        """The one that was asked last, until something else is typed than its answer."""
        self.says: Callable[[State], None] = lambda _state: None
        self.opens: Callable[[Any], Awaitable[None]] | None = None
        self._moved = asyncio.Event()
        self.tasks: Final = Tasks()
        super().__init__(settings, FACES, Reading(), self.tasks, arrival)

    # What screens may ask, too (deeds.client.Client) ------------------------------------------

    def tell(self, sentence: str) -> None:
        self.saying.say([sentence])

    def restyle(self, look: Look) -> None:
        self.look = look

    def speak(self, code: str | None) -> None:
        from clocktowers_tui.text import i18n

        i18n.speak(code)

    def leave_program(self) -> None:
        self.leaves = True

    # What places ask ----------------------------------------------------------------------------

    def say(self, *sentences: str) -> None:
        self.saying.say(sentences)

    def cannot(self, *sentences: str) -> None:
        """Say why something that was typed is not done."""
        self.undone = True
        self.saying.say(sentences)

    def part_of(self, parts: Mapping[str, Sequence[str]], named: Sequence[str]) -> list[str]:
        """The part of a board with this name, without one all of them; nothing after saying which
        there are."""
        name = named[0].lower() if named else ""
        found = [part for part in parts if not name or part.startswith(name)]
        if not found:
            self.cannot(_("Choose one of {values}.").format(values=", ".join(parts)))
        told = [said for part in found for said in parts[part]]
        return told or ([_("There is none now.")] if found else [])

    async def ask(self, wish: Request) -> bool:
        """Ask the server, and say why it refuses; whether it did not."""
        answer = await self.journey.request(wish)
        if isinstance(answer, Refused):
            self.cannot(refused_in_words(answer))
        return not isinstance(answer, Refused)

    async def write(self, match: str) -> None:
        """Write a finished match to a file, and say where it is, or why there is none."""
        written = await exported(match)
        (self.say if written.done else self.cannot)(written.said)

    def ask_first(self, does: Callable[[], Awaitable[None]], *sentences: str) -> None:
        """Do this when the player says yes. What else they type lets it be."""
        self.question = Question([*sentences, _("Type yes or no.")], does)
        self.say(*self.question.words)

    async def go(self, wish: Wish) -> str:
        """Open a line and be there; a password is asked for where somebody can type one. Why that
        has not worked, or ""."""
        error = await self.journey.go(wish, called(self.settings))
        while error is not None and asks_password(error) and self.own_pace:
            assert isinstance(wish, Visit | Return)
            self.say(fault_in_words(error), _("Type the password; an empty line gives up."))
            if not (password := await self.secret()):
                break
            wish = wish._replace(ticket=wish.ticket._replace(password=password))
            error = await self.journey.go(wish, called(self.settings))
        if error is not None:
            return fault_in_words(error)
        await self.arrive()
        if isinstance(wish, Solo):
            await self.until(self._has_begun)
        return ""

    async def arrive(self) -> None:
        """Wait for the place where the line leads: what is typed meanwhile is meant for it."""
        await self.until(lambda: not self.journey.under_way)
        if self.journey.led_to_table:
            await self.until(self.sees_the_board, BOARD_S)

    def _has_begun(self) -> bool:
        return place(self.state) is Place.MATCH or self.state.connection is None

    def sees_the_board(self) -> bool:
        """Whether the player is where they were led: a table comes a moment after the server's
        answer, and the board of one in play a moment after the table."""
        table, here = self.state.table, place(self.state)
        waits = table is not None and table.info.phase is not TablePhase.PLAYING
        return here is Place.MATCH or (here is Place.TABLE and waits)

    async def open(self, place: Any) -> None:
        """Go to a place beside the menu: the finished matches, or one of them."""
        if self.opens is not None:
            await self.opens(place)

    async def home(self, _rest: Sequence[str] = ()) -> None:
        """Back to the menu."""
        await self.open(None)

    async def secret(self) -> str:
        """A line that is not shown while it is typed; "" for none."""
        with self.lines.hidden():
            return await self.lines.next() or ""

    async def until(self, holds: Callable[[], bool], within_s: float | None = None) -> bool:
        """Wait for a state in which this holds, and until what is new in it is said; whether it
        does at last."""
        try:
            async with asyncio.timeout(within_s):
                while self._due or not holds():
                    await self._moved.wait()
        except TimeoutError:
            return False
        return True

    # What is new --------------------------------------------------------------------------------

    def _follow_soon(self) -> None:
        asyncio.get_running_loop().call_soon(self._follow)

    def _follow(self) -> None:
        self._due = False
        try:
            if not self.journey.under_way:
                self.says(self.state)
                self._shown()
        except Exception as error:
            self.tasks.fail(error)
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    def _check(self, message: Struct, before: State, after: State) -> None:
        refuse_implausible(message, before, after, TRIED_FACES)

    def _tell_news(self, news: News) -> None:
        super()._tell_news(news)
        self.undone = self.undone or isinstance(news, Refused)

    async def part(self) -> None:
        """Leave the program: a seat in a match that goes on is kept, and the player is told. The
        menu, where nobody comes any more, is not said."""
        self.says = lambda _state: None
        played = self.state.match is not None and not self.state.match.over
        await self.keeping.settle()
        await self.journey.end(hold_seat=True)
        if played:
            self.say(*kept_in_words(waiting(self.faces).all[:1], []))
        elif self.leaves:
            self.say(*kept_in_words(waiting(self.faces).all, begun(self.settings)))
