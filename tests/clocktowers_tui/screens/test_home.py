"""Home: each game keeps a match to go on with, none is lost without a question, and each outlives
the program and the server that it was begun with."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual.events import Key

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.settings import Draft, Drafts, load, settings_file
from clocktowers_tui.deeds import home
from clocktowers_tui.games.board import Board
from clocktowers_tui.net import waiting
from clocktowers_tui.net.arrival import Arrival
from clocktowers_tui.net.programs import LocalServer
from clocktowers_tui.net.seats import unfinished
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.screens.home_menu import HomeMenu
from tests.clocktowers_tui.locale.walk import WAITS
from tests.stage.pilot import SMALL, WIDE, Playing, playing, press, seen, sees, until
from tests.stage.small_match import bot_table

TWO = {"clocktowers": Drafts(solo=Draft(seats=2, levels=("easy",)))}
FIRST = {"first_seat": 0}
ROWS = [
    "Clocktowers",
    "Architetti Attenti",
    "Wild Wild Pattern",
    "Set up a match",
    "Join a table",
    "Host a table",
    "Your name",
    "Quit",
]


async def wait_at_home(player: Playing) -> None:
    """A match against one bot, one card played, and to the menu."""
    await sees(player, "Your turn: play")
    await press(player, "1", "x", shows="Your turn: draw")
    await press(player, "q", "down", "enter", shows="Continue: turn 1")


@pytest.mark.parametrize(
    ("keys", "shown"), [("yv", "Your matches"), ("m\r", "Your turn"), ("c\r", "Join a table")]
)
async def test_a_second_key_waits_for_the_screen_that_the_first_opens(
    keys: str, shown: str
) -> None:
    async with playing(size=WIDE) as player:
        app, _pilot = player
        await sees(player, *ROWS)
        for key in keys:
            app.post_message(Key("enter" if key == "\r" else key, key))
        await sees(player, shown)


async def test_a_newcomer_sees_a_tip() -> None:
    async with playing(size=WIDE) as player:
        await sees(player, *ROWS, "All keys: ?", "New here? l teaches Clocktowers in")
        await press(player, "right", shows="New here? l teaches Architetti Attenti in")


async def test_a_newcomer_sees_a_tip_till_a_match_was_played() -> None:
    async with playing(size=SMALL) as player:
        app, _pilot = player
        await sees(player, *ROWS, "All keys: ?")
        app.settings = replace(app.settings, drafts=TWO)
        await press(player, "p", shows="Ann (you)")
        await press(player, "q", "down", "enter")
        await sees(player, "Continue", *ROWS)
        assert "All keys" not in seen(app) and "New here?" not in seen(app)
        assert load(settings_file()).known == ["clocktowers"]
        await press(player, "down", shows="New to Architetti Attenti? l teaches it in")


async def test_what_could_not_begin_costs_nothing_and_the_very_match_goes_on() -> None:
    async with playing(Solo(bot_table(1, "random", options=FIRST))) as player:
        app, _pilot = player
        assert app.journey.arrival is not None
        await wait_at_home(player)
        (seat,) = unfinished()
        await press(player, "c", *"127.0.0.1:1", "enter", shows="Nothing answers at 127.0.0.1:1")
        await press(player, "escape", "enter", shows="Your turn: draw")
        assert app.state.match is not None and app.state.match.id == seat.match
        assert isinstance(app.focused, Board)
        await press(player, "f")
        await until(player[1], lambda: app.state.match is not None and app.state.match.ply > 2)
        await press(player, "L", shows=("You discarded", "You drew"))


async def test_each_game_keeps_its_own_match_and_a_lesson_ends_none() -> None:
    async with playing(Solo(bot_table(1, "random", options=FIRST))) as player:
        app, pilot = player
        await wait_at_home(player)
        await press(player, "l", shows=" 1/")
        await press(player, "q", shows=("Learn it in 5 minutes", "Continue: turn 1"))
        assert "waits" not in seen(player[0]), "nothing was done in it"
        await press(player, "y")
        await sees(player, "Continue: Clocktowers against 1 bot, turn 1", "Enter Continue")
        await press(player, "x", "d", "enter", shows="Your turn: draw")
        await press(player, "q", "down", "enter", shows="Continue: turn 1")
        await press(player, "right", "p", shows="Your turn 1 of 22: buy a tile")
        await press(player, "q", "down", "enter")
        await until(pilot, lambda: len(unfinished()) == 2)
        await sees(player, "Continue: turn 1")
        assert {seat.game for seat in unfinished()} == {"clocktowers", "architetti_attenti"}
        assert len({seat.folder for seat in unfinished()}) == 2
        assert app.focused is not None and app.focused.id == "card-architetti_attenti"
        await press(player, "left", "u", shows="Your turn: draw")


async def test_a_new_match_of_its_game_asks_and_takes_its_place() -> None:
    async with playing(Solo(bot_table(1, "random", options=FIRST))) as player:
        app, pilot = player
        await wait_at_home(player)
        (old,) = unfinished()
        await press(player, "p", shows=("unfinished match", "against 1 bot", "End it and start"))
        await press(player, "escape")
        assert unfinished() == [old]
        await press(player, "p", "down", "enter")
        await until(pilot, lambda: app.state.match is not None)
        assert app.state.match is not None and len(app.state.match.names) == 2, "as the last"
        await sees(player, "(you)")
        await press(player, "q", "down", "enter", shows="Continue: turn 1")
        (new,) = unfinished()
        assert (new.match != old.match, new.folder) == (True, old.folder)


async def test_a_race_goes_on_only_when_its_player_says_so() -> None:
    race = Solo(bot_table(1, "learner", game="wild_wild_pattern"))
    async with playing(race, shows="Ready for your card?") as player:
        app, pilot = player
        await press(player, "space", shows="make a new pattern")
        await press(player, "q", shows=("Leave this match?", "The clock runs on here"))
        await press(player, "down", "enter")
        await sees(player, "Continue: round 1", "Your match waits, and its clock stands still.")
        assert app.journey.arrival is None, "no clock runs while nobody is there"
        await press(player, "enter", shows=("Go on with the race?", "clock stands still"))
        await press(player, "escape", shows="Continue: round 1")
        await press(player, "enter", "space")
        await until(pilot, lambda: app.state.match is not None)
        await sees(player, "make a new pattern")


async def test_on_the_way_to_a_match_only_the_key_that_stops_it_is_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The menu stands there meanwhile, as if Enter had done nothing."""

    async def arrive(*_asked: object) -> Arrival:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr("clocktowers_tui.net.arrival.arrive", arrive)
    async with playing(shows="Enter Play: 1 bot") as player:
        await press(player, "enter", shows=("Starting…", "Esc Stop"))
        assert "Enter Play" not in seen(player[0])
        await press(player, "escape", shows="Enter Play: 1 bot")
        assert "Esc Stop" not in seen(player[0])


