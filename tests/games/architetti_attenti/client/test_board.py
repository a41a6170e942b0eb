"""The widget, played by keys and by mouse against the real rules."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from textual import events

from clocktowers_tui.games.architetti_attenti import choosing
from clocktowers_tui.games.architetti_attenti.choosing import Selection
from clocktowers_tui.games.architetti_attenti.sight import NUMBERS, Arrangement, layout
from clocktowers_tui.games.parts import SHELL_ROWS
from protocol.games.architetti_attenti import SIDE, Buy, Options, Phase, Place
from protocol.games.architetti_attenti.board import with_tile
from protocol.ids import Seat
from tests.games.architetti_attenti.boards import ANN, board
from tests.games.architetti_attenti.face_case import shell
from tests.games.architetti_attenti.matches import TownMatch
from tests.games.architetti_attenti.meadows import at
from tests.stage.board_shell import on_screen, till_chosen


def keys_for(selection: Selection, cells: tuple[int, int]) -> Iterator[str]:
    """How a player brings the ghost there: turned by `r`, moved by arrows."""
    towards, first = selection.ghost.towards, selection.ghost.first
    wanted = (1, SIDE, -1, -SIDE).index(cells[1] - cells[0])
    # By way of the middle, where a turn never makes it step back from the edge.
    yield from _way(first, _INNER)
    yield from "r" * ((wanted - towards) % 4)
    yield from _way(_INNER, cells[0])
    yield "enter"


_INNER = 3 * SIDE + 3


def _way(start: int, end: int) -> Iterator[str]:
    down, across = end // SIDE - start // SIDE, end % SIDE - start % SIDE
    yield from ["down" if down > 0 else "k"] * abs(down)
    yield from ["l" if across > 0 else "left"] * abs(across)


@pytest.mark.parametrize(
    ("seats", "size", "most"),
    [(2, (80, 24), 12), (1, (60, 20), 20), pytest.param(2, (80, 24), 99, marks=pytest.mark.soak)],
)
async def test_a_whole_match_by_keys(seats: int, size: tuple[int, int], most: int) -> None:
    """Or so many actions of it: what was intended is what was chosen, and nothing else."""
    match = TownMatch(seats, Options(), seed=11)
    match.play_others()
    app, random, intended = shell(match.view(), match=match), Random(4), 0
    async with app.run_test(size=size) as pilot:
        while not match.over() and intended < most:
            view = match.view()
            assert app.board.scene is not None
            selection = app.board.scene.selection
            if view.phase is Phase.BUY:
                wanted: Any = Buy(1 + (random.random() < 0.5 and view.gems[0] > 0))
                keys = iter([str(wanted.position), "enter"])
            else:
                wanted = random.choice(match.rules.legal_actions(match.state, Seat(0)))
                cells = (wanted.first, wanted.second)
                keys = keys_for(selection, cells)
            await till_chosen(app, pilot, keys)
            intended += 1
            assert app.chosen[-1] == wanted
    assert match.refused == 0 and len(app.chosen) == intended


async def test_who_comes_back_with_a_bought_tile_is_told_where_it_floats() -> None:
    begun = board(4, own=ANN[:2])
    for view, told in (
        (board(4, phase=Phase.PLACE), "It adds 2 points here."),
        (begun, "H=House P="),
    ):
        async with on_screen(shell(view)) as (app, _pilot):
            assert len(app.hints) == 1 and told in app.hints[0]


async def test_a_bought_tile_stays_where_it_lay_and_is_placed_there() -> None:
    async with on_screen(shell(board(4))) as (app, pilot):
        await pilot.press("2", "b", "down", "space")
        app.show(board(4, phase=Phase.PLACE))
        await pilot.press("up", "enter")
        assert app.chosen == [Buy(2), Place(at("d5"), at("d6"))]


async def test_others_towns_by_key_and_back() -> None:
    async with on_screen(shell(board(3))) as (app, pilot):
        await pilot.press("o")
        assert app.hints[-1] == "The town of Björn: o shows the next one, Esc goes back."
        assert app.board.aside() == "Town of Björn"
        assert [words for _keys, words in app.board.actions_now()] == ["Next", "Back"]
        await pilot.press("o")
        assert app.board.aside() == "Town of Chiara"
        await pilot.press("o")
        assert app.board.aside() == ""
        await pilot.press("o", "1")
        assert app.board.aside() == "" and app.chosen == []


async def test_ones_own_turn_brings_ones_own_town_back() -> None:
    async with on_screen(shell(board(3, turn=1))) as (app, pilot):
        await pilot.press("o")
        app.show(board(3, turn=2))
        await pilot.pause()
        assert app.board.aside() == "Town of Björn"
        app.show(board(3, turn=0))
        await pilot.pause()
        assert app.board.aside() == ""


async def test_who_watches_begins_at_the_first_seat_and_goes_round() -> None:
    async with on_screen(shell(board(2, seat=None))) as (app, pilot):
        assert app.hints[-1] == "The town of Ann: o shows the next one."
        await pilot.press("1", "enter", "r", "right")
        assert app.board.aside() == "" and app.chosen == []
        await pilot.press("o")
        assert app.hints[-1] == "The town of Björn: o shows the next one."
        assert app.board.aside() == "Town of Björn"
        await pilot.press("o")
        assert app.hints[-1] == "The town of Ann: o shows the next one."


async def test_alone_there_is_no_other_town() -> None:
    async with on_screen(shell(board(1))) as (app, pilot):
        await pilot.press("o")
        assert app.hints[-1] == "You play alone: there is no other town."


@pytest.mark.parametrize("wish", Arrangement)
async def test_a_whole_turn_by_mouse_in_every_layout(wish: Arrangement) -> None:
    """Clicked where the board's own text says that it is."""
    async with on_screen(shell(board(4), wish=wish), (120, 40)) as (app, pilot):
        await pilot.click(offset=app.find("♦2"))
        assert "Its best place: +5 now." in app.hints[-1] and app.chosen == []
        found = layout(120, 40 - SHELL_ROWS, wish, seats=4, over=False)
        assert found is not None
        for cell, chosen in (("f6", []), ("f7", [Buy(2)])):
            x, y = at(cell) % SIDE * found.scale.width, at(cell) // SIDE * found.scale.height
            await pilot.click("#meadow", offset=(NUMBERS + x + 1, found.headed + y + 1))
            assert app.chosen == chosen
        await pilot.click(offset=app.find("Dmitri built"))
        assert app.log_wanted == 1


