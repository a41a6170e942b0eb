"""A new table's form, from the title down."""

import pytest
from msgspec.structs import replace
from textual.widgets import Input, Static

from clocktowers_tui.config.settings import load, settings_file
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Visit
from clocktowers_tui.new_table.drafts import bot_table
from clocktowers_tui.screens.inviting import show_invitation
from clocktowers_tui.widgets.menu import Submit
from protocol.from_client import BotSeat, CreateTable
from protocol.qr import rows_of
from protocol.ways import Ways
from tests.stage.pilot import SMALL, Playing, playing, press, seen, sees, until


async def test_help_opens_at_once_and_a_title_changes_no_seat(address: Address) -> None:
    """The form begins on no text field, which would take the key."""
    async with playing(Visit(address)) as player:
        app, _pilot = player
        await sees(player, "New table")
        await press(player, "n")
        await sees(player, "Create the table", "if you want one", "< 4 >")
        await press(player, "question_mark")
        await sees(player, "Help")
        await press(player, "escape")
        await sees(player, "Create the table")
        await press(player, "down", *"hull", "down", "left")
        await sees(player, "hull", "< 3 >")
        assert app.screen.query_one("#title", Input).value == "hull"
        await press(player, "enter")
        await sees(player, "Start the match", "hull")
        assert app.state.table is not None and len(app.state.table.info.seats) == 3


async def test_the_host_sees_in_the_lobby_what_friends_type(address: Address) -> None:
    async with playing(Visit(address), size=(80, 30)) as player:
        app, _pilot = player
        await sees(player, "New table")
        assert app.state.connection is not None
        there = replace(app.state.connection, friends=("192.168.1.5:7777",))
        app.change(replace(app.state, connection=there))
        await sees(player, "Friends type:  clocktowers join 192.168.1.5:7777")


@pytest.mark.parametrize("bots", [[], [BotSeat(1, "easy")]])
async def test_at_a_full_table_no_friend_is_asked_for(
    address: Address, bots: list[BotSeat]
) -> None:
    """Nor at one for its maker alone."""
    async with playing(Visit(address)) as player:
        app, _pilot = player
        await sees(player, "New table")
        assert app.state.connection is not None
        there = replace(app.state.connection, friends=("192.168.1.5:7777",))
        app.change(replace(app.state, connection=there))
        await app.journey.request(CreateTable(id=0, game="clocktowers", seats=2, bots=bots))
        await sees(player, "Start the match")
        assert ("Friends type" in seen(app)) == (not bots)


async def test_leaving_ones_table_asks_when_others_sit_there(address: Address) -> None:
    async with playing(Visit(address)) as host:
        await sees(host, "New table")
        table = bot_table(1, "easy")
        table.bots.clear()
        await host[0].journey.request(table)
        await sees(host, "Start the match")
        assert host[0].state.table is not None
        code = host[0].state.table.info.table
        async with playing(Visit(address, table=code), "Bob") as friend:
            await sees(friend, "I am ready")
            await sees(host, "Bob")
            await press(host, "q")
            await sees(host, "Leave your table?")
            await press(host, "escape")
            await sees(host, "Start the match")
            await press(host, "q", "down", "enter")
            await sees(host, "New table")
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
    async with playing(Visit(address)) as player:
        await sees(player, "New table")
        await press(player, "n")
        await sees(player, "More choices", "< hidden >")
        assert "Watchers" not in seen(player[0]) and "Who begins" not in seen(player[0])
        await unfold(player)
        await sees(player, "Who begins", "Watchers", "Clock")
        await press(player, "left")
        await sees(player, "< hidden >")
        assert "Who begins" not in seen(player[0])
        await unfold(player)
        await tab_to(player, "watchable")
        await press(player, "right", "enter")
        await sees(player, "Start the match")
        await press(player, "q")
        await sees(player, "New table")
        await press(player, "n")
        await sees(player, "< shown >", "< not allowed >")


