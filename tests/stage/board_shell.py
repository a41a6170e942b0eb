"""A board on a screen of its own, with as little of the match screen as it needs around it."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractContextManager, asynccontextmanager
from typing import Any, ClassVar, Generic, TypeVar
from unittest.mock import Mock, patch

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.pilot import Pilot

from clocktowers_tui.games.board import Board
from clocktowers_tui.games.pane import Pane
from clocktowers_tui.games.parts import SHELL_ROWS
from tests.stage.golden_boards import NAMES

ABoard = TypeVar("ABoard", bound=Board[Any, Any])


class BoardShell(App[None], Generic[ABoard]):
    """Keeps what the board asks for. `seats`: how many a view has. With a match, what is chosen is
    played, and the others play till the player's next turn."""

    CSS = f"#board {{ height: 1fr; margin-bottom: {SHELL_ROWS}; }}"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "left", show=False)]

    def __init__(
        self,
        board: ABoard,
        view: Any,
        seats: Callable[[Any], int],
        log: Iterable[str] = (),
        match: Any = None,
    ) -> None:
        super().__init__()
        self.board = board
        self.board.id = "board"
        self.match = match
        self.chosen: list[Any] = []
        self.refusals: list[Any] = []
        self.hints: list[str] = []
        self.arranged: list[str] = []
        self.log_wanted = 0
        self.left = False
        self.now_s = 0.0
        """A clock for boards that need one: it goes when a view is shown, and not otherwise."""
        self._view, self._seats, self._told = view, seats, tuple(log)

    def compose(self) -> ComposeResult:
        yield self.board

    def on_mount(self) -> None:
        self.board.focus()
        self.show(self._view)

    def show(self, view: Any, *, later_s: float = 1.0) -> None:
        """`later_s`: so long before the player does anything."""
        self.board.show(view, NAMES[: self._seats(view)], waiting=False, log=self._told)
        self.now_s += later_s

    def on_board_chosen(self, event: Board.Chosen) -> None:
        self.chosen.append(event.action)
        if self.match is not None:
            refusal = self.match.act(event.action)
            self.refusals += [refusal] if refusal is not None else []
            self.match.play_others()
            self.show(self.match.view())

    def on_board_hint(self, event: Board.Hint) -> None:
        self.hints.append(event.text)

    def on_board_arranged(self, event: Board.Arranged) -> None:
        self.arranged.append(event.layout)

    def on_board_log_wanted(self) -> None:
        self.log_wanted += 1

    def action_left(self) -> None:
        self.left = True

    def lines(self) -> list[str]:
        """The board's rows on the screen, without the shell's."""
        strips = self.screen._compositor.render_strips()
        return ["".join(part.text for part in strip) for strip in strips][:-SHELL_ROWS]

    def find(self, text: str) -> tuple[int, int]:
        """The second cell of `text` on the screen."""
        for y, line in enumerate(self.lines()):
            if text in line:
                return line.index(text) + 1, y
        raise AssertionError(f"no {text} on\n" + "\n".join(self.lines()))


@asynccontextmanager
async def on_screen(
    app: BoardShell[ABoard], size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[BoardShell[ABoard], Pilot[None]]]:
    """The board as it is drawn first, and who plays on it."""
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


async def type_fast(pilot: Pilot[None], keys: Iterable[str]) -> None:
    """Send all keys at once, as a hurried player's terminal does; a pilot waits after each."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
    await pilot.pause()


async def till_chosen(app: BoardShell[Any], pilot: Pilot[None], keys: Iterable[str]) -> None:
    """Send these keys, and wait until the board has chosen something more."""
    before = len(app.chosen)
    await type_fast(pilot, keys)
    for _ in range(100):
        if len(app.chosen) > before:
            return
        await pilot.pause()


def painting() -> AbstractContextManager[Mock]:
    """Call this for each line that Textual asks a board for meanwhile."""
    return patch.object(Pane, "render_line", side_effect=Pane.render_line, autospec=True)
