"""The widget, played by keys and by mouse against the real rules."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from clocktowers_tui.games.clocktowers import choosing
from clocktowers_tui.games.clocktowers.choosing import NEW, NOTHING
from clocktowers_tui.games.clocktowers.face import FACE
from clocktowers_tui.games.clocktowers.sight import Arrangement
from protocol.games.clocktowers import Discard, Draw, Options, Phase, Play, TurnOrder, View
from tests.games.clocktowers.boards import OTHERS, READY, board, town
from tests.games.clocktowers.face_case import shell
from tests.games.clocktowers.matches import TowerMatch
from tests.stage.board_shell import BoardShell, on_screen, till_chosen
from tests.stage.golden_boards import NAMES


def card_at(app: BoardShell[Any], index: int) -> tuple[int, int]:
    """Where a card of the hand is, in whatever layout."""
    number = index + 1
    for label in (f"╭{number}─", f"╭[{number}]", f" {number} ", f"[{number}]"):
        for y, line in reversed(list(enumerate(app.lines()))):
            if label in line and ("Your hand" in line or label[0] == "╭"):
                return line.index(label) + 1, y
    raise AssertionError(f"no card {index}")


def keys_for(view: View, action: Any, random: Random) -> Iterator[str]:
    """The keys a player presses for a legal action, by its own keys or by arrows."""
    if isinstance(action, Draw):
        yield "fcr"[action.pile]
        return
    place = view.hand.index(action.card)
    yield from [str(place + 1)] if random.random() < 0.5 else [*["l"] * place, "enter"]
    if isinstance(action, Discard):
        yield "x"
        return
    yield from keys_for_tower(view, place, action, random)
    yield "enter"


def keys_for_tower(view: View, card: int, action: Play, random: Random) -> Iterator[str]:
    at = choosing.pick_card(view, choosing.settle(view, None, NOTHING), card).selection
    places = [*choosing.targets(view, at)]
    wanted = NEW if action.tower is None else action.tower
    first = places.index(at.tower) if at.tower in places else 0
    steps = places.index(wanted) - first
    if wanted == NEW and random.random() < 0.5:
        yield "n"
    else:
        yield from ["right" if steps > 0 else "left"] * abs(steps)


@pytest.mark.parametrize(
    ("seats", "order", "size", "most"),
    [
        (2, TurnOrder.PLAY_DRAW, (80, 24), 20),
        (4, TurnOrder.DRAW_PLAY, (60, 20), 99),
        pytest.param(4, TurnOrder.PLAY_DRAW, (80, 24), 99, marks=pytest.mark.soak),
    ],
)
async def test_a_whole_match_by_keys(
    seats: int, order: TurnOrder, size: tuple[int, int], most: int
) -> None:
    """Or so many actions of it: what was intended is what was chosen, and nothing else."""
    match = TowerMatch(seats, Options(turn_order=order), seed=11)
    match.play_others()
    app = shell(match.view(), match=match)
    random = Random(4)
    intended: list[Any] = []
    async with app.run_test(size=size) as pilot:
        while not match.over() and len(intended) < most:
            assert app.board.scene is not None
            view = app.board.scene.view
            action = random.choice(view.legal).action
            intended.append(action)
            await till_chosen(app, pilot, keys_for(view, action, random))
        assert not match.over() or FACE.expected(match.view(), NAMES) == "The match is over"
    assert app.chosen == intended
    assert match.refused == 0


async def test_an_impossible_pick_brings_the_servers_reason() -> None:
    match = TowerMatch(2, Options(first_seat=0), seed=1)
    async with on_screen(shell(match.view(), match=match)) as (app, pilot):
        await pilot.press("3", "n")
        await pilot.press("f")
        assert [FACE.refusal(one) for one in app.refusals] == [
            "Only a floor starts a tower: put the clock mouse on one of yours.",
            "You cannot draw yet: play or discard a card.",
        ]
        await pilot.press("x")
        assert app.chosen[-1] == Discard(8)
        assert match.view().phase == "draw"


@pytest.mark.parametrize("wish", Arrangement)
async def test_whole_turns_by_mouse_in_every_layout(wish: Arrangement) -> None:
    """Every listed play and discard, clicked where the board's own text says that it is."""
    async with on_screen(shell(board(4, own=READY), wish=wish), (120, 40)) as (app, pilot):
        for card, label, action in (
            (0, "►5", Play(5, 4)),
            (0, "►+", Play(5, None)),
            (2, "►2", Play(9, 1)),
            (2, "‹x›", Discard(9)),
        ):
            app.show(board(4, own=READY))
            await pilot.pause()
            await pilot.click(offset=card_at(app, card))
            await pilot.press(*["left"] * 3)
            while "x" not in label and not any(label in line for line in app.lines()):
                await pilot.press("right")
            spot = app.find(label)
            await pilot.press(*["down"] * (label != "‹x›"))  # away from the tower
            await pilot.click(offset=spot)
            assert app.chosen == []
            await pilot.click(offset=spot)
            assert app.chosen == [action]
            app.chosen.clear()
            app.show(replace(board(4, own=READY), turn=1))  # another turn: nothing is chosen


