"""A new table's form, from the title down; the game is chosen there, and shown elsewhere."""

import pytest
from msgspec.structs import replace
from textual.widgets import Input, Static

from clocktowers_tui.config.look import GlyphSet, Look
from clocktowers_tui.config.settings import Settings, last_game, load, settings_file
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Host, Solo, Visit
from clocktowers_tui.new_table import games_at, hosted
from clocktowers_tui.screens.dialogs import show_invitation
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.screens.table import TableScreen
from clocktowers_tui.state.table import Connection, Kind
from clocktowers_tui.widgets.field import Submit
from protocol.from_client import BotSeat, CreateTable
from protocol.from_server import Welcome
from protocol.invitation import Ways, rows_of
from tests.clocktowers_tui.net.test_journey import lose_line
from tests.clocktowers_tui.screens.test_joining import online
from tests.stage.board_shell import type_fast
from tests.stage.pilot import SMALL, Playing, playing, press, seen, sees, until
from tests.stage.small_match import bot_table


async def test_help_opens_at_once_and_a_title_changes_no_seat(address: Address) -> None:
    """The form begins on no text field, which would take the key."""
    async with playing(Visit(address), shows="New table") as player:
        app, _pilot = player
        await press(player, "n", shows=("Create the table", "if you want one", "< 4 >"))
        await press(player, "question_mark", shows="Help")
        await press(player, "escape", shows="Create the table")
        await press(player, "down", *"hull", "down", "left", shows=("hull", "< 3 >"))
        assert app.screen.query_one("#title", Input).value == "hull"
        await press(player, "enter", shows=("Start the match", "hull"))
        assert app.state.table is not None and len(app.state.table.info.seats) == 3


@pytest.mark.parametrize("bots", [[], [BotSeat(1, "easy")]])
async def test_at_a_full_table_no_friend_is_asked_for(
    address: Address, bots: list[BotSeat]
) -> None:
    """As in the lobby, and at a table with a free seat."""
    async with playing(Visit(address), size=(80, 30), shows="New table") as player:
        app, _pilot = player
        assert app.state.connection is not None
        there = replace(app.state.connection, friends=("192.168.1.5:7777",), shut=False)
        app.change(replace(app.state, connection=there))
        await sees(player, "Friends type:  clocktowers join 192.168.1.5 ")
        await app.journey.request(CreateTable(id=0, game="clocktowers", seats=2, bots=bots))
        await sees(player, "Start the match")
        assert ("Friends type" in seen(app)) == (not bots)


async def test_leaving_ones_table_asks_when_others_sit_there(address: Address) -> None:
    async with playing(Visit(address), shows="New table") as host:
        table = bot_table(1, "easy")
        table.bots.clear()
        await host[0].journey.request(table)
        await sees(host, "Start the match")
        assert host[0].state.table is not None
        code = host[0].state.table.info.table
        async with playing(Visit(address, table=code), "Bob", shows="are ready"):
            await sees(host, "Bob")
            await press(host, "q", shows="Leave this table?")
            await press(host, "escape", shows="Start the match")
            await press(host, "q", "down", "down", "enter", shows="New table")
        await sees(host, "0 tables")


async def tab_to(player: Playing, id: str) -> None:
    """With Tab alone, which goes round."""
    for _row in range(len(player[0].screen.focus_chain)):
        if player[0].focused is not None and player[0].focused.id == id:
            return
        await press(player, "tab")
    raise AssertionError(f"Tab never comes to {id}")


async def unfold(player: Playing) -> None:
    """Show what a first table does not need."""
    await tab_to(player, "more")
    await press(player, "right")


async def test_a_first_table_shows_little_and_what_was_changed_stays_in_sight(
    address: Address,
) -> None:
    async with playing(Visit(address), shows="New table") as player:
        await press(player, "n", shows=("More choices", "< hidden >"))
        assert "Watchers" not in seen(player[0]) and "Who begins" not in seen(player[0])
        await unfold(player)
        await sees(player, "Who begins", "Watchers", "Clock")
        await press(player, "left", shows="< hidden >")
        assert "Who begins" not in seen(player[0])
        await unfold(player)
        await tab_to(player, "watchable")
        await press(player, "right", "enter", shows="Start the match")
        await press(player, "q", "down", "down", "enter", shows="New table")
        await press(player, "n", shows=("< shown >", "< not allowed >"))


