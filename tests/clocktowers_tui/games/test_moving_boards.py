"""On every board peaks move for a moment, a key ends it, and then it is as if nothing had moved."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bench.staging import NAMES, Staged
from clocktowers_tui.config.look import Look
from clocktowers_tui.games.board import GameBoard
from clocktowers_tui.games.motion import END_S, STEPS_S, Motion
from clocktowers_tui.games.registry import FACES
from protocol.games.wild_wild_pattern import Phase
from tests.stage.board_shell import BoardShell
from tests.stage.passing_time import PassingTime


class Shell(BoardShell[GameBoard[Any, Any]]):
    """A match of bots, seen by one of them; its time passes by itself, that of motions does not."""

    def __init__(self, game: str) -> None:
        self.staged = Staged(4, 21, game=game)
        board = FACES[game].board(Look())
        assert isinstance(board, GameBoard)
        self.time = PassingTime()
        board.motion = Motion(self.time.later, board.redraw, lambda: True)
        super().__init__(board, self.staged.view())

    def show(self, view: Any) -> None:
        self.board.show(view, NAMES, waiting=False)

    def play(self, until: str = "") -> None:
        """To the next peak; `until`: of this kind."""
        while self.board.motion.peak is None or until not in type(self.board.motion.peak).__name__:
            self.board.motion.end()
            self.staged.play_one()
            self.show(self.staged.view())


@asynccontextmanager
async def moved(game: str, until: str = "") -> AsyncIterator[tuple[Shell, Any]]:
    app = Shell(game)
    async with app.run_test(size=(100, 40)) as pilot:
        app.play(until)
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
    async with moved(game, "Win") as (app, pilot):
        assert app.staged.over
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
