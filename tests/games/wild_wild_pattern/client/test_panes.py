"""Each part of the board alone: it is in the DOM by its id, and takes its own clicks."""

from clocktowers_tui.games.pane import Pane
from clocktowers_tui.games.wild_wild_pattern.board import WildWildPatternBoard
from protocol.games.wild_wild_pattern import Phase, Ready, Shoot
from tests.games.wild_wild_pattern.boards import BANKED, PRACTICE, WHEEL, board, declaring, visits
from tests.games.wild_wild_pattern.client.test_board import Shell


def shown(board: WildWildPatternBoard) -> set[str]:
    return {pane.id or "" for pane in board.query(Pane) if pane.size.height}


RING = {"wheel", "own-card", "told", "players"}


async def test_the_parts_that_are_on_the_board() -> None:
    app = Shell(board())
    async with app.run_test(size=(120, 40)) as pilot:
        for view, others in (
            (board(), {"log", "goal"}),
            (declaring(), {"log", "picker"}),
            (board(1, Phase.LAY, acting=0, wheel=WHEEL, options=PRACTICE), {"log", "missed"}),
        ):
            app.show(view)
            await pilot.pause()
            assert shown(app.board) == RING | others


async def test_a_click_on_the_wheel_shoots_and_one_on_the_own_card_does_not() -> None:
    app = Shell(board())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.click("#wheel", offset=(5, 5))
        assert app.chosen == [Shoot(7)]
        app.show(board())
        await pilot.click("#own-card")
        assert app.chosen == [Shoot(7)]
        app.show(board(4, Phase.READY))
        await pilot.click("#own-card")
        assert app.chosen[1:] == [Ready()]


async def test_the_bank_lies_over_the_board_and_leaves_it_in_sight() -> None:
    app = Shell(board(4, Phase.LAY, acting=1))
    async with app.run_test(size=(120, 40)) as pilot:
        app.show(board(4, Phase.READY, bank=visits(BANKED)))
        await pilot.pause()
        assert shown(app.board) == RING | {"log", "goal", "bank"}
        assert app.find("What the Bank paid") and app.find("Ann (you)")
        await pilot.click("#bank")
        assert "bank" not in shown(app.board) and app.chosen == []


async def test_a_lesson_lights_a_part() -> None:
    app = Shell(board())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        before = app.board.query_one("#players", Pane).render_line(0)
        app.board.query_one("#players", Pane).lit = True
        await pilot.pause()
        assert app.board.query_one("#players", Pane).render_line(0) != before
