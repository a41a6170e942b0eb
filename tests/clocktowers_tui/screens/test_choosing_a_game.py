"""Which game: chosen in the form, remembered, named in the menu, the lobby and at the table."""

import pytest

from clocktowers_tui.config.look import GlyphSet, Look
from clocktowers_tui.config.settings import load, settings_file
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Host, Solo, Visit
from clocktowers_tui.new_table.drafts import bot_table
from clocktowers_tui.new_table.offers import games_at, last_game
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.screens.table import TableScreen
from clocktowers_tui.state.connection import Connection, Kind
from protocol.from_client import CreateTable
from tests.clocktowers_tui.screens.test_lobby import online
from tests.stage.board_shell import type_fast
from tests.stage.pilot import SMALL, WIDE, Playing, playing, press, seen, sees, until

OTHER = "architetti_attenti"


async def to_row(player: Playing, id: str) -> None:
    """Up to that row of the form."""
    for _row in player[0].screen.focus_chain:
        if player[0].focused is not None and player[0].focused.id == id:
            return
        await press(player, "up")
    raise AssertionError(f"no row {id}")


async def choose_other(player: Playing) -> None:
    await to_row(player, "game")
    await press(player, "right")
    await sees(player, "< Architetti Attenti >")


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_the_rows_are_the_game_s_and_each_game_s_stay(
    address: Address, size: tuple[int, int]
) -> None:
    async with playing(Visit(address), size=size) as player:
        app, _pilot = player
        await sees(player, "New table")
        await press(player, "n")
        await to_row(player, "more")
        await press(player, "right")
        await to_row(player, "title")
        await sees(player, "< Clocktowers >", "First tower of a colour")
        await press(player, *"fen", "down", "left")
        await sees(player, "< 3 >")
        await choose_other(player)
        await sees(player, "fen", "< 4 >")
        assert "First tower" not in seen(app)
        assert app.focused is not None and app.focused.id == "game"
        await press(player, "down", "down", "right")
        await sees(player, "< 1, alone >")
        assert "Seat 2" not in seen(app) and "Clock " not in seen(app)
        await to_row(player, "game")
        await press(player, "left")
        await sees(player, "< Clocktowers >", "fen", "< 3 >", "First tower of a colour")
        await press(player, "right")
        await sees(player, "< 1, alone >")
        await press(player, "enter")
        await sees(player, "Start the match", "Architetti Attenti")
        assert app.state.table is not None
        info = app.state.table.info
        assert (info.game, len(info.seats), info.title) == (OTHER, 1, "fen")
        kept = load(settings_file())
        assert (kept.game, kept.drafts[OTHER].table.seats) == (OTHER, 1)
        assert "clocktowers" not in kept.drafts, "what was given up is not kept"


async def test_the_menu_names_the_game_that_its_keys_are_for() -> None:
    """Also when the cursor is in the list, where no card is lit."""
    async with playing(size=SMALL) as player:
        await sees(player, "Clocktowers:", "Learn it in 5 minutes")
        await press(player, "down", "down", "down")
        await sees(player, "Wild Wild Pattern:", "Learn it in 5 minutes")


async def test_alone_from_the_form_and_then_from_the_menu() -> None:
    async with playing(size=SMALL) as player:
        app, pilot = player
        await sees(player, "Enter Play: 1 bot, easy", "Set up a match")
        await press(player, "m")
        await choose_other(player)
        await press(player, "down", "left")
        await sees(player, "< 1, alone >")
        await press(player, "enter")
        for _again in range(2):
            await until(pilot, lambda: isinstance(app.screen, MatchScreen))
            assert app.state.match is not None
            assert (app.state.match.game, len(app.state.match.names)) == (OTHER, 1)
            await press(player, "q")
            await sees(player, "Stay")
            await press(player, "down", "enter")
            await sees(player, "Continue: turn 1")
            await press(player, "u")