async def test_an_arrow_that_turns_a_value_creates_nothing(address: Address) -> None:
    async with playing(Visit(address), size=SMALL, shows="New table") as player:
        await press(player, "n")
        await unfold(player)
        await sees(player, "Clock", "if you want one")
        await press(player, "end")
        assert isinstance(player[0].focused, Submit)
        await press(player, "right", "left", "l", "h")
        await press(
            player,
            "up",
            "up",
            "left",
            shows=("< 7 days a turn >", "< they lose against one, else a bot plays >"),
        )
        await press(player, "end", "home")
        assert player[0].focused is player[0].screen.focus_chain[0]
        assert player[0].state.table is None
        await tab_to(player, "title")
        await press(player, "tab", "G", "space")
        await sees(
            player,
            "Start the match",
            "Clock: 7 days a turn",
            "When the time is up: they lose against one",
        )


async def test_every_row_is_reached_and_seen(address: Address) -> None:
    """On the smallest screen, where the form is longer than its place."""
    async with playing(Visit(address), size=SMALL, shows="New table") as player:
        app, _pilot = player
        await press(player, "n", shows="Title")
        await unfold(player)
        await tab_to(player, "title")
        rows = len(app.screen.focus_chain)
        for row in range(rows):
            focused = app.focused
            assert focused is not None, row
            assert app.screen.region.contains_region(focused.region)
            assert focused.region.bottom <= app.screen.query_one("#differs").region.y
            await press(player, "down")
        assert app.focused is app.screen.query_one("#title")
        await tab_to(player, "seats")
        await press(player, "end", "up")
        assert app.focused is app.screen.query_one("#hints")


async def test_a_table_for_those_who_know_its_code_and_password(address: Address) -> None:
    async with playing(Visit(address), shows="New table") as player:
        await press(player, "n")
        await unfold(player)
        await tab_to(player, "hidden")
        await sees(player, "Does everybody see the table")
        await press(player, "l", "tab", *"bell", shows="type it to come")
        assert "bell" not in seen(player[0])
        await press(player, "tab", "l", "enter", shows="Start the match")
        table = player[0].state.table
        assert table is not None
        info = table.info
        assert (info.hidden, info.locked, info.watchable) == (True, True, False)
        assert f"Only this machine reaches {address}" in seen(player[0])
        await press(player, "I", shows="Your friend types this")
        [(code, told)] = player[0].journey.invitations.items()
        await sees(player, f" {told.invitation} ")  # in one piece
        assert code == info.table
        await press(player, "escape")
        async with playing(Visit(address, table=info.table), "Bob") as friend:
            await sees(friend, "missing or wrong", "0 tables")
            await press(friend, "c", shows="The table's code")
            await press(friend, *info.table, "enter", shows="This table asks for a password.")
            await press(friend, *"bel", "enter")
            await until(friend[1], lambda: "missing" in getattr(friend[0].screen, "_note", ""))
            await press(friend, *"bell", "enter", shows="are ready")
        player[0].journey.invitations.clear()
        lose_line(player[0])
        await press(player, "I", shows="The connection is lost: ask again when it is back.")


async def test_a_preset_sets_all_and_one_change_makes_it_ones_own(address: Address) -> None:
    async with playing(Visit(address), size=SMALL, shows="New table") as player:
        await press(player, "n", shows="These are the standard rules.")
        await unfold(player)
        await press(player, "k", "l")
        await sees(player, "< Italian sheet >", "< 2 floors >", "First tower of a colour: 2")
        await press(player, *"jjjj", "l")
        await sees(player, "< your own >", "< each player's own >", "House rules:")
        await press(player, "h", shows="< Italian sheet >")
        await press(player, *"kkkk", "l")
        await sees(player, "< Russian sheet >", "< 1 or 2 floors >", "< draw, then play >")
        await press(player, "enter", shows=("Start the match", "A turn: draw, then play"))
        # Its host changes them there: the rest of the form has been decided.
        await press(player, "e", shows=("Change the table", "< Russian sheet >", "< no clock >"))
        assert not {"Players", "Title", "Who finds it"} & {*seen(player[0]).split("  ")}
        await press(player, "right", "up", "up", "right", "up", "right", "enter")
        await sees(player, "Start the match", "Nobody may watch", "Clock:", "standard rules")


