"""The widget, played by keys and by mouse against the real rules."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from clocktowers_tui.games.wild_wild_pattern.actions import LETTERS
from clocktowers_tui.games.wild_wild_pattern.choosing import asked
from protocol.games.wild_wild_pattern import (
    Click,
    Declare,
    Lay,
    Pass,
    Phase,
    Ready,
    Shoot,
    Take,
    Use,
    View,
)
from protocol.games.wild_wild_pattern.cards import (
    FIRST_COLOUR,
    Challenge,
    Direction,
    Object,
    Pattern,
    is_object,
    object_of,
)
from tests.games.wild_wild_pattern.boards import board, cards, clicked, declaring
from tests.games.wild_wild_pattern.face_case import shell
from tests.games.wild_wild_pattern.matches import RaceMatch, may_hold
from tests.stage.board_shell import BoardShell, on_screen, till_chosen

_WANTED = Object.WANTED
"""On the fourth card."""


def keys_for(view: View, action: Any) -> Iterator[str]:
    """How a practised player does this."""
    match action:
        case Ready():
            yield "space"
        case Click():
            yield "x"
        case Shoot(place=place) | Take(place=place):
            yield str(place + 1)
        case Lay(place=place):
            yield from (str(place + 1), "enter")
        case Declare(pattern=pattern):
            yield "less_than_sign" if pattern.direction is Direction.BEFORE else "greater_than_sign"
            for feature in (pattern.anchor, pattern.partner):
                yield key_of(view, feature)
        case Pass():
            yield from "nn" if asked(view) is Phase.DECLARE else "n"
        case _:
            raise AssertionError(action)


def key_of(view: View, feature: int) -> str:
    """An object has the digit of a card that shows it."""
    if is_object(feature):
        return str([object_of(card) for card in view.wheel].index(Object(feature)) + 1)
    return LETTERS[feature - FIRST_COLOUR].keys[0]


@pytest.mark.parametrize(
    ("seats", "size", "most"),
    [
        (2, (80, 24), 20),
        (1, (60, 20), 20),
        pytest.param(2, (80, 24), 60, marks=pytest.mark.soak),
        pytest.param(1, (60, 20), 60, marks=pytest.mark.soak),
    ],
)
async def test_whole_rounds_by_keys(seats: int, size: tuple[int, int], most: int) -> None:
    """What was intended is what was chosen, and nothing else."""
    match, random, intended = RaceMatch(seats, seed=3), Random(4), 0
    async with on_screen(shell(match.view()), size) as (app, pilot):
        while not match.over() and intended < most:
            view = match.view()
            app.show(view)
            legal = [
                one for one in match.legal() if not isinstance(one, Use) and may_hold(view, one)
            ]
            if not legal:
                match.step()
                continue
            wanted = random.choice(legal)
            bank = app.board.scene is not None and app.board.scene.sheet is not None
            await till_chosen(app, pilot, [*["space"] * bank, *keys_for(view, wanted)])
            intended += 1
            assert app.chosen[intended - 1 :] == [wanted]
            match.does(0, wanted)
    assert len(app.chosen) == intended >= most * 2 // 3


async def test_a_key_for_what_stood_there_before_does_nothing() -> None:
    """Somebody else's turn was over in a moment, and now a digit would lay the card."""
    async with on_screen(shell(board())) as (app, pilot):
        for before, view in (
            (board(), board(4, Phase.CHALLENGE, acting=0)),
            (board(), clicked()),
            (declaring(), board(4, Phase.TAKE, acting=0, takes=1)),
        ):
            key = "n" if asked(view) is Phase.CHALLENGE else "3"
            app.show(before)
            app.show(view, later_s=0.3)
            await pilot.press(key)
            assert app.chosen == []
            assert app.hints[-1].startswith("The board has just changed")
            app.now_s += 0.9
            await pilot.press(key)
            assert app.chosen.pop() is not None


async def test_the_same_key_again_is_meant_but_not_while_it_is_held() -> None:
    async with on_screen(shell(declaring())) as (app, pilot):
        app.show(board(4, Phase.TAKE, acting=0, takes=1), later_s=0.3)
        for _ in range(20):
            await pilot.press("5")
            app.now_s += 0.1
        assert app.chosen == []
        app.now_s += 0.3
        await pilot.press("5")
        assert app.chosen == [Take(4)]


async def test_a_key_that_follows_a_hint_is_meant() -> None:
    """However soon it comes: a hint is about the board that stands."""
    async with on_screen(shell(board())) as (app, pilot):
        app.show(board(4, Phase.LAY, acting=0), later_s=0.3)
        app.board.suggest(Lay(2))
        await pilot.press("enter")
        assert app.chosen == [Lay(2)]


async def test_no_number_of_digits_lays_a_card() -> None:
    """A declaration typed ahead of a shot that came too late: the card is still there. The digit
    chooses a place, and Enter lays, but not before the board has been seen."""
    async with on_screen(shell(board())) as (app, pilot):
        app.show(board(4, Phase.LAY, acting=0), later_s=0.3)
        await pilot.pause()
        assert app.hints[-1].startswith("Now 3 choose") or "lays your card" in app.hints[-1]
        await pilot.press("4", "greater_than_sign", "6", "r", "3", "enter")
        assert app.chosen == []
        app.now_s += 0.9
        await pilot.press("enter")
        assert app.chosen == [Lay(2)]


