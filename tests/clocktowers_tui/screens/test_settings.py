"""What is chosen is seen at once, kept at once, and there the next time; the language changes while
one looks."""

from pathlib import Path

import pytest
from textual.widgets import Input

from clocktowers_tui.config import settings
from clocktowers_tui.config.look import Colours, GlyphSet, Look, Palette
from clocktowers_tui.config.settings import settings_file
from clocktowers_tui.games.board import Board
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.screens.settings import SettingsScreen
from clocktowers_tui.text.i18n import language, languages
from tests.stage.board_shell import type_fast
from tests.stage.pilot import SMALL, Playing, playing, press, seen, sees, until
from tests.stage.small_match import bot_table

SOLO = Solo(bot_table(1, "random", options={"first_seat": 0}))


async def open_settings(player: Playing) -> None:
    await sees(player, "Join a table")
    await press(player, "S", shows="A bell at your turn")


async def turn(player: Playing, id: str, key: str = "right") -> None:
    """Turn the row with this id once."""
    player[0].screen.query_one(f"#{id}").focus()
    await press(player, key)


def kept() -> settings.Settings:
    return settings.load(settings_file())


async def test_every_row_is_kept_at_once_and_the_language_changes_all_below() -> None:
    async with playing() as player:
        await open_settings(player)
        for id, value in (
            ("palette", Palette.LIGHT),
            ("colours", Colours.TRUE),
            ("glyphs", GlyphSet.UNICODE),
            ("language", "en"),
            ("title", False),
            ("bell", False),
            ("motion", False),
        ):
            await turn(player, id)
            assert getattr(player[0].settings, id) == getattr(kept(), id) == value
        for _time in range(list(languages()).index("it")):
            await turn(player, "language")
        await sees(player, "< Italiano >")
        assert player[0].focused is not None and player[0].focused.id == "language"
        await press(player, "escape", shows="Unisciti a un tavolo")


async def test_the_look_changes_at_once_everywhere(address: Address) -> None:
    async with playing(SOLO, look=Look(glyphs=GlyphSet.UNICODE), at=address) as player:
        app, _pilot = player
        await sees(player, "Your turn", "╭")
        await press(player, "S", shows="▟R ▲▙")
        for _time in range(3):
            await turn(player, "glyphs")
        assert app.look.glyphs is GlyphSet.ASCII
        await sees(player, "/R ^\\")
        board = app.screen_stack[-2].query_one(Board)
        await press(player, "escape")
        assert isinstance(app.screen, MatchScreen)
        await until(player[1], lambda: "╭" not in seen(app))
        assert board is app.screen.query_one(Board)


async def test_what_is_left_open_is_as_the_terminal_can() -> None:
    able = Look(Palette.DARK, Colours.C16, GlyphSet.ASCII)
    async with playing(look=able) as player:
        app, _pilot = player
        await open_settings(player)
        shown = []
        for key in ("right", "left"):
            await turn(player, "colours", key)
            shown.append((app.settings.colours, app.look.colours))
        assert shown == [(Colours.TRUE, Colours.TRUE), (None, Colours.C16)]


async def test_colours_that_stand_above_no_color_are_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing(look=Look(Palette.DARK, Colours.NONE)) as player:
        await open_settings(player)
        assert "NO_COLOR" not in seen(player[0])
        await turn(player, "colours")
        await sees(player, "NO_COLOR is set")


async def test_t_goes_through_the_palettes_on_any_screen(address: Address) -> None:
    async with playing(SOLO, at=address, shows="Your turn") as player:
        app, _pilot = player
        seen_palettes = []
        for place in ("match", "log", "question", "settings", "palette again"):
            seen_palettes.append(app.look.palette)
            await press(player, "t")
            assert kept().palette is app.look.palette, place
            keys = {"match": "L", "log": "q", "question": "S", "settings": "escape"}.get(place)
            if place == "log":
                await press(player, "escape")
            if keys:
                await press(player, keys)
        rest = len(Palette) - len(seen_palettes)
        for _further in range(rest):
            seen_palettes.append(app.look.palette)
            await press(player, "t")
        assert seen_palettes == list(Palette)
        assert app.look.palette is Palette.DARK
        await press(player, "T")
        assert app.look.palette is list(Palette)[-1], "and back again"


