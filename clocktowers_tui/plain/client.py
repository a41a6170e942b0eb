"""The client of plain mode: it obeys what is typed, and says what is new.

Beside the app it is the other thing that holds the newest state. Here, too, the state changes in
the store alone; what is said follows from what was said before and from the newest state.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import Settings, called, save, settings_file
from clocktowers_tui.doing.keeping import Keeping
from clocktowers_tui.doing.plausible import refuse_implausible
from clocktowers_tui.doing.progress import progress
from clocktowers_tui.doing.waiting import waiting
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.keys.keymap_file import Reading
from clocktowers_tui.net.journey import Journey, News
from clocktowers_tui.net.wishes import Wish
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.phrases.line import news_in_words
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.phrases.unfinished import kept_in_words
from clocktowers_tui.plain.lines import Lines
from clocktowers_tui.plain.saying import Saying
from clocktowers_tui.plain.tried import TRIED_FACES
from clocktowers_tui.state.looking_back import LookedBack
from clocktowers_tui.state.store import State, Store, compared
from clocktowers_tui.text.i18n import _
from protocol.from_client import Request
from protocol.from_server import Refused


class PlainClient:
    """What the places of plain mode may ask, and what runs the tasks of the connection.

    `says`: gets each new state, and says what is new in it. `opens`: goes to a place beside the
    menu, None to the menu. `own_pace`: a person types and reads;
    else a command that needs the player's turn waits for it."""

    guest = False
    faces: Mapping[str, Face] = FACES

    def __init__(self, settings: Settings, look: Look, lines: Lines, saying: Saying) -> None:
        self.settings = settings
        self.look = self.able = look
        self.keys = Reading()
        self.lines: Final = lines
        self.saying: Final = saying
        self.own_pace = sys.stdin.isatty()
        self.undone = False
        """Something that was typed could not be done."""
        self.leaves = False
        self.says: Callable[[State], None] = lambda _state: None
        self.opens: Callable[[Any], Awaitable[None]] | None = None
        self._store = Store(self._changed, self._check)
        self._due = False
        self._moved = asyncio.Event()
        self._tasks: dict[str, set[asyncio.Task[None]]] = {}
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.journey = Journey(self, self._store, self._tell_news)
        self.keeping = Keeping(self, self.journey, self.tell, self._looked_back)

    # What screens may ask, too (doing.client.Client) ------------------------------------------

    @property
    def state(self) -> State:
        return self._store.state

    def change(self, state: State) -> None:
        self._store.change(state)

    def keep(self, settings: Settings) -> None:
        self.settings = settings
        if not save(settings, settings_file()):
            self.tell(_("Your settings could not be saved; they last until you quit."))

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

    async def ask(self, wish: Request) -> bool:
        """Ask the server, and say why it refuses; whether it has not."""
        answer = await self.journey.request(wish)
        if isinstance(answer, Refused):
            self.cannot(refused_in_words(answer))
        return not isinstance(answer, Refused)

    async def go(self, wish: Wish) -> str:
        """Open a line and be there; why that has not worked, or ""."""
        error = await self.journey.go(wish, called(self.settings))
        if error is not None:
            return fault_in_words(error)
        await self.until(lambda: not self.journey.under_way)
        return ""

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

    def _changed(self) -> None:
        """Say what is new soon: many changes in one turn of the loop are told together."""
        self.keeping.hear(self.state)
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._follow)

    def _follow(self) -> None:
        self._due = False
        try:
            if not self.journey.under_way:
                self.says(self.state)
                if (now := progress(self.state, self.faces)) is not None:
                    self.journey.note(now)
                self.keeping.greet(self.state)
        except Exception as error:
            self._fail(error)
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    def _check(self, message: Struct, before: State, after: State) -> None:
        refuse_implausible(message, before, after, TRIED_FACES)

    def _looked_back(self, looked: LookedBack) -> None:
        self.change(compared(self.state, looked))

    def _tell_news(self, news: News) -> None:
        self.tell(news_in_words(news))
        self.undone = self.undone or isinstance(news, Refused)

    # Tasks --------------------------------------------------------------------------------------

    def run_worker(
        self, work: Coroutine[Any, Any, None], *, group: str, exclusive: bool = False
    ) -> object:
        """See `net.journey.Workers`."""
        running = self._tasks.setdefault(group, set())
        if exclusive:
            for task in running:
                task.cancel()
        task = asyncio.ensure_future(work)
        running.add(task)
        task.add_done_callback(running.discard)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """A bug: it ends the program."""
        if not self._failed.done():
            self._failed.set_exception(error)

    async def part(self) -> None:
        """Leave the program: a seat in a match that goes on is kept, and the player is told. The
        menu, where nobody comes any more, is not said."""
        self.says = lambda _state: None
        played = self.state.match is not None and not self.state.match.over
        await self.keeping.settle()
        await self.journey.end(hold_seat=True)
        if played:
            self.say(*kept_in_words(waiting(self.faces).all[:1], []))

    async def while_sound(self, work: Coroutine[Any, Any, int]) -> int:
        """Do this to its end, or to the first bug in a task. Then no task runs on."""
        doing = asyncio.ensure_future(work)
        either: list[asyncio.Future[Any]] = [doing, self._failed]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._failed.done():
                await self._failed
            return await doing
        finally:
            doing.cancel()
            running = [task for group in self._tasks.values() for task in group]
            for task in running:
                task.cancel()
            await asyncio.gather(doing, *running, return_exceptions=True)


def in_lines(sentences: Iterable[str]) -> Sequence[str]:
    """Each line on its own: what stands in columns on a screen is read one after the other."""
    return [" ".join(line.split()) for text in sentences for line in text.split("\n")]