async def test_a_tile_that_is_bought_stays_where_it_lay_also_on_a_board_that_leaps() -> None:
    """As Try again shows what comes of a move; of another moment it lies at its best place."""
    view = board(4)
    bought = replace(view, phase=Phase.PLACE, tile=view.row[1], row=bytes([view.row[0], 0, 0, 0]))
    async with on_screen(shell(view)) as (app, pilot):
        await pilot.press("2")
        best = app.board.choice.ghost
        app.board.take(choosing.point, at("f6"))
        moved = app.board.choice.ghost
        app.board.leap(view, bought, ["Ann", "Björn", "Carla", "Dmitri"])
        assert app.board.choice.ghost == moved != best
        app.board.leap(None, view, ["Ann", "Björn", "Carla", "Dmitri"])
        app.board.leap(view, bought, ["Ann", "Björn", "Carla", "Dmitri"])
        assert app.board.choice.ghost == best


async def test_the_wheel_turns_the_tile() -> None:
    async with on_screen(shell(board(4))) as (app, pilot):
        await pilot.press("2")
        meadow = app.board.query_one("#meadow")
        told = [app.hints[-1]]
        for wheel in (events.MouseScrollDown, events.MouseScrollUp):
            meadow.post_message(wheel(meadow, 5, 5, 0, 0, 0, False, False, False))
            await pilot.pause()
            told.append(app.hints[-1])
        assert told[0] == told[2] != told[1]


async def test_players_by_mouse() -> None:
    async with on_screen(shell(board(4))) as (app, pilot):
        await pilot.click(offset=app.find(" Chia "))
        assert app.board.aside() == "Town of Chiara"
        await pilot.click(offset=app.find("You"))
        assert app.board.aside() == ""


async def test_what_others_did_is_marked_until_ones_own_turn_ends() -> None:
    before = board(2, turn=1)
    async with on_screen(shell(before)) as (app, pilot):
        boards = [before.boards[0], with_tile(before.boards[1], 1, at("g6"), at("g7"))]
        app.show(replace(before, turn=0, boards=boards))
        await pilot.pause()
        assert "g6 g7" in "".join(app.lines())
        await pilot.press("o")
        assert "»⌂H«" in app.lines()[-2]
        app.show(replace(before, turn=1, boards=boards))
        await pilot.pause()
        assert "»" not in "".join(app.lines()) and "g6g7" not in "".join(app.lines())
