"""The rules are read, searched and left, in any language and any look."""

from pathlib import Path

import pytest
from textual.widgets import Input

from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.new_table.drafts import bot_table
from clocktowers_tui.screens.rules import Contents, RulesScreen
from clocktowers_tui.screens.screen import PlaceScreen
from clocktowers_tui.widgets.reading import Reading
from tests.stage.pilot import (
    SMALL,
    WIDE,
    Playing,
    playing,
    press,
    reversed_text,
    seen,
    sees,
    until,
)

SIZES = pytest.mark.parametrize("size", [WIDE, SMALL])


async def open_rules(player: Playing) -> Reading:
    await until(player[1], lambda: isinstance(player[0].screen, PlaceScreen))
    await until(player[1], lambda: bool(player[0].focused))
    await press(player, "B")
    await until(player[1], lambda: isinstance(player[0].screen, RulesScreen))
    await sees(player, "Clocktowers: the rules", "0%")
    return player[0].screen.query_one(Reading)


@SIZES
async def test_they_are_read_from_the_menu_to_the_last_line(size: tuple[int, int]) -> None:
    async with playing(size=size) as player:
        await open_rules(player)
        await sees(player, "Search", "Contents", "In short")
        read = set(seen(player[0]).splitlines())
        while "100%" not in seen(player[0]):
            before = seen(player[0])
            await press(player, "pagedown")
            assert seen(player[0]) != before
            read |= set(seen(player[0]).splitlines())
        words = " ".join(" ".join(read).split())
        assert "[ours]" not in words
        for heading in ("The cards", "Setting up", "A roof", "Points", "Options"):
            assert heading in words
        await press(player, "escape")
        await sees(player, "Join a table")


async def test_in_a_match_they_lie_above_it() -> None:
    async with playing(Solo(bot_table(1, "random", options={"first_seat": 0}))) as player:
        await sees(player, "Your turn")
        await open_rules(player)
        await press(player, "q")
        await sees(player, "Your turn")
        assert player[0].state.match is not None


async def test_searching_goes_from_match_to_match_and_esc_takes_it_back_first() -> None:
    async with playing() as player:
        app, _pilot = player
        reading = await open_rules(player)
        await press(player, "slash", *"TOWERS")
        await sees(player, "1 of ", "Search for")
        assert "towers" in reversed_text(app).lower()
        total = len(reading.found)
        assert total > 2
        await press(player, "enter")
        await press(player, "n")
        await sees(player, f"2 of {total}")
        await press(player, "N", "N")
        await sees(player, f"{total} of {total}")
        assert "towers" in seen(app)
        await press(player, "escape")
        assert reversed_text(app).strip() == "" and "%" in seen(app)
        assert isinstance(app.screen, RulesScreen)
        await press(player, "escape")
        await sees(player, "Join a table")


async def test_what_stands_nowhere_is_counted_as_nothing() -> None:
    async with playing() as player:
        await open_rules(player)
        await press(player, "slash", *"zzz")
        await sees(player, "0 of 0")
        await press(player, "enter", "n")
        await sees(player, "0 of 0")


@SIZES
async def test_contents_lead_to_a_heading(size: tuple[int, int]) -> None:
    async with playing(size=size) as player:
        app, _pilot = player
        reading = await open_rules(player)
        await press(player, "c")
        await until(player[1], lambda: isinstance(app.screen, Contents))
        await sees(player, "Contents", "In short", "A turn")
        await press(player, "down", "down", "down", "enter")
        await until(player[1], lambda: isinstance(app.screen, RulesScreen))
        assert seen(app).splitlines()[1].strip() == "Setting up"
        at = reading.top
        await press(player, "c", "escape")
        assert reading.top == at > 0


async def test_another_width_or_language_keeps_the_section() -> None:
    async with playing() as player:
        app, pilot = player
        await open_rules(player)
        await press(player, "c", *["down"] * 4, "enter")
        await sees(player, "A turn")
        await pilot.resize_terminal(60, 20)
        await until(pilot, lambda: seen(app).splitlines()[1].strip() == "A turn")
        app.speak("it")
        await sees(player, "Un turno")
        assert seen(app).splitlines()[1].strip() == "Un turno"
        await press(player, "slash", *"perche")
        assert app.screen.query_one("#wanted", Input).value == "perche"


@pytest.mark.parametrize("code", ["en", "it"])
async def test_in_ascii_and_without_colour_all_can_be_drawn(code: str) -> None:
    look = Look(Palette.NATIVE, Colours.NONE, GlyphSet.ASCII)
    async with playing(look=look, size=SMALL) as player:
        app, _pilot = player
        await open_rules(player)
        app.speak(code)
        await sees(player, {"en": "In short", "it": "In breve"}[code])
        for _page in range(30):
            assert seen(app).isascii()
            await press(player, "pagedown")
        assert "100%" in seen(app)
        await press(player, "slash", *"clock" if code == "en" else "orologi")
        await until(
            player[1], lambda: "orolog" in reversed_text(app) or "clock" in reversed_text(app)
        )


def test_the_text_is_the_one_the_documentation_links_to() -> None:
    root = Path(__file__).resolve().parents[3]
    file = "clocktowers_tui/games/clocktowers/rules/en.md"
    assert f"({file})" in (root / "README.md").read_text()
    assert (root / file).read_text(encoding="utf-8") == FACES["clocktowers"].rules()