async def test_alone_against_bots_nothing_is_chosen_that_only_matters_among_people() -> None:
    async with playing(shows="Join a table") as player:
        app, _pilot = player
        await press(player, "right", "right", "m")
        await sees(player, "< Without a clock", "More choices", "< hidden >")
        await unfold(player)
        await sees(player, "Five different colours")
        assert not app.screen.query_one("#option-lag").display
        for field in (field for field in FACES["wild_wild_pattern"].option_fields() if field.hurry):
            told = field.label in str(app.screen.query_one("#differs", Static).content)
            assert not told or app.screen.query_one(f"#option-{field.name}").display


async def test_people_go_down_with_players() -> None:
    async with playing(shows="1 bot, learner") as player:
        await press(player, "m", shows="Seat 1")
        await tab_to(player, "people")
        await press(player, "right", "right", shows=("Names", "< 3 >"))
        await tab_to(player, "seats")
        await press(player, "left")
        assert "< 3 >" not in seen(player[0])


async def test_alone_each_bot_has_a_level_of_its_own() -> None:
    async with playing(shows="1 bot, learner") as player:
        await press(
            player, "m", shows=("Seat 1", "you", "Seat 2", "< bot, learner >", "Enter Start")
        )
        await press(player, "question_mark", shows=("Help", "Start"))
        assert "Create" not in seen(player[0])
        await press(player, "escape", "down", "right", "tab", "right", "right")
        await press(player, "tab", "right", "right", "right", "enter")
        await sees(player, "Ann (you)", "Wren")
        solo = player[0].settings.drafts["clocktowers"].solo
        assert (solo.seats, solo.levels) == (3, ("normal", "hard"))
        await press(player, "q", "up", "enter", shows="Enter Play: 2 bots, normal, hard")


async def test_a_level_says_what_it_is_and_the_strongest_leads_not_to_the_weakest() -> None:
    async with playing(shows="Join a table") as player:
        await press(player, "m", "down", "down", shows="For your first match:")
        await press(player, "right", shows="For your first matches.")
        await press(player, "right")
        await sees(player, "< bot, normal >", "It wins at least four of five matches against easy.")
        await press(player, "right", "right", "right", "right")
        await sees(player, "< bot, expert >", "It wins about three of four matches against hard.")
        await press(player, "space")  # one key leads to all
        await sees(player, "< bot, random >", "It does any move, without a plan.")
        await press(player, "left", "up", "left")
        await sees(player, "< bot, random >", "< 4 >")  # other rows go round


async def test_an_invitation_is_a_web_address_too_where_the_server_has_a_page(
    address: Address,
) -> None:
    page = "https://192.0.2.7:7777/#000G40R40M30E209185G-K7QM"
    async with playing(Visit(address), size=(100, 50), shows="New table") as player:
        asked = player[0].run_worker(show_invitation(player[0], Ways("ct:25J6", page), "", []))
        await sees(player, "clocktowers join ct:25J6", "Or opens this in a browser:", page)
        await sees(player, rows_of(page)[-5])
        await press(player, "down", "enter")
        await until(player[1], lambda: asked.result == page)


# Which game: chosen in the form, remembered, named in the menu, the lobby and at the table --------


OTHER = "architetti_attenti"


async def choose_other(player: Playing) -> None:
    await tab_to(player, "game")
    await press(player, "right", shows="< Architetti Attenti >")


async def test_the_rows_are_the_game_s_and_each_game_s_stay(address: Address) -> None:
    async with playing(Visit(address), size=SMALL, shows="New table") as player:
        app, _pilot = player
        await press(player, "n")
        await tab_to(player, "more")
        await press(player, "right")
        await tab_to(player, "title")
        await sees(player, "< Clocktowers >", "First tower of a colour")
        await press(player, *"fen", "down", "left", shows="< 3 >")
        await choose_other(player)
        await sees(player, "fen", "< 4 >")
        assert "First tower" not in seen(app)
        assert app.focused is not None and app.focused.id == "game"
        await press(player, "down", "down", "right", shows="< 1, alone >")
        assert "Seat 2" not in seen(app) and "Clock " not in seen(app)
        await tab_to(player, "game")
        await press(player, "left")
        await sees(player, "< Clocktowers >", "fen", "< 3 >", "First tower of a colour")
        await press(player, "right", shows="< 1, alone >")
        await press(player, "enter", shows=("Start the match", "Architetti Attenti"))
        assert app.state.table is not None
        info = app.state.table.info
        assert (info.game, len(info.seats), info.title) == (OTHER, 1, "fen")
        kept = load(settings_file())
        assert (kept.game, kept.drafts[OTHER].table.seats) == (OTHER, 1)
        assert "clocktowers" not in kept.drafts, "what was given up is not kept"