async def test_they_are_a_row_of_the_menu_and_t_is_seen_there() -> None:
    async with playing(shows="Settings") as player:
        await press(player, "down", "end", "enter", shows="The title at your turn")
        await press(player, "t", shows=("< light >", "Theme 2 of 8: light. T: the theme before."))
        await press(player, "end", shows="Saved in")
        assert isinstance(player[0].focused, Input)


async def test_of_several_palettes_at_once_the_last_is_told_and_that_none_can_be_shown() -> None:
    async with playing(look=Look(colours=Colours.NONE), shows="Join a table") as player:
        await type_fast(player[1], "ttt")
        await sees(player, "Theme 4 of 8: Nord. This terminal shows too few colours")
        assert seen(player[0]).count("Theme ") == 1


async def test_a_name_is_kept_if_it_can_be_seen() -> None:
    async with playing() as player:
        await open_settings(player)
        line = player[0].screen.query_one("#name", Input)
        line.focus()
        await press(player, *["backspace"] * 3)
        assert kept().name in ("", "A")
        await press(player, *"Bo")
        assert kept().name == "Bo"
        await press(player, "escape", shows="Your name: Bo")


async def test_where_nothing_can_be_written_that_is_said_and_it_is_written_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with playing() as player:
        await open_settings(player)
        await turn(player, "title")
        with monkeypatch.context() as full:
            full.setattr("clocktowers_tui.deeds.client.save", lambda *_args: False)
            await turn(player, "bell")
            await sees(player, "could not be saved")
        assert player[0].settings.bell is False and kept().bell
        await turn(player, "title")
    assert (kept().title, kept().bell) == (True, False)


async def test_wrong_keys_are_told_of_and_there_is_one_settings_screen(home: Path) -> None:
    async with playing(keymap="help = []", size=SMALL) as player:
        await open_settings(player)
        await sees(player, "leave at least one key")
        await press(player, "pagedown", "pagedown", shows="Keys of your own")
        await press(player, "S", "S")
        stack = player[0].screen_stack
        assert sum(isinstance(screen, SettingsScreen) for screen in stack) == 1
        await press(player, "q", shows="Join a table")


# The language changes while one looks, and nothing that was there is lost -------------------------


async def speak(player: Playing, code: str, says: str) -> None:
    player[0].speak(code)
    await sees(player, says)


async def test_in_another_language_the_menu_keeps_its_row() -> None:
    async with playing(shows="Join a table") as player:
        await press(player, "down", "right")
        await speak(player, "it", "Unisciti a un tavolo")
        assert "Join" not in seen(player[0]) and language() == "it"
        await sees(player, "Ospita")
        await press(player, "enter", shows="Tavolo (se lo sai)")
        await press(player, "escape")
        await speak(player, "en", "Join a table")
        assert "tavolo" not in seen(player[0])


async def test_in_another_language_a_match_goes_on_with_its_log_and_what_was_chosen(
    address: Address,
) -> None:
    async with playing(SOLO, at=address, shows="Your turn: play or discard a card") as player:
        app, _pilot = player
        board = app.focused
        await press(player, "1", shows="starts a new tower")
        await speak(player, "it", "Tocca a te")
        await sees(player, "PIANO", "Prossimo tetto", "Le carte sono", "Scarta")
        assert app.focused is board
        await press(player, "enter", shows=("Tocca a te: pesca", "Hai cominciato la"))
        await press(player, "f")
        await until(player[1], lambda: "Your turn" not in seen(app))
        await press(player, "q", shows=("Lasciare questa partita?", "Resta"))