@pytest.mark.parametrize("wish", Arrangement)
async def test_piles_and_the_log_by_mouse_in_every_layout(wish: Arrangement) -> None:
    async with on_screen(shell(board(4, phase=Phase.DRAW), wish=wish), (120, 40)) as (app, pilot):
        x, y = app.find("x7")
        await pilot.click(offset=(x, y))
        assert app.chosen == []
        await pilot.click(offset=(x, y))
        assert app.chosen == [Draw(1)]
        await pilot.click(offset=app.find("Dmitri draws"))
        assert app.log_wanted == 1


async def test_layouts_by_key() -> None:
    async with on_screen(shell(board(4))) as (app, pilot):
        await pilot.press("1", "left", "left")
        pictures = app.lines()
        await pilot.press("z")
        assert app.hints[-1] == "Board: ledger (z: another); a larger one needs 110x36."
        assert "►4  2-.1c.2- h7" in app.lines()[4]
        await pilot.press("z")
        assert app.lines() == pictures
        assert app.arranged == ["ledger", "automatic"]


async def test_a_layout_is_kept_where_it_does_not_fit() -> None:
    async with on_screen(shell(board(4), wish="large"), (120, 40)) as (app, pilot):
        assert any("╭───╮" in line for line in app.lines())
        await pilot.resize_terminal(60, 20)
        assert "│▪ c││" in app.lines()[4]
        await pilot.resize_terminal(120, 40)
        assert any("╭───╮" in line for line in app.lines())


async def test_what_others_did_is_marked_until_ones_own_turn_ends() -> None:
    before = replace(board(4), turn=1)
    async with on_screen(shell(before)) as (app, pilot):
        assert "»" not in "".join(app.lines())
        towns = [*before.towns[:2], town([*OTHERS[1][:4], "1-.K-.Rb"]), before.towns[3]]
        moved = replace(board(4), towns=towns, left=bytes((12, 6, 9)), thrown=bytes((0, 1, 0, 0)))
        app.show(moved)
        await pilot.pause()
        shown = "".join(app.lines())
        assert "»5«" in shown and "»x6" in shown and "discarded ▒▒▒" in shown
        app.show(replace(moved, turn=1))
        await pilot.pause()
        assert "»" not in "".join(app.lines())


async def test_a_lesson_that_wants_a_discard_says_the_key_for_a_card_that_fits_nowhere() -> None:
    async with on_screen(shell(board(4))) as (app, pilot):
        for sought, ends in (
            ([], "on exactly 5 floors."),
            ([Discard(9)], "5 floors. x discards it."),
        ):
            app.board.seek(sought)
            await pilot.press("3")
            assert app.hints[-1].endswith(ends)
            await pilot.press("enter")
            assert app.chosen == sought


async def test_the_help_explains_a_mouse_on_a_clock_where_it_is_drawn_as_a_letter() -> None:
    for size, wish, told in (((80, 24), "", True), ((80, 24), "ledger", False)):
        async with on_screen(shell(board(2), wish=wish), size) as (app, _pilot):
            assert any("is a clock with a mouse" in one for one in app.board.legend()) is told