async def test_an_arrow_that_turns_a_value_creates_nothing(address: Address) -> None:
    async with playing(Visit(address), size=SMALL) as player:
        await sees(player, "New table")
        await press(player, "n")
        await unfold(player)
        await sees(player, "Clock", "if you want one")
        await press(player, "end")
        assert isinstance(player[0].focused, Submit)
        await press(player, "right", "left", "l", "h")
        await press(player, "up", "up", "left")
        await sees(player, "< 20 min and 30 s a turn >")
        await press(player, "end", "home")
        assert player[0].focused is player[0].screen.focus_chain[0]
        assert player[0].state.table is None
        await tab_to(player, "title")
        await press(player, "tab", "G", "space")
        await sees(player, "Start the match", "Clock: 20 min and 30 s a turn")


async def test_every_row_is_reached_and_seen(address: Address) -> None:
    """On the smallest screen, where the form is longer than its place."""
    async with playing(Visit(address), size=SMALL) as player:
        app, _pilot = player
        await sees(player, "New table")
        await press(player, "n")
        await sees(player, "Title")
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
    async with playing(Visit(address)) as player:
        await sees(player, "New table")
        await press(player, "n")
        await unfold(player)
        await tab_to(player, "hidden")
        await sees(player, "Does everybody see the table")
        await press(player, "l", "tab", *"bell")
        await sees(player, "type it to come")
        assert "bell" not in seen(player[0])
        await press(player, "tab", "l", "enter")
        await sees(player, "Start the match")
        table = player[0].state.table
        assert table is not None
        info = table.info
        assert (info.hidden, info.locked, info.watchable) == (True, True, False)
        await press(player, "I")
        await sees(player, "Invite a friend", "clocktowers join", "ct:")
        await press(player, "escape")
        assert list(player[0].journey.invitations) == [info.table]
        async with playing(Visit(address, table=info.table), "Bob") as friend:
            await sees(friend, "missing or wrong", "0 tables")
            await press(friend, "c")
            await sees(friend, "The table's code")
            await press(friend, *info.table, "enter")
            await sees(friend, "This table asks for a password.")
            await press(friend, *"bel", "enter")
            await until(friend[1], lambda: "missing" in getattr(friend[0].screen, "_said", ""))
            await press(friend, *"bell", "enter")
            await sees(friend, "I am ready")


async def test_a_preset_sets_all_and_one_change_makes_it_ones_own(address: Address) -> None:
    async with playing(Visit(address), size=SMALL) as player:
        await sees(player, "New table")
        await press(player, "n")
        await sees(player, "These are the standard rules.")
        await unfold(player)
        await press(player, "k", "l")
        await sees(player, "< Italian sheet >", "< 2 floors >", "First tower of a colour: 2")
        await press(player, *"jjjj", "l")
        await sees(player, "< your own >", "< each player's own >", "House rules:")
        await press(player, "h")
        await sees(player, "< Italian sheet >")
        await press(player, *"kkkk", "l")
        await sees(player, "< Russian sheet >", "< 1 or 2 floors >", "< draw, then play >")
        await press(player, "enter")
        await sees(player, "Start the match", "A turn: draw, then play")


async def test_who_begins_is_somebody_who_sits_there(address: Address) -> None:
    async with playing(Visit(address)) as player:
        await sees(player, "New table")
        await press(player, "n")
        await unfold(player)
        await sees(player, "Who begins")
        await tab_to(player, "option-first_seat")
        await press(player, "left")
        await sees(player, "< seat 4 >")
        await tab_to(player, "seats")
        await press(player, "left")
        await sees(player, "< 3 >", "< at random >")
        await tab_to(player, "option-first_seat")
        await press(player, "left")
        await sees(player, "< seat 3 >")


