"""What lies over a screen: help, rules, the palette of actions, questions."""

import pytest
from textual.events import Key
from textual.widgets import Input

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.screens.bound_actions import Entry, Keys
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.help import ActionPalette, Help
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.screens.rules import Contents, RulesScreen
from clocktowers_tui.screens.screen import OurScreen
from clocktowers_tui.widgets.menu import Row
from clocktowers_tui.widgets.panel import Reader
from tests.stage.pilot import (
    SMALL,
    Playing,
    playing,
    press,
    reversed_text,
    seen,
    seen_on_top,
    sees,
    until,
)
from tests.stage.small_match import bot_table

SOLO = Solo(bot_table(1, "random", options={"first_seat": 0}))


async def helped(player: Playing, key: str = "question_mark") -> str:
    await press(player, key, shows="Help")
    said = " ".join(seen_on_top(player[0]).replace("│", " ").split())
    await press(player, "z")
    assert not isinstance(player[0].screen, Help)
    return said


async def test_each_stage_of_a_turn_has_its_own(address: Address) -> None:
    async with playing(SOLO, size=SMALL, at=address, shows="Your turn") as player:
        assert "Pick a card: 1-3" in await helped(player)
        await press(player, "1")
        assert "Pick a tower for the card" in await helped(player)
        await press(player, "x", shows="Your turn: draw")
        assert "Draw the top card of a pile: f c r" in await helped(player)


async def test_it_names_the_keys_that_hold(address: Address) -> None:
    keymap = 'help = ["i"]\n"board.floors" = ["Home"]\n"go.first" = []\nback = ["F7", "escape"]'
    async with playing(SOLO, size=SMALL, keymap=keymap, at=address, shows="Your turn") as player:
        await press(player, "question_mark")
        said = await helped(player, "i")
        assert "Home c r Draw" in said and "F7 Back" in said and "i Help" in said
        assert "? Help" not in said


async def test_it_begins_with_the_goal_and_explains_what_is_rare(address: Address) -> None:
    race = Solo(bot_table(0, "random", "practice", game="wild_wild_pattern"))
    async with playing(race, size=(120, 60), at=address, shows="Ready for your card?") as player:
        said = await helped(player)
        assert said.index("The goal A pattern: after (or before)") < said.index("Now Space: ready")
        assert "[HU] Hands up!: an opponent's card with a coin leaves the game." in said


async def test_menus_values_and_lines() -> None:
    async with playing(shows="Join a table") as player:
        said = await helped(player)
        assert (
            "Enter plays this game" in said
            and "Keys arrows Move l Learn p Enter Space Play" in said
        )
        assert "? F1 Help" in said
        await press(player, "m", shows="Players")
        await press(player, "down")
        assert "Players: 2, 3, 4. Left and Right change it." in await helped(player)
        await press(player, "escape", "c", shows="Table (if known)")
        said = await helped(player, "f1")
        assert "every letter is text" in said and "Esc Back" in said and "q " not in said


async def together(player: Playing, *keys: str) -> None:
    """Press them before the screen has done anything."""
    for key in keys:
        player[0].post_message(Key(key, key if len(key) == 1 else None))
    await player[1].pause()


async def test_any_key_closes_it_when_all_is_seen_and_nothing_else() -> None:
    async with playing(size=(100, 40), shows="Join a table") as player:
        below = player[0].screen
        for key in ("escape", "x", "down", "question_mark", "enter"):
            await press(player, "question_mark", shows="Any key Close")
            await press(player, key)
            assert player[0].screen is below, key
        await press(player, "question_mark", shows="Any key Close")
        await together(player, *"1xx2")
        assert player[0].screen is below
        await sees(player, "Join a table")


class _Long(OurScreen[None]):
    def help_keys(self) -> Keys:
        return [Entry(f"k{n}", f"a deed with a long enough name, {n}") for n in range(40)]


