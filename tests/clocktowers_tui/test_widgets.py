"""What the screens are made of: each widget alone."""

import re

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from clocktowers_tui.screens.bound_actions import Entry, fitting
from clocktowers_tui.state.match import Match, timed
from clocktowers_tui.widgets.banner import Banner, Countdown
from clocktowers_tui.widgets.field import Choice
from clocktowers_tui.widgets.menu import Menu, Row
from protocol.table import Running


class LoneWidget(App[None]):
    """One widget; `picked`: the rows of a menu that were chosen."""

    CSS = ".banner {height: 1}"

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget
        self.picked: list[str | None] = []

    def compose(self) -> ComposeResult:
        yield self.widget

    def on_option_list_option_selected(self, event: Menu.OptionSelected) -> None:
        self.picked.append(event.option_id)


# What stands above a board, whole as long as that can be ------------------------------------------


PARTS = ("Tocca a te: prendi una tessera", "Architetti Attenti", "RZRP")


@pytest.mark.parametrize(
    ("width", "last_may_go", "shown"),
    [
        (80, True, " Tocca a te: prendi una tessera  Architetti Attenti  RZRP"),
        (64, True, " Tocca a te: prendi una tessera  Architetti Attenti"),
        (60, True, " Tocca a te: prendi una tessera"),
        (60, False, " Tocca a te: prendi una tessera"),
        (30, True, " Tocca a te: prend…"),
    ],
)
async def test_what_goes_where_there_is_no_room(width: int, last_may_go: bool, shown: str) -> None:
    banner = Banner(last_may_go=last_may_go)
    async with LoneWidget(banner).run_test(size=(width, 1)):
        banner.show(PARTS, "in linea")
        painted = banner.render().plain
        assert re.sub("  +", "  ", painted.removesuffix(" in linea ")).rstrip() == shown
        assert len(painted) == width


@pytest.mark.parametrize(
    ("width", "loud"), [(80, PARTS[0]), (30, "Tocca a te: prendi una tesse…"), (10, "Tocca a…")]
)
async def test_what_is_expected_of_the_player_is_loud(width: int, loud: str) -> None:
    banner = Banner(last_may_go=True)
    async with LoneWidget(banner).run_test(size=(width, 1)):
        banner.show(PARTS, "", PARTS[0])
        painted = banner.render()
        spans = [painted.plain[span.start : span.end] for span in painted.spans]
        assert [text.rstrip() for text in spans[1:]] == [loud]
        banner.show(PARTS, "")
        assert len(banner.render().spans) == 1


# The line of keys drops from the right, never within one ------------------------------------------


KEYS = (Entry("q", "Quit", "q"), Entry("?", "Help", "question_mark"), Entry("Enter", "楼", "enter"))


@pytest.mark.parametrize(("width", "fits"), [(80, 3), (24, 3), (23, 2), (13, 1), (5, 0), (0, 0)])
def test_what_fits(width: int, fits: int) -> None:
    assert tuple(fitting(KEYS, width)) == KEYS[:fits]
    out = Entry("Esc", "Out", stays=True)
    assert out in fitting((*KEYS, out), max(7, width))


# One of several values, changed with the arrows ---------------------------------------------------


VALUES = [(1, "one"), (2, "two"), (3, "three")]


async def test_none_of_them_is_left_to_the_first_or_the_last() -> None:
    choice = Choice("N", VALUES, 9, id="n", other="own")
    async with LoneWidget(choice).run_test() as pilot:
        choice.focus()
        assert choice.value is None and "own" in str(choice.render())
        await pilot.press("right")
        assert choice.value == 1
        choice.set_value(9)
        await pilot.press("left")
        assert choice.value == 3


async def test_the_arrows_stand_in_one_column_and_a_long_value_keeps_them() -> None:
    """The longest label makes it; a long value takes room from its own, and is cut if it is longer
    still. A click on the first goes back. Where there is nothing to choose there are none."""
    for words, shown, column in [("x", "x", 30), ("x" * 50, "x" * 50, 28), ("x" * 90, "…", 8)]:
        choice = Choice("Seat 1", [(0, words), (1, "-"), (2, "=")], id="n")
        only_read = Choice("y" * 28, [(0, "you")], id="m")
        async with LoneWidget(Vertical(choice, only_read)).run_test(size=(82, 3)) as pilot:
            assert not only_read.can_focus and "<" not in str(only_read.render())
            row = str(choice.render())
            assert shown in row and row.index("< ") == column and len(row) <= choice.size.width
            for at, value in ((column, 2), (30, 1), (32, 2)):
                await pilot.click(choice, offset=(at, 0))
                assert choice.value == value


