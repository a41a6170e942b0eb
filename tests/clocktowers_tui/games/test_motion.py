"""A motion takes its steps, ends in time or before, and leaves every board as it stands."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from enum import Enum, auto
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st
from rich.style import Style

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.board import Board
from clocktowers_tui.games.motion import (
    END_S,
    MOST_CELLS,
    STEPS_S,
    Glow,
    Motion,
    Playing,
    Shine,
    fitting,
    upwards,
)
from clocktowers_tui.games.painting import Inks
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spans import Block, Rect, Span, cells, split
from protocol.games.wild_wild_pattern import Phase
from tests.stage.board_shell import BoardShell
from tests.stage.golden_boards import text_of
from tests.stage.staged import Staged


class _Timer:
    def __init__(self, due: list["_Timer"], at_s: float, call: Callable[[], None]) -> None:
        self.at_s = at_s
        self.call = call
        self._due = due
        due.append(self)

    def stop(self) -> None:
        if self in self._due:
            self._due.remove(self)


class PassingTime:
    """`due`: what is still to be called."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.due: list[_Timer] = []

    def later(self, after_s: float, call: Callable[[], None]) -> _Timer:
        return _Timer(self.due, self.now_s + after_s, call)

    def pass_s(self, seconds: float) -> None:
        """Call everything that is due by then, each at its time."""
        until_s = self.now_s + seconds
        while ready := [timer for timer in self.due if timer.at_s <= until_s]:
            timer = min(ready, key=lambda timer: timer.at_s)
            timer.stop()
            self.now_s = timer.at_s
            timer.call()
        self.now_s = until_s


class MotionInk(Enum):
    WALL = auto()
    HAT = auto()


INKS: Inks = {
    None: Style(),
    MotionInk.WALL: Style(bgcolor="#000000"),
    MotionInk.HAT: Style(color="#ffffff"),
}
TOWER: Block = [
    [Span("-Ann----")],
    [Span("        ")],
    [Span("        ")],
    [Span("  "), Span("▟R▙", MotionInk.HAT), Span("   ")],
    [Span("  "), Span("│▪│", MotionInk.WALL), Span("   ")],
    [Span("  "), Span("│▪│", MotionInk.WALL), Span("   ")],
]
SHINE = Shine("town-0", tuple(Rect(2, y, 3, 1) for y in (5, 4, 3)), "+5", (3, 2))


Drawn = list[tuple[str | None, int]]


@pytest.fixture
def time() -> PassingTime:
    return PassingTime()


def playing(time: PassingTime, may: Callable[[], bool] = lambda: True) -> tuple[Motion[str], Drawn]:
    drawn: Drawn = []
    motion: Motion[str] = Motion(time.later, lambda: drawn.append((motion.peak, motion.step)), may)
    motion.begin("roof")
    return motion, drawn


def test_it_goes_ever_more_slowly_and_ends_in_time(time: PassingTime) -> None:
    pauses = [later - earlier for earlier, later in pairwise((*STEPS_S, END_S))]
    assert pauses == sorted(pauses) and END_S <= 0.7
    motion, drawn = playing(time)
    motion.begin("roof")
    assert len(time.due) == 1, "begun again, it has one timer"
    time.pass_s(END_S - 0.001)
    assert drawn == [("roof", step) for step in range(1, len(STEPS_S))]
    time.pass_s(0.002)
    assert drawn[-1][0] is None and motion.peak is None
    assert not time.due, "no timer is left"


def test_nothing_moves_while_the_terminal_is_busy(time: PassingTime) -> None:
    motion, drawn = playing(time, lambda: False)
    assert motion.peak is None and not drawn and not time.due
    free = [True]
    motion, drawn = playing(time, lambda: free[0])
    free[0] = False
    time.pass_s(0.06)
    assert motion.peak is None and drawn == [(None, 0)] and not time.due


def test_storeys_light_up_from_the_ground_and_the_points_rise() -> None:
    lit = [
        sum(glowing(Playing(SHINE, step).on(TOWER, INKS), y) for y in (3, 4, 5))
        for step in range(5)
    ]
    assert lit == [3, 6, 6, 9, 9]
    first, last = ([*map(text_of, Playing(SHINE, step).on(TOWER, INKS))] for step in (0, 4))
    assert first[2][3:5] == "+5" and last[1][3:5] == "+5"
    assert [first[0], *first[3:]] == [last[0], *last[3:]] == [*map(text_of, (TOWER[0], *TOWER[3:]))]
    low = SHINE._replace(at=(3, 1))
    assert {text_of(Playing(low, step).on(TOWER, INKS)[1]) for step in range(5)} == {"   +5   "}


def glowing(rows: Block, y: int) -> int:
    return cells(span for span in rows[y] if isinstance(span.ink, Glow) and "+" not in span.text)


def test_what_has_a_ground_glows_on_one() -> None:
    shown = Playing(SHINE, 4).on(TOWER, INKS)
    assert [row[1].ink for row in shown[3:]] == [Glow.TEXT, Glow.GROUND, Glow.GROUND]


