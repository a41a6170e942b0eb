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
from clocktowers_tui.games.architetti_attenti.choosing import points
from clocktowers_tui.games.board import Board
from clocktowers_tui.games.motion import (
    END_S,
    MOST_CELLS,
    STEPS_S,
    Glow,
    Moment,
    Motion,
    Playing,
    fitting,
    inked,
    upwards,
    written,
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
PLACE = Rect(10, 20, 8, 6)
"""Where the part stands, which is not in the corner of the board."""
LIT = tuple(Rect(12, y, 3, 1) for y in (25, 24, 23))
MOMENT = Moment(("town-0",), LIT, "+5", (13, 22), (11, 21))


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
    assert pauses == sorted(pauses) and END_S <= 0.3
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
    free[0] = True
    motion.begin("roof")
    free[0] = False
    motion.begin("win")
    assert motion.peak is None and not time.due, "what was playing has ended"


def frames(moment: Moment, rows: Block = TOWER, place: Rect = PLACE) -> list[Block]:
    return [Playing(moment, step).on(rows, INKS, place) for step in range(len(STEPS_S))]


def test_storeys_light_up_from_the_ground_and_the_points_fly() -> None:
    shown = frames(MOMENT)
    assert [row[1].ink for row in shown[-1][3:]] == [Glow.TEXT, Glow.GROUND, Glow.GROUND]
    assert [sum(glowing(rows, y) for y in (3, 4, 5)) for rows in shown] == [3, 6, 6, 9, 9]
    flown = ["".join(map(text_of, rows[1:3])).index("+5") for rows in shown]
    assert flown == [11, 11, 10, 1, 1], "in two rows of eight cells"


def test_a_roof_settles_before_windows_light_up() -> None:
    shown = frames(MOMENT._replace(falls=Rect(12, 23, 3, 1)))
    hats = [[y for y, row in enumerate(rows) if "▟R▙" in text_of(row)] for rows in shown]
    assert hats == [[1], [2], [3], [3], [3]]
    assert [any(glowing(rows, y) for y in (3, 4, 5)) for rows in shown] == [False] * 2 + [True] * 3
    assert all(cells(row) == PLACE.width for rows in shown for row in rows)
    low = frames(MOMENT._replace(falls=Rect(12, 21, 3, 1)))
    assert low[0][:1] == TOWER[:1], "a title stays"


def test_what_flies_between_parts_is_seen_in_each_as_far_as_it_is_there() -> None:
    flies = Moment(("meadow", "score"), (), "+12", (0, 0), (8, 0))
    left, right = (frames(flies, [[Span("....")]], Rect(x, 0, 4, 1)) for x in (0, 4))
    shown = [
        text_of(ours[0]) + text_of(theirs[0]) for ours, theirs in zip(left, right, strict=True)
    ]
    assert shown == ["+12.....", "..+12...", "....+12.", "......+1", "........"]


def glowing(rows: Block, y: int) -> int:
    return cells(span for span in rows[y] if isinstance(span.ink, Glow) and "+" not in span.text)


def test_what_stands_on_a_place_is_found_from_the_ground_up() -> None:
    star: Block = [[Span("  * ... ")], *TOWER[1:]]
    assert upwards(star, lambda x, _y: 2 <= x < 5) == tuple(Rect(2, y, 3, 1) for y in (5, 4, 3))
    assert upwards(star, lambda x, _y: x == 6) == (Rect(6, 0, 1, 1),)
    assert upwards(star, lambda x, _y: x == 7) == ()
    assert inked(TOWER, {MotionInk.HAT, MotionInk.WALL})[0] == Rect(2, 5, 3, 1)
    assert written([[Span("漢字"), Span("  5 pts")]], 0, "  5") == (Rect(6, 0, 1, 1),)


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
    all_of_it = Moment(("meadow",), tuple(Rect(0, y, 100, 1) for y in range(10)))
    shown = frames(all_of_it, rows, Rect(0, 0, 100, 10))[-1]
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


TOTALS: dict[str, Callable[[Any, int], int]] = {
    "clocktowers": lambda view, seat: view.points[seat],
    "architetti_attenti": lambda view, seat: points(view, seat).total,
}


@pytest.mark.parametrize("size", [(40, 10), (60, 20), (80, 24), (120, 40), (200, 60)], ids=str)
@pytest.mark.parametrize("game", FACES)
async def test_points_fly_to_the_number_that_they_are_in_and_any_key_ends_it(
    game: str, size: tuple[int, int]
) -> None:
    async with moved(game) as (app, pilot):
        await pilot.resize_terminal(*size)
        board, moment, sight = app.board, Moment((), ()), app.board
        while sight is not None and game in TOTALS and not moment.label:
            board.motion.end()
            app.play()
            await pilot.pause()
            sight, peak = board.seen(board.scene, Look(), board.size), board.motion.peak
            moment = moment if sight is None else board.MOMENTS[type(peak)](sight, peak)
        if moment.label:
            x, y, width, _height = moment.lit[-1]
            total = TOTALS[game](board.scene.view, peak.seat)
            assert app.lines()[y][x : x + width].strip() == f"{total}"
            ends, row = moment.ends
            assert abs(ends - x) <= width + 1 and 0 <= row - y <= 1
            assert app.lines()[row][ends : ends + len(moment.label)].isspace(), "on no frame"
        await pilot.press("f12")
        assert board.motion.peak is None and not app.time.due


@pytest.mark.parametrize("game", FACES)
async def test_the_win_is_the_last_and_the_result_waits_for_it(game: str) -> None:
    async with moved(game, Shell.win) as (app, pilot):
        assert type(app.board.motion.peak).__name__ == "Win"
        waiting = app.run_worker(app.board.still())
        await pilot.pause()
        assert not waiting.is_finished
        app.time.pass_s(END_S + 0.001)
        await waiting.wait()


async def test_nothing_moves_in_a_running_race() -> None:
    async with moved("wild_wild_pattern") as (app, _pilot):
        while app.staged.view().phase is not Phase.RACE:
            assert app.board.motion.peak is not None, "no time has passed"
            app.staged.play_one()
            app.show(app.staged.view())
        assert app.board.motion.peak is None and not app.time.due