# The menu keeps its place, and shows hostile text as text -----------------------------------------


def rows(ids: str, *, off: str = "") -> list[Row]:
    return [Row(id, f"row {id}", id not in off) for id in ids]


async def test_the_cursor_stays_on_its_row_when_rows_change() -> None:
    async with LoneWidget(menu := Menu(rows("abc"))).run_test() as pilot:
        await pilot.press("j")
        menu.show(rows("xabc"))
        assert menu.at == "b"
        menu.show(rows("xac"))
        assert menu.at == "c"
        menu.show(rows("a"))
        assert menu.at == "a"
        menu.show([])
        assert menu.at is None


async def test_hjkl_move_and_pass_over_rows_that_cannot_be_chosen() -> None:
    async with (app := LoneWidget(menu := Menu(rows("abcd", off="a")))).run_test() as pilot:
        assert menu.at == "b"
        await pilot.press("enter", "j", "l", "down", "enter", "k", "space")
        assert app.picked == ["b", "c", "d", "c"]
        menu.show(rows("abcd", off="d"))
        await pilot.press("down", "enter")
        assert app.picked[4:] == ["a"]


# How much time is left, told by hand ------------------------------------------------------------


class Clocks(App[None]):
    """One; counts how often the player is told that their time runs out."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 100.0
        self.told = 0
        self.clock = Countdown(lambda: self.now_s)

    def compose(self) -> ComposeResult:
        yield self.clock

    def on_countdown_short(self) -> None:
        self.told += 1


async def test_it_counts_down_to_the_deadline_and_stops() -> None:
    app = Clocks()
    async with app.run_test():
        seen = []
        for deadline_s, now_s in ((None, 100), (142, 100), (142, 101.5), (142, 142), (142, 150)):
            app.now_s = now_s
            app.clock.show(deadline_s)
            assert app.clock.display == (deadline_s is not None)
            seen.append(app.clock.render().plain.strip())
        assert seen == ["", "0:42", "0:41", "0:00", "0:00"]
        assert app.clock._timer is None
        app.clock.show(200)
        assert app.clock._timer is not None
        app.clock.show(None)
        assert app.clock._timer is None


async def test_a_deadline_in_centuries_is_no_busy_clock() -> None:
    """Floats have no seconds there: what is left of the current second would be 0."""
    app = Clocks()
    app.now_s = 0
    async with app.run_test():
        app.clock.show(2**63 / 1000)
        assert app.clock._timer is not None
        assert app.clock._timer._interval == 1


async def test_held_it_stands() -> None:
    app = Clocks()
    async with app.run_test():
        app.now_s = 130
        app.clock.show(142, 102, certain=False)
        assert app.clock.render().plain.strip() == "0:40?" and app.clock._timer is None
        app.clock.show(170)
        assert app.clock.render().plain.strip() == "0:40" and app.clock._timer is not None


async def test_the_end_of_ones_own_time_is_told_once_a_turn() -> None:
    app = Clocks()
    async with app.run_test() as pilot:
        for mine, left_s, short, told in (
            (False, 5, False, 0),
            (True, 12, False, 0),
            (True, 9, True, 1),
            (True, 8, True, 1),
            (False, 30, False, 1),
            (True, 3, True, 2),
        ):
            app.clock.show(100 + left_s, mine=mine)
            await pilot.pause()
            assert (app.clock.has_class("-short"), app.told) == (short, told)


def test_time_that_stood_still_is_added_to_what_is_left() -> None:
    """What is told meanwhile is held, too."""
    had = Match(id="m1", table="K7QM", game="clocktowers", sha256="", clock=Running(0, 42_000))
    told, later = (
        Match(id="m1", table="K7QM", game="clocktowers", sha256="", view=object(), clock=clock)
        for clock in (had.clock, Running(0, 11_000))
    )
    first = timed(told, had, 100, still=False)
    assert (first.began_s, first.ends_s, first.held_s) == (100, 142, None)
    assert timed(first, first, 101, still=False) is first
    held = timed(first, first, 102, still=True)
    assert timed(held, held, 130, still=True).held_s == 102
    goes_on = timed(held, held, 131, still=False)
    assert (goes_on.began_s, goes_on.ends_s, goes_on.held_s) == (129, 171, None)
    assert timed(later, held, 150, still=True).ends_s == 161
    assert timed(later, held, 150, still=True).held_s == 150