def test_what_stands_on_a_place_is_found_from_the_ground_up() -> None:
    star: Block = [[Span("  * ... ")], *TOWER[1:]]
    assert upwards(star, lambda x, _y: 2 <= x < 5) == SHINE.lit
    assert upwards(star, lambda x, _y: x == 6) == (Rect(6, 0, 1, 1),)
    assert upwards(star, lambda x, _y: x == 7) == ()


@pytest.mark.parametrize(
    ("size", "rows"), [((10, 4), 4), ((10, 5), 4), ((10, 9), 2), ((40, 9), 1), ((60, 1), 1)]
)
def test_of_each_as_much_is_lit_as_may_be(size: tuple[int, int], rows: int) -> None:
    lit = fitting([Rect(60 * n, 0, *size) for n in range(4)])
    assert {rect.x for rect in lit} == {0, 60, 120, 180}
    assert sum(rect.height for rect in lit) == 4 * rows
    assert all(rect.y >= 0 and rect.y + rect.height <= size[1] for rect in lit)


def test_no_more_is_lit_than_may_be() -> None:
    rows: Block = [[Span("x" * 100, MotionInk.WALL)] for _ in range(10)]
    shine = Shine("meadow", tuple(Rect(0, y, 100, 1) for y in range(10)))
    shown = Playing(shine, 4).on(rows, INKS)
    assert 0 < sum(glowing(shown, y) for y in range(10)) <= MOST_CELLS


@given(
    st.lists(st.sampled_from(["ab", "漢字", "│", " ", "e\N{COMBINING ACUTE ACCENT}"]), max_size=6),
    st.integers(0, 14),
)
def test_a_row_is_split_where_it_is_told(texts: list[str], at: int) -> None:
    row = [Span(text) for text in texts]
    left, right = split(row, at)
    assert cells(left) == min(at, cells(row))
    assert cells(left) + cells(right) == cells(row)


# On the boards ------------------------------------------------------------------------------------


class Shell(BoardShell[Board[Any, Any]]):
    """A match of bots, seen by one of them; its time passes by itself, that of motions does not."""

    def __init__(self, game: str) -> None:
        self.staged = Staged(2, 21, game=game)
        board = FACES[game].board(Look())
        assert isinstance(board, Board)
        self.time = PassingTime()
        board.motion = Motion(self.time.later, board.redraw, lambda: True)
        super().__init__(board, self.staged.view(), lambda _view: 2)

    def play(self) -> None:
        """To the next peak."""
        while self.board.motion.peak is None:
            self.staged.play_one()
            self.show(self.staged.view())

    def win(self) -> None:
        """To the end, of which only the last action is shown."""
        before = self.staged.view()
        while not self.staged.over:
            before = self.staged.view()
            self.staged.play_one()
        for view in (before, self.staged.view()):
            self.board.motion.end()
            self.show(view)


@asynccontextmanager
async def moved(game: str, play: Callable[[Shell], None] = Shell.play) -> AsyncIterator[Any]:
    app = Shell(game)
    async with app.run_test(size=(100, 40)) as pilot:
        play(app)
        await pilot.pause()
        yield app, pilot


def seen(app: Shell) -> list[Any]:
    """Texts and colours."""
    return [list(strip) for strip in app.screen._compositor.render_strips()]


@pytest.mark.parametrize("game", FACES)
async def test_each_step_is_seen_and_nothing_stays(game: str) -> None:
    async with moved(game) as (app, pilot):
        steps = [seen(app)]
        for earlier, later in zip(STEPS_S, (*STEPS_S[1:], END_S), strict=True):
            app.time.pass_s(later - earlier + 0.001)
            await pilot.pause()
            steps.append(seen(app))
        *moving, still = steps
        assert app.board.motion.peak is None and not app.time.due
        assert still not in moving
        assert moving[0] != moving[-1]
        app.board.restyle(Look())
        await pilot.pause()
        assert seen(app) == still


@pytest.mark.parametrize("game", FACES)
async def test_any_key_ends_it(game: str) -> None:
    async with moved(game) as (app, pilot):
        await pilot.press("f12")
        assert app.board.motion.peak is None and not app.time.due


@pytest.mark.parametrize("game", FACES)
async def test_the_win_is_the_last_and_the_result_waits_for_it(game: str) -> None:
    async with moved(game, Shell.win) as (app, pilot):
        assert type(app.board.motion.peak).__name__ == "Win"
        waiting = app.run_worker(app.board.still())
        await pilot.pause()
        assert not waiting.is_finished
        app.time.pass_s(END_S + 0.001)
        await waiting.wait()


@pytest.mark.parametrize("game", FACES)
async def test_a_small_board_moves_too(game: str) -> None:
    async with moved(game) as (app, pilot):
        for size in ((60, 20), (40, 10), (200, 60)):
            await pilot.resize_terminal(*size)
            app.board.motion.end()
            app.play()
            app.time.pass_s(0.2)
            await pilot.pause()


async def test_nothing_moves_in_a_running_race() -> None:
    async with moved("wild_wild_pattern") as (app, _pilot):
        while app.staged.view().phase is not Phase.RACE:
            assert app.board.motion.peak is not None, "no time has passed"
            app.staged.play_one()
            app.show(app.staged.view())
        assert app.board.motion.peak is None and not app.time.due