async def test_practice_is_a_key_away_and_enter_plays_a_race_afterwards() -> None:
    async with playing() as player:
        await sees(player, *ROWS)
        await press(
            player, "right", "right", shows=("r  Play alone", "Enter Play without a clock: 1 bot")
        )
        await press(player, "r", shows="Ready for your card?")
        await press(player, "q", "down", "enter", shows="Continue")
        assert "wild_wild_pattern" not in player[0].settings.drafts
        (alone,) = unfinished()
        assert not alone.progress.bots, "as any other match waits"
        await press(player, "p", shows="A new match ends it")
        await press(player, "down", "enter", shows="Ready for your card?")
        await press(player, "q", "down", "enter", shows="Continue")
        (race,) = unfinished()
        assert race.progress.bots


async def test_quitting_is_asked_for_when_the_key_may_have_been_meant_for_the_match() -> None:
    async with playing(Solo(bot_table(1, "random", options=FIRST))) as player:
        app, _pilot = player
        await wait_at_home(player)
        for key in ("q", "ctrl+c"):
            await press(player, key, shows=("waits for you", "Quit the program?"))
            assert ("Ctrl+C once more quits" in seen(app)) == (key == "ctrl+c")
            await press(player, "enter", shows="Continue")
        await press(player, "q", shows="Quit the program?")
        await press(player, "down", "enter")
        assert not app.is_running
    async with playing(shows="Continue: turn 1") as player:
        await press(player, "q")
        assert not player[0].is_running


async def test_a_match_elsewhere_stands_above_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = replace(WAITS, folder=0, days=True, game="architetti_attenti")
    monkeypatch.setattr(home, "unfinished", lambda: [elsewhere, WAITS])
    asked, answers = list[int](), asyncio.Event()

    async def ask(_seats: object) -> list[waiting.Due]:
        asked.append(0)
        await answers.wait()
        return [waiting.Due(elsewhere, yours=True)]

    monkeypatch.setattr(waiting, "ask", ask)
    async with playing() as player:
        words = "Continue: Architetti Attenti against 3 bots, turn 12, table ABCD"
        await sees(player, words, "teaches Architetti Attenti", "Enter Continue ")
        assert (at := player[0].focused) is not None and at.id == "waiting"
        await press(player, "left", shows=("Enter Continue: turn 12", "p New match"))
        answers.set()
        await sees(player, told := "Your turn: Architetti Attenti against 3 bots, table ABCD")
        answers.clear()
        await press(player, "question_mark", "escape", "question_mark", "escape", shows=told)
        assert len(asked) == 1, "what lay over the menu for a moment is no reason to ask again"
        await press(player, "V", "escape")
        await until(player[1], lambda: len(asked) == 2)
        await sees(player, told)
    newer = replace(WAITS, kept_at=elsewhere.kept_at + 1)
    monkeypatch.setattr(home, "unfinished", lambda: [newer, elsewhere])
    async with playing(shows="Enter Continue: turn 12") as player:
        assert (at := player[0].focused) is not None and at.id == "card-clocktowers"


