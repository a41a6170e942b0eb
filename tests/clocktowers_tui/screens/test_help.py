"""Help says what the focus is on and fits the smallest screen, or scrolls."""

import pytest
from textual.events import Key

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.new_table.drafts import bot_table
from clocktowers_tui.screens.bound_actions import bound_actions, keys_in_help
from clocktowers_tui.screens.help import Guide, Help
from clocktowers_tui.widgets.key_line import Entry
from tests.stage.pilot import SMALL, Playing, playing, press, seen, seen_on_top, sees

SOLO = Solo(bot_table(1, "random", options={"first_seat": 0}))


async def helped(player: Playing, key: str = "question_mark") -> str:
    await press(player, key)
    await sees(player, "Help")
    said = " ".join(seen_on_top(player[0]).replace("│", " ").split())
    await press(player, "z")
    assert not isinstance(player[0].screen, Help)
    return said


async def test_each_stage_of_a_turn_has_its_own(address: Address) -> None:
    async with playing(SOLO, size=SMALL, at=address) as player:
        await sees(player, "Your turn")
        assert "Pick a card: 1-3" in await helped(player)
        await press(player, "1")
        assert "Pick a tower for the card" in await helped(player)
        await press(player, "x")
        await sees(player, "Your turn: draw")
        assert "Draw the top card of a pile: f c r" in await helped(player)


async def test_it_names_the_keys_that_hold(address: Address) -> None:
    keymap = 'help = ["i"]\n"board.floors" = ["Home"]\n"go.first" = []\nback = ["F7", "escape"]'
    async with playing(SOLO, size=SMALL, keymap=keymap, at=address) as player:
        await sees(player, "Your turn")
        await press(player, "question_mark")
        said = await helped(player, "i")
        assert "Home c r Draw" in said and "F7 Back" in said and "i Help" in said
        assert "? Help" not in said


async def test_what_cannot_be_taken_back_has_no_key_for_it(address: Address) -> None:
    """In a race a shot is a shot; in the first game the same key is told of."""
    race = Solo(bot_table(0, "random", "practice", game="wild_wild_pattern"))
    for wish, begun, told in ((SOLO, "Your turn", True), (race, "Ready for your card?", False)):
        async with playing(wish, at=address) as player:
            await sees(player, begun)
            assert ("u Take back" in await helped(player)) is told


async def test_it_begins_with_the_goal_and_explains_what_is_rare(address: Address) -> None:
    race = Solo(bot_table(0, "random", "practice", game="wild_wild_pattern"))
    async with playing(race, size=(120, 60), at=address) as player:
        await sees(player, "Ready for your card?")
        said = await helped(player)
        assert said.index("The goal A pattern: after (or before)") < said.index("Now Space: ready")
        assert "[HU] Hands up!: an opponent's card with a coin leaves the game." in said


async def test_menus_values_and_lines() -> None:
    async with playing() as player:
        await sees(player, "Join a table")
        said = await helped(player)
        assert "Enter plays this game" in said and "p Play" in said
        await press(player, "m")
        await sees(player, "Players")
        await press(player, "down")
        assert "Players: 2, 3, 4. Left and Right change it." in await helped(player)
        await press(player, "escape", "c")
        await sees(player, "Table (if known)")
        said = await helped(player, "f1")
        assert "every letter is text" in said and "Esc Back" in said and "q " not in said


@pytest.mark.parametrize("key", ["escape", "x", "down", "question_mark", "enter"])
async def test_any_key_closes_it_when_all_is_seen(key: str) -> None:
    async with playing() as player:
        await sees(player, "Join a table")
        await press(player, "question_mark")
        await sees(player, "Any key Close")
        await press(player, key)
        assert not isinstance(player[0].screen, Help)
        assert "Join a table" in seen(player[0])


async def test_what_does_not_fit_is_scrolled() -> None:
    async with playing(size=SMALL) as player:
        await sees(player, "Join a table")
        rows = [Entry(f"k{n}", f"a deed with a long enough name, {n}") for n in range(40)]
        await player[0].push_screen(Help(lambda: Guide((), rows)))
        await sees(player, "k1 ", "Any other key Close")
        await press(player, "end")
        await sees(player, "k39")
        assert isinstance(player[0].screen, Help)
        await press(player, "k", "pageup", "escape")
        assert not isinstance(player[0].screen, Help)


async def test_keys_of_one_s_own_stand_where_the_others_stood() -> None:
    async with playing(size=SMALL) as player:
        await sees(player, "Enter Play: 1 bot, easy  ? Help")
    async with playing(size=SMALL, keymap='help = ["F4"]') as player:
        await sees(player, "Enter Play: 1 bot, easy  F4 Help")


async def test_the_keys_of_one_thing_stand_together() -> None:
    async with playing() as player:
        await sees(player, "Join a table")
        rows = {one.words: one.keys for one in keys_in_help(bound_actions(player[0].screen))}
        assert rows["Move"] == "arrows" and rows["Help"] == "? F1"
        assert rows["Play"] == "Enter Space p"


async def test_keys_that_come_together_close_the_help_and_nothing_else() -> None:
    async with playing() as player:
        app, pilot = player
        await sees(player, "Quit")
        below = app.screen
        await press(player, "question_mark")
        assert isinstance(app.screen, Help)
        for key in "1xx2":
            app.screen.post_message(Key(key, key))
        await pilot.pause()
        assert app.screen is below
        await sees(player, "Quit")