async def test_a_declaration_typed_on_takes_no_card() -> None:
    """Slowly: each key begins the moment again, even one that does nothing."""
    async with on_screen(shell(declaring())) as (app, pilot):
        app.show(board(4, Phase.TAKE, acting=0, takes=1), later_s=0.3)
        for key in ("greater_than_sign", "5", "b"):
            await pilot.press(key)
            app.now_s += 0.7
        assert app.chosen == []
        app.now_s += 0.2
        await pilot.press("5")
        assert app.chosen == [Take(4)]


async def test_who_was_overtaken_is_told_kindly() -> None:
    async with on_screen(shell(board())) as (app, pilot):
        for view, told in ((declaring(2), True), (declaring(), False), (clicked(), True)):
            app.show(board(aimed=3))
            app.hints.clear()
            app.show(view)
            await pilot.pause()
            assert any("Somebody was faster" in said for said in app.hints) is told


async def test_the_list_says_what_a_declaration_still_needs() -> None:
    async with on_screen(shell(declaring())) as (app, pilot):
        await pilot.press("full_stop")
        shown = "".join(app.lines())
        assert app.hints[-1] == "" and "After every … comes …" in shown
        assert "1-8: the object on that card" in shown and "A letter, or arrows" in shown
        await pilot.press("a")
        shown = "".join(app.lines())
        assert "After every azure card comes …" in shown and "A letter" not in shown
        await pilot.press("c", "b", "4")
        assert app.chosen.pop() == Declare(Pattern(Direction.AFTER, 14, _WANTED)), "another half"
        app.show(declaring(due_ms=9))
        await pilot.press("backspace", "backspace", "4", "less_than_sign", "y")
        assert app.chosen == [Declare(Pattern(Direction.BEFORE, _WANTED, 10))], "object first"


@pytest.mark.parametrize("chosen", [False, True])
async def test_a_prize_that_came_too_late_is_said(*, chosen: bool) -> None:
    taking = board(4, Phase.TAKE, acting=0, takes=1)
    async with on_screen(shell(taking)) as (app, pilot):
        await pilot.press(*["3"] * chosen)
        won = [taking.won[0] + cards("KAB"), *taking.won[1:]]
        app.show(board(4, Phase.READY, won=won))
        await pilot.pause()
        assert ("Time was up: you got azure barrel (bullets)" in app.hints) is not chosen


async def test_everything_by_mouse() -> None:
    async with on_screen(shell(board())) as (app, pilot):
        await pilot.click(offset=app.find("Loot"))
        assert app.chosen.pop() == Shoot(2)
        app.show(declaring())
        for text in ("AFTER", "Dynamite  ", "White"):
            await pilot.pause()
            x, y = app.find(text) if text == "AFTER" else _right_of(app, text)
            await pilot.click(offset=(x, y))
        assert app.chosen.pop() == Declare(Pattern(Direction.AFTER, 5, 12))
        app.show(board(4, Phase.CHALLENGE, acting=0))
        await pilot.pause()
        await pilot.click(offset=app.find("Take a card"))
        await pilot.click(offset=app.find("red barrel"))
        assert app.chosen.pop() == Use(Challenge.ONE_CARD, cards("KRC")[0])
        app.show(board())
        await pilot.pause()
        await pilot.click(offset=app.find("All see"))
        assert app.log_wanted == 1


async def test_a_click_on_one_s_card_or_in_the_middle_says_ready() -> None:
    """And only then: while one races it is no key at all."""
    view = board(4, Phase.READY)
    async with on_screen(shell(view)) as (app, pilot):
        for text in (" yours ", "Space: ready", "Round 2, turn 4"):
            await pilot.click(offset=app.find(text))
            assert app.chosen.pop() == Ready()
            app.show(view)
            await pilot.pause()
        app.show(board())
        await pilot.pause()
        for text in ("S H O O T", "Round 2, turn 4"):
            await pilot.click(offset=app.find(text))
        assert app.chosen == []


def _right_of(app: BoardShell[Any], text: str) -> tuple[int, int]:
    """Beside the Wheel, where the list is."""
    for y, line in enumerate(app.lines()):
        if text in line[50:]:
            return 50 + line[50:].index(text) + 1, y
    raise AssertionError(text)


async def test_a_remark_goes_when_it_is_no_longer_true() -> None:
    """ "You have no card" goes with the next card; that somebody was faster stays until something
    is asked."""
    async with on_screen(
        shell(board(card=Challenge.ONE_CARD, waiting=[True, False, False, False]))
    ) as (app, pilot):
        await pilot.press("3")
        assert "no card yet" in app.hints[-1]
        app.show(board())
        await pilot.pause()
        assert app.hints[-1] == ""
        app.show(declaring(1))
        await pilot.press("3")
        app.show(declaring(1, due_ms=5))
        await pilot.pause()
        assert "faster" in app.hints[-1]
        app.show(board(phase=Phase.LAY, acting=0))
        await pilot.pause()
        assert "lays your card" in app.hints[-1], "what the keys do now is said instead"


async def test_a_challenge_card_with_a_long_title_is_told_by_its_beginning() -> None:
    held = [bytes((Challenge.PIANO_PLAYER,)), b"", b"", b""]
    async with on_screen(shell(board(phase=Phase.CHALLENGE, acting=0, challenges=held))) as (
        app,
        _pilot,
    ):
        assert app.find("1 [PP] Do not shoot the")