async def test_what_does_not_fit_is_scrolled() -> None:
    async with playing(size=SMALL, shows="Join a table") as player:
        await player[0].push_screen(Help(_Long()))
        await sees(player, "k1 ", "Any other key Close")
        await press(player, "end", shows="k39")
        assert isinstance(player[0].screen, Help)
        await press(player, "k", "pageup", "escape")
        assert not isinstance(player[0].screen, Help)


# The rules are read, searched and left, in any language and any look ------------------------------


async def open_rules(player: Playing) -> Reader:
    await until(player[1], lambda: isinstance(player[0].screen, DeedScreen))
    await until(player[1], lambda: bool(player[0].focused))
    await press(player, "B")
    await until(player[1], lambda: isinstance(player[0].screen, RulesScreen))
    await sees(player, "Clocktowers: the rules", "0%")
    return player[0].screen.query_one(Reader)


async def test_they_are_read_from_the_menu_to_the_last_line() -> None:
    async with playing(size=SMALL) as player:
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
        await press(player, "escape", shows="Join a table")


async def test_searching_goes_from_match_to_match_and_esc_takes_it_back_first() -> None:
    async with playing() as player:
        app, _pilot = player
        await open_rules(player)
        await press(player, "slash", *"TOWERS", shows=("1 of ", "Search for"))
        assert "towers" in reversed_text(app).lower()
        assert isinstance(app.screen, RulesScreen)
        total = len(app.screen._page.found)
        assert total > 2
        await press(player, "enter")
        await press(player, "n", shows=f"2 of {total}")
        await press(player, "N", "N", shows=f"{total} of {total}")
        assert "towers" in seen(app)
        await together(player, "n", "N")
        await sees(player, f"{total} of {total}")
        assert "towers" in reversed_text(app)
        await press(player, "slash", *"zzz", shows="0 of 0")
        await press(player, "enter", "n", shows="0 of 0")
        await press(player, "escape")
        assert reversed_text(app).strip() == "" and "%" in seen(app)
        assert isinstance(app.screen, RulesScreen)
        await press(player, "escape", shows="Join a table")


async def test_contents_lead_to_a_heading() -> None:
    async with playing(size=SMALL, shows="Quit") as player:
        app, _pilot = player
        rules = RulesScreen(FACES["clocktowers"])
        await app.push_screen(rules)
        rules.action_contents()
        assert app.screen is rules, "there are none before the text is there"
        await press(player, "q", shows="Quit")
        reading = await open_rules(player)
        await press(player, "c")
        await until(player[1], lambda: isinstance(app.screen, Contents))
        await sees(player, "Contents", "In short", "A turn")
        await press(player, "down", "down", "down", "enter")
        await until(player[1], lambda: isinstance(app.screen, RulesScreen))
        assert seen(app).splitlines()[1].strip() == "Setting up"
        at = reading.scroll_offset.y
        await press(player, "c", "escape")
        assert reading.scroll_offset.y == at > 0


async def test_another_width_or_language_keeps_the_section() -> None:
    async with playing() as player:
        app, pilot = player
        await open_rules(player)
        app.speak("it")
        await sees(player, "Clocktowers: le regole", "0%")
        await until(pilot, lambda: "In breve" in seen(app))
        app.speak("en")
        await sees(player, "In short")
        reading = app.screen.query_one(Reader)
        await together(player, "pagedown", "down", "down", "pagedown")
        await until(pilot, lambda: reading.scroll_y == 2 * reading.size.height)
        await press(player, "home", "c", *["down"] * 4, "enter", shows="A turn")
        await pilot.resize_terminal(60, 20)
        await until(pilot, lambda: seen(app).splitlines()[1].strip() == "A turn")
        await press(player, "S", shows="Language")
        app.speak("it")
        await sees(player, "Lingua")
        await press(player, "escape", shows="Un turno")
        assert seen(app).splitlines()[1].strip() == "Un turno"
        await press(player, "slash", *"perche")
        assert app.screen.query_one("#wanted", Input).value == "perche"


# The palette lists what can be done, and does it --------------------------------------------------