async def test_alone_the_game_is_what_one_chooses_first() -> None:
    async with playing(size=SMALL) as player:
        await press(player, "m")
        await sees(player, "< Clocktowers >")
        await press(player, "right")
        await sees(player, "< Architetti Attenti >")


async def test_a_host_s_first_table_is_of_the_game_that_was_asked_for() -> None:
    """Not of the last one; the next one is."""
    async with playing(Host(OTHER, ("--port", "0"))) as player:
        app, pilot = player
        await sees(player, "< Architetti Attenti >", "Create the table")
        await to_row(player, "game")
        await press(player, "left")
        await sees(player, "< Clocktowers >")
        await press(player, "enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await press(player, "q")
        await sees(player, "New table")
        await press(player, "n")
        await sees(player, "< Clocktowers >")


async def test_the_menu_hosts_the_game_under_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the one that was hosted last."""
    monkeypatch.setenv("CLOCKTOWERS_PORT", "0")
    async with playing() as player:
        await sees(player, "Host a table")
        await press(player, "right", "o")
        await sees(player, "< Architetti Attenti >", "Create the table")


async def test_keys_that_come_together_mean_the_card_that_they_lead_to() -> None:
    async with playing() as player:
        await sees(player, "Set up a match")
        await type_fast(player[1], ["right", "m"])
        await sees(player, "< Architetti Attenti >")


async def test_a_form_s_rules_are_those_of_its_game() -> None:
    async with playing() as player:
        await press(player, "m")
        await choose_other(player)
        await press(player, "B")
        await sees(player, "Rules", "Architetti Attenti", "Search")
        await press(player, "q")
        await sees(player, "< Architetti Attenti >")


async def test_the_language_changes_within_a_game(address: Address) -> None:
    async with playing(Visit(address)) as player:
        app, _pilot = player
        await sees(player, "New table")
        await press(player, "n")
        await choose_other(player)
        app.speak("it")
        await sees(player, "< Architetti Attenti >", "Gioco")
        app.speak("en")
        await sees(player, "< Architetti Attenti >", "Game")


@pytest.mark.parametrize("size", [SMALL, WIDE, (120, 40)])
async def test_the_lobby_says_which_game_and_finds_it(
    address: Address, size: tuple[int, int]
) -> None:
    async with (
        online(address, "Björn") as host,
        online(address, "Chiara") as other,
        playing(Visit(address), "Eve", size) as player,
    ):
        await host.request(CreateTable(id=0, game="clocktowers", seats=2, title="Fenland"))
        await other.request(CreateTable(id=0, game=OTHER, seats=2, title="Hills"))
        await sees(player, "2 tables", "Game")
        assert "Clockt" in seen(player[0]) and "Archit" in seen(player[0])
        await press(player, "slash", *"architetti at")
        await sees(player, "1 table", "Hill")
        await press(player, "enter")
        await sees(player, "Architetti Attenti", "Rules: ")
        await press(player, "w")
        await sees(player, "Architetti Attenti", "You are watching")


async def test_a_match_says_which_game_it_is() -> None:
    async with playing(Solo(bot_table(1, "random", game=OTHER))) as player:
        await sees(player, "Architetti Attenti")
        assert "Clocktowers" not in seen(player[0])


async def test_the_settings_show_the_picture_of_the_game_that_is_played() -> None:
    """Not of the last one that was filled in."""
    for game, sign in (("clocktowers", "▟R ▲▙"), (OTHER, "♣ ♣")):
        wish = Solo(bot_table(1, "random", options={"first_seat": 0}, game=game))
        async with playing(wish, look=Look(glyphs=GlyphSet.UNICODE)) as player:
            await sees(player, "Your turn")
            await press(player, "S")
            await sees(player, "A bell at your turn", sign)


def test_only_games_that_are_played_there_are_offered() -> None:
    known = list(FACES)
    there = Connection(kind=Kind.VISIT, address="a", name="Ann", games=(OTHER, "chess"))
    assert games_at(there, known) == [OTHER]
    assert games_at(None, known) == known
    assert last_game(load(settings_file()), known) == "clocktowers"