async def test_the_menu_names_the_game_that_its_keys_are_for() -> None:
    """Also when the cursor is in the list, where no card is lit."""
    async with playing(size=SMALL, shows=("Clocktowers:", "Learn it in 5 minutes")) as player:
        await press(player, "down", "down", "down")
        await sees(player, "Wild Wild Pattern:", "Learn it in 5 minutes")


async def test_alone_from_the_form_and_then_from_the_menu() -> None:
    async with playing(
        size=SMALL, shows=("Enter Play: 1 bot, learner", "Set up a match")
    ) as player:
        app, pilot = player
        await press(player, "m")
        await choose_other(player)
        await press(player, "down", "left", shows="< 1, alone >")
        await press(player, "enter")
        for _again in range(2):
            await until(pilot, lambda: isinstance(app.screen, MatchScreen))
            await sees(player, "Architetti Attenti")
            assert app.state.match is not None and "Clocktowers" not in seen(app)
            assert (app.state.match.game, len(app.state.match.names)) == (OTHER, 1)
            await press(player, "q", shows="Stay")
            await press(player, "down", "enter", shows="Continue: turn 1")
            await press(player, "u")


async def test_a_host_s_first_table_is_of_the_game_that_was_asked_for() -> None:
    """Not of the last one; the next one is."""
    async with playing(Host(hosted(Settings(), FACES, OTHER), ("--port", "0"))) as player:
        app, pilot = player
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await sees(player, "Architetti Attenti", "Start the match")
        await press(player, "q", "down", "down", "enter", shows="Host a table")
        await press(player, "o", shows="Start the match")
        await sees(player, "Clocktowers")


async def test_the_menu_hosts_the_game_under_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the one that was hosted last."""
    monkeypatch.setenv("CLOCKTOWERS_PORT", "0")
    async with playing(shows="Host a table") as player:
        await press(player, "right", "o", shows=("Architetti Attenti", "Start the match"))


async def test_keys_that_come_together_mean_the_card_that_they_lead_to() -> None:
    async with playing(shows="Set up a match") as player:
        await type_fast(player[1], ["right", "m"])
        await sees(player, "< Architetti Attenti >")


async def test_a_form_s_rules_are_those_of_its_game() -> None:
    async with playing() as player:
        await press(player, "m")
        await choose_other(player)
        await press(player, "B", shows=("Rules", "Architetti Attenti", "Search"))
        await press(player, "q", shows="< Architetti Attenti >")


async def test_the_lobby_says_which_game_and_finds_it(address: Address) -> None:
    async with (
        online(address, "Björn") as host,
        online(address, "Chiara") as other,
        playing(Visit(address), "Eve", SMALL) as player,
    ):
        await host.request(CreateTable(id=0, game="clocktowers", seats=2, title="Fenland"))
        await other.request(CreateTable(id=0, game=OTHER, seats=2, title="Hills"))
        await sees(player, "2 tables", "Game")
        assert "Clockt" in seen(player[0]) and "Archit" in seen(player[0])
        await press(player, "slash", *"architetti at", shows=("1 table", "Hill"))
        await press(player, "enter", shows=("Architetti Attenti", "Rules: "))
        await press(player, "w", shows=("Architetti Attenti", "You are watching"))


async def test_the_settings_show_the_picture_of_the_game_that_is_played(address: Address) -> None:
    """Not of the last one that was filled in."""
    wish = Solo(bot_table(1, "random", options={"first_seat": 0}, game=OTHER))
    async with playing(wish, look=Look(glyphs=GlyphSet.UNICODE), at=address) as player:
        await sees(player, "Your turn")
        await press(player, "S", shows=("A bell at your turn", "♣ ♣"))


def test_only_games_that_are_played_there_are_offered() -> None:
    known = list(FACES)
    welcome = Welcome(version=1, name="Ann", games=[OTHER, "chess"])
    there = Connection(kind=Kind.VISIT, address="a", name="Ann", welcome=welcome)
    assert games_at(there, known) == [OTHER]
    assert games_at(None, known) == known
    assert last_game(load(settings_file()), known) == "clocktowers"