async def test_typing_and_arrows_find_and_enter_and_the_mouse_do() -> None:
    async with playing(size=SMALL, shows="Join a table") as player:
        await press(player, "ctrl+p", shows=("Type a part", "Join a table", "Next theme"))
        await press(player, *"JOIN")
        assert "Next theme" not in seen(player[0]) and "c" in seen(player[0])
        await press(player, "enter", shows="Table (if known)")
        await press(player, "escape", "ctrl+p", *("down",) * 4, "up", "enter")
        await sees(player, "Table (if known)")
        await press(player, "escape", "ctrl+p")
        await player[1].click("#found", offset=(2, 2))
        await sees(player, "Seat 1")
        await press(player, "escape", "ctrl+p", *"help", "enter", shows=("The goal", "Any other"))


async def test_nothing_found_does_nothing_and_esc_and_its_own_key_close_it() -> None:
    keymap = '"home.join" = ["F4"]\npalette = ["F2", "colon"]'
    async with playing(keymap=keymap, shows="Join a table") as player:
        await press(player, "ctrl+p", "f2", *"qqq", "enter", shows="No command matches")
        await press(player, "escape")
        assert not isinstance(player[0].screen, ActionPalette)
        await press(player, "colon", *"join", shows="F4")
        await press(player, "f2")
        assert not isinstance(player[0].screen, ActionPalette)


def cards_in_hand(player: Playing) -> int:
    match = player[0].state.match
    return len(match.view.hand) if match is not None and match.view is not None else 0


async def test_on_the_board_only_what_leads_somewhere(address: Address) -> None:
    async with playing(SOLO, size=SMALL, at=address, shows="Your turn") as player:
        await open_rules(player)
        await press(player, "q", shows="Your turn")
        await press(player, "colon", shows=("Card 1", "Log"))
        assert "Discard" not in seen(player[0]) and "Draw from" not in seen(player[0])
        await press(player, "escape", "1", "colon", shows="Discard, face down")
        assert "Card 1" not in seen(player[0])
        await press(player, *"disc", "enter", shows="Your turn: draw")
        await press(player, "colon", *"clock", "enter")
        await until(player[1], lambda: cards_in_hand(player) == 3)
        assert not isinstance(player[0].screen, ActionPalette)


# Questions are answered by Enter alone ------------------------------------------------------------


ROWS = [Row("stay", "Stay put"), Row("leave", "Go away")]


async def ask(player: Playing, *, unasked: bool = False) -> list[str | None]:
    """What it is answered with comes into the list."""
    answers: list[str | None] = []
    await sees(player, "Join a table")
    question = Question("Well?", [], ROWS, safe=ROWS[1] if unasked else None, unasked=unasked)
    await player[0].push_screen(question, answers.append)
    safe = "Go away" if unasked else "Stay put"
    await sees(player, "Well?", "Enter Choose", f"Esc {safe}")
    return answers


async def test_arrows_only_move_and_esc_is_the_safe_answer() -> None:
    """Each arrow comes from the first of two rows to the other."""
    async with playing() as player:
        for key in ("left", "right", "up", "down", *"hjkl"):
            answers = await ask(player)
            await press(player, key)
            assert answers == [] and "Well?" in seen(player[0]), key
            await press(player, "enter")
            assert answers == ["leave"], key
        answers = await ask(player)
        await press(player, "down", "escape")
        assert answers == ["stay"]
        answers = await ask(player, unasked=True)
        await press(player, "enter")
        assert answers == ["leave"], "an Enter in flight gives the safe answer"


@pytest.mark.parametrize("goal", [["Most points win."], []])
async def test_only_a_question_about_a_game_leads_to_its_rules(goal: list[str]) -> None:
    async with playing(shows="Join a table") as player:
        await player[0].push_screen(Question("Well?", [], ROWS, goal=goal))
        await sees(player, "Well?")
        await press(player, "B")
        assert ("Well?" in seen(player[0])) != bool(goal)
