"""The line of keys drops from the right, never in the middle of one; a click presses a key."""

import pytest
from textual.app import App, ComposeResult
from textual.events import Key
from textual.widget import Widget

from clocktowers_tui.widgets.key_line import Entry, KeyLine, fitting

KEYS = (Entry("q", "Quit", "q"), Entry("?", "Help", "question_mark"), Entry("Enter", "楼", "enter"))
SEVERAL = Entry("1-8", "Shoot")


@pytest.mark.parametrize(("width", "fits"), [(80, 3), (24, 3), (23, 2), (13, 1), (5, 0), (0, 0)])
def test_what_fits(width: int, fits: int) -> None:
    assert fitting(KEYS, width) == KEYS[:fits]


class Focus(Widget, can_focus=True):
    pass


class Shell(App[None]):
    """Keeps the keys that came to whatever has the focus."""

    def __init__(self) -> None:
        super().__init__()
        self.pressed: list[str] = []

    def compose(self) -> ComposeResult:
        yield Focus()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(KeyLine).styles.height = 1
        self.query_one(KeyLine).styles.dock = "bottom"

    def on_key(self, event: Key) -> None:
        self.pressed.append(event.key)


async def test_a_click_presses_the_key_that_stands_there() -> None:
    """Each cell of the line; gaps and an entry of several keys are none, the pinned ones are."""
    app = Shell()
    async with app.run_test(size=(32, 5)) as pilot:
        line = app.query_one(KeyLine)
        line.show([*KEYS[:2], SEVERAL], [Entry("F4", "Go", "f4")])
        await pilot.pause()
        assert line.render().plain == "q Quit  ? Help  1-8 Shoot  F4 Go"
        pressed = []
        for x in range(32):
            app.pressed.clear()
            await pilot.click(KeyLine, offset=(x, 0))
            await pilot.pause()
            pressed.append(app.pressed[0] if app.pressed else "")
        quits, helps, goes = ["q"] * 6, ["question_mark"] * 6, ["f4"] * 5
        gap = [""] * 2
        assert pressed == [*quits, *gap, *helps, *gap, *[""] * 9, *gap, *goes]
        assert isinstance(app.focused, Focus)


async def test_what_has_no_room_is_not_under_the_mouse() -> None:
    app = Shell()
    async with app.run_test(size=(13, 5)) as pilot:
        app.query_one(KeyLine).show(KEYS)
        await pilot.pause()
        await pilot.click(KeyLine, offset=(9, 0))
        assert app.pressed == []
