"""The menu keeps its place, and shows hostile text as text."""

from textual.app import App, ComposeResult

from clocktowers_tui.widgets.menu import Menu, Row
from tests.stage.hostile_texts import HOSTILE


class Holder(App[None]):
    def __init__(self, rows: list[Row]) -> None:
        super().__init__()
        self.rows = rows
        self.picked: list[str | None] = []

    def compose(self) -> ComposeResult:
        yield Menu(self.rows)

    def on_option_list_option_selected(self, event: Menu.OptionSelected) -> None:
        self.picked.append(event.option_id)


def rows(ids: str, *, off: str = "") -> list[Row]:
    return [Row(id, f"row {id}", id not in off) for id in ids]


async def test_the_first_row_is_under_the_cursor_and_hjkl_move() -> None:
    async with (app := Holder(rows("abc"))).run_test() as pilot:
        assert app.query_one(Menu).at == "a"
        await pilot.press("enter", "j", "l", "down", "enter", "k", "space")
        assert app.picked == ["a", "b", "c", "b"]


async def test_the_cursor_stays_on_its_row_when_rows_change() -> None:
    async with (app := Holder(rows("abc"))).run_test() as pilot:
        menu = app.query_one(Menu)
        await pilot.press("j")
        menu.show(rows("xabc"))
        assert menu.at == "b"
        menu.show(rows("xac"))
        assert menu.at == "c"
        menu.show(rows("a"))
        assert menu.at == "a"
        menu.show([])
        assert menu.at is None


async def test_rows_that_cannot_be_chosen_are_passed_over() -> None:
    async with (app := Holder(rows("abc", off="a"))).run_test() as pilot:
        menu = app.query_one(Menu)
        assert menu.at == "b"
        menu.show(rows("abc", off="c"))
        await pilot.press("down", "enter")
        assert app.picked == ["a"]


async def test_hostile_rows_are_only_read() -> None:
    hostile = [Row(str(n), name) for n, name in enumerate(HOSTILE.values()) if "\n" not in name]
    async with (app := Holder(hostile)).run_test(size=(60, 30)) as pilot:
        await pilot.click(Menu, offset=(4, 6))
        await pilot.pause()
        assert app.is_running