async def test_it_opens_as_it_was_left(address: Address) -> None:
    async with playing(Visit(address)) as player:
        app, _pilot = player
        await sees(player, "New table")
        await press(player, "n")
        await sees(player, "Create the table")
        await press(player, "tab", *"fen", "tab", "left", "tab")
        while "< bot, easy >" not in seen(app):
            await press(player, "right")
        await press(player, "tab", "tab", "right", "enter")
        await sees(player, "Start the match", "fen", "Wren (bot, easy)", "(free)")
        assert app.settings.drafts == load(settings_file()).drafts
        assert app.settings.drafts["clocktowers"].table.preset == "italian"
        await press(player, "q")
        await sees(player, "New table")
        await press(player, "n")
        await sees(player, "fen", "< 3 >", "< bot, easy >", "< Italian sheet >")


async def test_alone_against_bots_nothing_is_chosen_that_only_matters_among_people() -> None:
    async with playing() as player:
        app, _pilot = player
        await sees(player, "Join a table")
        await press(player, "right", "right", "m")
        await sees(player, "< Saloon! The richest above $3 wins >", "More choices", "< hidden >")
        await unfold(player)
        await sees(player, "Five different colours")
        assert not app.screen.query_one("#option-lag").display
        for field in (field for field in FACES["wild_wild_pattern"].option_fields() if field.hurry):
            told = field.label in str(app.screen.query_one("#differs", Static).content)
            assert not told or app.screen.query_one(f"#option-{field.name}").display
        assert told, "the first match lets you take or lay a card without a limit"


async def test_the_help_calls_enter_what_the_last_line_calls_it() -> None:
    async with playing() as player:
        await sees(player, "Join a table")
        await press(player, "right", "right", "m")
        await sees(player, "Enter Start")
        await press(player, "question_mark")
        await sees(player, "Help", "Start")
        assert "Create" not in seen(player[0])


async def test_alone_each_bot_has_a_level_of_its_own() -> None:
    async with playing() as player:
        await sees(player, "1 bot, easy")
        await press(player, "m")
        await sees(player, "Seat 1", "you", "Seat 2", "< bot, easy >")
        await press(player, "down", "right", "tab", "right", "tab", "right", "right", "enter")
        await sees(player, "Ann (you)", "Wren")
        solo = player[0].settings.drafts["clocktowers"].solo
        assert (solo.seats, solo.levels) == (3, ("normal", "hard"))
        await press(player, "q", "up", "enter")
        await sees(player, "Enter Play: 2 bots, normal, hard")


async def test_a_level_says_what_it_is_and_the_strongest_leads_not_to_the_weakest() -> None:
    async with playing() as player:
        await sees(player, "Join a table")
        await press(player, "m")
        await sees(player, "< bot, easy >")
        await press(player, "down", "down")
        await sees(player, "For your first matches.")
        await press(player, "right")
        await sees(player, "< bot, normal >", "It wins at least four of five matches against easy.")
        await press(player, "right", "right", "right", "right")
        await sees(player, "< bot, expert", "It wins almost four of five matches against hard.")
        assert "bot, expert >" not in seen(player[0])
        await press(player, "space")  # one key leads to all
        await sees(player, "bot, random >", "It does anything that is allowed.")
        assert "< bot, random" not in seen(player[0])
        await press(player, "left", "up", "left")
        await sees(player, "bot, random >", "< 4 >")  # other rows go round


async def test_an_invitation_is_a_web_address_too_where_the_server_has_a_page(
    address: Address,
) -> None:
    page = "https://192.0.2.7:7777/#000G40R40M30E209185G-K7QM"
    async with playing(Visit(address), size=(100, 50)) as player:
        await sees(player, "New table")
        player[0].run_worker(show_invitation(player[0], Ways("ct:25J6", page)))
        await sees(player, "clocktowers join ct:25J6", "Or opens this in a browser:", page)
        await sees(player, rows_of(page)[-5])
        await press(player, "down", "down", "enter")
        await until(player[1], lambda: player[0].clipboard == page)
