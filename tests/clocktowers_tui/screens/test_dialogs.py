"""Questions are answered by Enter alone."""

import pytest

from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.widgets.menu import Row
from tests.stage.pilot import Playing, playing, press, seen, sees

ROWS = [Row("stay", "Stay put"), Row("leave", "Go away")]


async def ask(player: Playing, *, unasked: bool = False) -> list[str | None]:
    answers: list[str | None] = []
    await sees(player, "Join a table")
    question = Question("Well?", [], ROWS, safe=ROWS[1] if unasked else None, unasked=unasked)
    await player[0].push_screen(question, answers.append)
    safe = "Go away" if unasked else "Stay put"
    await sees(player, "Well?", "Enter Choose", f"Esc {safe}")
    return answers


@pytest.mark.parametrize("key", ["left", "right", "up", "down", *"hjkl"])
async def test_arrows_only_move(key: str) -> None:
    async with playing() as player:
        answers = await ask(player)
        await press(player, key)
        assert answers == [] and "Well?" in seen(player[0])
        await press(player, "enter")
        assert answers == ["leave"]


async def test_esc_is_the_safe_answer() -> None:
    async with playing() as player:
        answers = await ask(player)
        await press(player, "down", "escape")
        assert answers == ["stay"]


async def test_an_enter_in_flight_gives_the_safe_answer() -> None:
    async with playing() as player:
        answers = await ask(player, unasked=True)
        await press(player, "enter")
        assert answers == ["leave"]


@pytest.mark.parametrize("goal", [["Most points win."], []])
async def test_only_a_question_about_a_game_leads_to_its_rules(goal: list[str]) -> None:
    async with playing() as player:
        await sees(player, "Join a table")
        await player[0].push_screen(Question("Well?", [], ROWS, goal=goal))
        await sees(player, "Well?")
        await press(player, "B")
        assert ("Well?" in seen(player[0])) != bool(goal)


async def test_too_small_says_what_there_is_now() -> None:
    async with playing(size=(59, 20)) as player:
        await sees(player, "60x20", "59x20.")
        await player[1].resize_terminal(50, 18)
        await sees(player, "50x18.")