async def test_alone_there_is_no_lobby_to_end_in() -> None:
    """The server says no to the table that was wished for on the command line."""
    wish, keymap = Solo(bot_table(1, "random", options={"first_seat": 3})), 'help = ["f2"]\n'
    async with playing(wish, keymap=keymap) as player:
        await sees(player, "does not accept these options", "All keys: F2", *ROWS)
        await press(player, "p", shows="Ann (you)")


async def test_what_is_said_of_a_game_goes_with_its_card() -> None:
    """Its key would mean another game there."""
    async with playing(shows="Join a table") as player:
        player[0].tell("Your lesson in Clocktowers waits: l goes on.")
        await sees(player, "Your lesson in Clocktowers")
        await press(player, "right")
        await until(player[1], lambda: "Your lesson" not in seen(player[0]))


async def test_in_the_list_the_game_stays_marked_and_enter_is_offered() -> None:
    async with playing(shows="Set up a match") as player:
        app, _pilot = player
        await press(player, "right", "down", "down", shows="Enter Choose")
        (chosen,) = app.screen.query(".game.-chosen")
        assert not chosen.has_focus and chosen.id == f"card-{app.screen.query_one(HomeMenu).game}"
        frames = {card.styles.border_top[1] for card in app.screen.query(".game")}
        assert len(frames) == 2, "its frame is not that of the others"
        await press(player, "up", "up", shows="Enter Play")


# A match outlives the program and its server ------------------------------------------------------


SOLO = Solo(bot_table(2, "random", options={"first_seat": 0}))


def server_pid(app: ClocktowersApp) -> int:
    assert app.journey.arrival is not None
    assert isinstance(app.journey.arrival.server, LocalServer)
    return app.journey.arrival.server.process.pid


def my_hand(app: ClocktowersApp) -> Any:
    assert app.state.match is not None
    return app.state.match.version, app.state.match.view


async def begun(player: Playing) -> Any:
    """Half a turn has been played; the view."""
    await sees(player, "Your turn")
    await press(player, "1", "x", shows="Your turn: draw")
    app, pilot = player
    await until(pilot, lambda: app.state.match is not None and app.state.match.pending is None)
    return my_hand(app)


async def put_off(player: Playing) -> None:
    """As quitting does."""
    await player[0].journey.end(hold_seat=True)
    await sees(player, "Continue: turn 1")


async def gone_on_with(player: Playing, hand: Any) -> None:
    app, _pilot = player
    await sees(player, "Your turn: draw")
    assert my_hand(app) == hand
    assert app.state.connection is not None and app.state.connection.name == "Ann"


async def test_home_offers_it_when_the_program_starts_again() -> None:
    async with playing(SOLO) as player:
        hand = await begun(player)
        assert unfinished() == [], "nobody else may play it meanwhile"
        await put_off(player)
    (seat,) = unfinished()
    assert seat.folder == 1
    async with playing(shows="Continue: turn 1") as player:
        await press(player, "enter")
        await gone_on_with(player, hand)
        await press(player, "q", "down", "down", "enter", shows="Join a table")
    assert unfinished() == [], "it was ended"


async def test_a_server_that_is_killed_is_started_again() -> None:
    async with playing(SOLO) as player:
        app, _pilot = player
        hand = await begun(player)
        os.kill(server_pid(app), signal.SIGKILL)
        await sees(player, "own server ended unexpectedly", "Go on with the match")
        await press(player, "down", "enter")
        await gone_on_with(player, hand)


async def test_a_match_that_is_no_more_is_offered_no_more(home: Path) -> None:
    async with playing(SOLO) as player:
        await begun(player)
        await put_off(player)
    for file in (home / "xdg_state_home" / "clocktowers" / "local" / "1").glob("journal.db*"):
        file.unlink()
    async with playing() as player:
        await press(player, "enter", shows="is over, or its server has forgotten it")
    assert unfinished() == []
