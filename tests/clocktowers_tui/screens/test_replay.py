"""A match seen again on its board, where nothing can be played: a finished one, by steps, turns and
eyes; and, while it goes on, what was sent."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from clocktowers_tui.deeds.replay import Replay
from clocktowers_tui.games.board import Board
from clocktowers_tui.history.record import Replayed
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.records import Projector
from clocktowers_tui.net.wishes import Solo
from clocktowers_tui.new_table import lesson_of
from clocktowers_tui.screens import replay
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.screens.ply_by_ply import LookBackScreen, Sent
from clocktowers_tui.screens.replay import ReplayScreen
from clocktowers_tui.state.store import State, heard
from clocktowers_tui.widgets.menu import Menu
from protocol.from_client import HandOver, Hurry
from protocol.from_server import Done
from protocol.games import Switch
from protocol.games.wild_wild_pattern import Phase
from protocol.recording import WATCHER
from server.recording.records import line
from tests.clocktowers_tui.history.test_matches import played
from tests.games.clocktowers.boards import board as small_board
from tests.games.wild_wild_pattern.boards import board
from tests.games.wild_wild_pattern.stages import GAME
from tests.stage import small_match
from tests.stage.action_scenes import playing as in_match
from tests.stage.nonsense import plain
from tests.stage.pilot import SMALL, Playing, playing, press, seen, sees, until
from tests.stage.small_match import bot_table


@asynccontextmanager
async def replaying(
    game: str = "clocktowers", me: int | None = 0, ply: int = 0, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Playing]:
    record = Replayed(line(played("m1", game)).strip(), me, ply)
    projector = await Projector.start(record.line)
    async with playing(size=size) as player:
        player[0].push_screen(ReplayScreen(player[0], Replay(player[0], projector, record)))
        await sees(player, "Replay: move")
        yield player


@pytest.mark.parametrize("game", ["clocktowers", "architetti_attenti", "wild_wild_pattern"])
async def test_it_goes_ply_by_ply_and_back_to_the_same_picture(game: str) -> None:
    async with replaying(game) as player:
        await sees(player, "move 0 of", "as Bot 1 saw it")
        assert re.search(r"Esc Close +\? Help$", seen(player[0]).rstrip())
        if game == "wild_wild_pattern":
            await sees(player, "Ready for your card?")
            assert "Space: ready" not in seen(player[0]), "a replay waits for no key"
        await press(player, "1", shows=("does nothing here", "move 0 of"))
        await press(player, "right", shows="move 1 of")
        await press(player, "right", "right", "left", shows="move 2 of")
        await press(player, "end", shows=("Left Right Move", "Up Down Turn", "Space Run"))
        assert "needs a terminal" not in seen(player[0])
        await press(player, "home", shows="move 0 of")


ON_CARDS = re.compile(r"╭\[?([1-4fcr])\]?─")  # the keys that cards and piles wear


async def test_a_hand_and_piles_wear_no_keys_which_do_something_else_here() -> None:
    """As they do where a match is played on (`test_what_if`)."""
    async with replaying(size=(80, 24)) as player:
        for ply in range(8):
            await at(player)
            assert not ON_CARDS.findall(seen(player[0])), ply
            await press(player, "right")


async def test_all_open_hands_show_the_discards() -> None:
    plies = played("m1")["plies"]
    first = 1 + next(n for n, ply in enumerate(plies) if "discard" in str(ply["action"]))
    async with replaying(me=None, ply=first, size=(80, 24)) as player:
        await sees(player, "all hands open", "discarded a card; It is a", "discarded ")
        await press(player, "e", shows="as Bot 1 saw it")
        assert "It is a" not in seen(player[0])


async def test_it_opens_at_a_ply_and_a_number_beyond_is_the_last() -> None:
    """Whose move is told before the result."""
    async with replaying(ply=5) as player:
        await sees(player, "move 5 of")
    async with replaying(ply=99999) as player:
        last = len(played("m1")["plies"])
        await sees(player, f"move {last} of {last}", "You win")
        rows = [row.strip() for row in seen(player[0]).splitlines()]
        assert any(row.startswith("You discard") and row.endswith("; You win") for row in rows)
        await press(player, "R", shows="Your towers")


async def test_the_help_begins_with_the_keys_of_the_replay() -> None:
    async with replaying() as player:
        shown = player[0].screen
        assert isinstance(shown, ReplayScreen)
        words = [one.words for one in shown.help_keys()]
        assert words[:4] == ["Next mistake", "Try again", "Better or played", "Review"]
        assert words[4].startswith("What if: play on from here") and words[5] == "Mistake before"
        assert words.index("Other eyes") < words.index("Help") and "Next field" not in words
        await press(player, "question_mark", shows="A move back")


async def test_turns_and_own_turns() -> None:
    async with replaying(me=1) as player:
        await at(player)
        await press(player, "n")
        first = await at(player)
        await press(player, "down")
        second = await at(player)
        assert 0 <= first < second
        await press(player, "up")
        assert await at(player) == first
        await press(player, "n", "N")
        assert await at(player) == first
        await press(player, "home", "e", "down")
        last = len(played("m1")["plies"])
        assert await at(player) < last, "eyes that have not been heard lead not to the end"


async def at(player: Playing) -> int:
    """The ply that is seen, when what was asked for is there."""
    await player[1].pause()
    await player[0].workers.wait_for_complete()
    return int(seen(player[0]).split("move ")[1].split(" ")[0])


@pytest.mark.parametrize("game", ["clocktowers", "architetti_attenti", "wild_wild_pattern"])
async def test_a_story_is_followed_from_ply_to_ply_until_it_ends(game: str) -> None:
    async with replaying(game, me=None) as player:
        await at(player)
        await press(player, "end", "f", shows="Whose story?")
        await press(player, "home", "enter", shows="story: ")
        await at(player)
        of = int(re.findall(r"story: \d+ of (\d+)", seen(player[0]))[0])
        await press(player, "home")
        plies = [await at(player)]
        while f"story: {of} of" not in seen(player[0]):
            await press(player, "n")
            plies.append(await at(player))
        assert plies == sorted(set(plies))
        assert len(plies) in (of, of + 1)  # it may begin with the deal
        await press(player, "N")
        assert [await at(player)] == plies[-2:-1]
        await press(player, "f")
        await at(player)
        assert "story: " not in seen(player[0])


async def test_the_key_that_asks_for_a_story_ends_it_and_the_list_begins_at_the_last_one() -> None:
    async with replaying(me=None) as player:
        await at(player)
        await press(player, "end", "f", shows="Whose story?")
        await press(player, "f")
        await until(player[1], lambda: "Whose story?" not in seen(player[0]))
        assert "story: " not in seen(player[0])
        await press(player, "f", "down", "down")
        asked = player[0].screen.query_one(Menu)
        assert asked.at == "2"
        await press(player, "enter", shows="story: ")
        await press(player, "f", "end")
        await at(player)
        await press(player, "f", shows="Whose story?")
        assert player[0].screen.query_one(Menu).at == "2"


async def test_autoplay_goes_to_the_end_and_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "SPEEDS_S", (0.01, 0.01, 0.01))
    async with replaying() as player:
        last = len(played("m1")["plies"])
        await press(player, "space", shows=(f"move {last} of {last}", "Space Run"))


async def test_a_process_that_is_killed_ends_the_autoplay_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At its next step, which comes after a second."""
    monkeypatch.setattr(replay, "SPEEDS_S", (1.0, 1.0, 1.0))
    async with replaying() as player:
        shown = player[0].screen
        assert isinstance(shown, ReplayScreen) and isinstance(shown._plies.source, Projector)
        await press(player, "space", shows="Stop")
        shown._plies.source.process.kill()
        await sees(player, "The replay has ended by itself; open the match once more.", "Space Run")


async def test_no_click_chooses_and_nothing_seems_under_way() -> None:
    async with replaying("architetti_attenti", ply=4) as player:
        await sees(player, "move 4 of", "Pile: ")
        before = seen(player[0])
        assert not re.search("Pile: [0-9]+ …", before)
        for column in range(2, 58, 4):
            await player[1].click(offset=(column, 6))
        assert seen(player[0]) == before


async def test_a_paint_before_a_layout_that_is_due_keeps_no_pane_from_its_new_size() -> None:
    """As at the opening in 30 rows, where the board is laid out twice."""
    async with replaying("wild_wild_pattern", size=(100, 30)) as player:
        await at(player)
        board = player[0].screen.query_one(Board)
        board.styles.margin = 0
        board._check_refresh()  # a layout is due
        player[0].screen._compositor.update_widgets({board.query_one("#bank")})
        assert board.region, "which a paint asks for"
        await player[1].pause()
        hasty = seen(player[0])
        await player[1].resize_terminal(101, 30)
        await player[1].resize_terminal(100, 30)
        assert seen(player[0]) == hasty


# A player looks back while the match goes on ------------------------------------------------------


SOLO = Solo(bot_table(1, "random", options={"first_seat": 0}))


def top(player: Playing) -> type:
    return type(player[0].screen)


async def a_turn(player: Playing) -> None:
    """Play one, and wait for the next."""
    await sees(player, "Your turn", "Take card")
    await press(player, "1", "x", shows="Your turn: draw")
    await press(player, "f", shows=("Your turn", "Take card"))


async def test_back_and_on_and_to_the_match_and_no_key_plays(address: Address) -> None:
    async with playing(SOLO, at=address, size=SMALL, shows="Your turn") as player:
        await press(player, "V", shows="There is nothing to look back at yet.")
        assert top(player) is MatchScreen
        await a_turn(player)
        live = player[0].state.match
        assert live is not None
        await press(player, "V")
        await sees(player, "Looking back: turn 1 of 2", "Esc: to the match", "It is your turn.")
        assert "It is your turn.;" not in seen(player[0])
        await press(player, "home", shows=("Looking back: turn 1 of 2", "The cards are dealt"))
        for key in ("1", "x", "f", "u", "e", "R"):
            await press(player, key, shows=f"{key} does nothing here")
        await press(player, "up", "right", "end", shows="Looking back: turn 2 of 2")
        await player[1].click(offset=(20, 8))
        await press(player, "escape", shows=("Your turn", "Take card"))
        assert "Looking back" not in seen(player[0])
        assert player[0].state.match == live and live.pending is None


async def test_the_end_is_said_and_the_result_waits(address: Address) -> None:
    async with playing(SOLO, at=address) as player:
        app, pilot = player
        await a_turn(player)
        await press(player, "V", "home", shows="turn 1 of 2")
        for wish in (HandOver(id=0), Hurry(id=0)):
            assert isinstance(await app.journey.request(wish), Done)
        await sees(player, "Looking back: turn 1 of ", "The match is over.")
        assert "turn 1 of 2 " not in seen(app) and top(player) is LookBackScreen
        assert app.state.match is not None
        assert len(app.state.match.seen) > 20
        await press(player, "escape", shows="Rematch")
        await until(pilot, lambda: not any(s.name == "look back" for s in app.screen_stack))


async def test_another_match_ends_it(address: Address) -> None:
    async with playing(SOLO, at=address) as player:
        await a_turn(player)
        await press(player, "V", shows="Looking back")
        state = heard(player[0].state, small_match.started("m2"))
        player[0].change(heard(state, small_match.update(1, "m2")))
        await until(player[1], lambda: top(player) is MatchScreen)


async def test_what_is_taken_back_goes_out_of_sight() -> None:
    async with playing() as player:
        state = in_match("clocktowers", small_board(2))
        for ply in (2, 3, 4):
            state = heard(state, small_match.update(ply, discards=1))
        player[0].change(state)
        await sees(player, "Your turn")
        await press(player, "V", "end", shows=("Looking back", "discard"))
        back = replace(small_match.update(5), ply=2, taken_back=2)
        player[0].change(heard(player[0].state, back))
        await player[1].pause()
        screen = player[0].screen
        assert isinstance(screen, LookBackScreen)
        await until(player[1], lambda: screen._at[0] == 1)


def race(phase: Phase, practice: Switch = Switch.OFF, before: Phase = Phase.READY) -> State:
    """Two moments, of which this is the newer."""
    first, second = (board(2, one) for one in (before, phase))
    options = replace(second.options, practice=practice)
    state = in_match(GAME, replace(first, options=options))
    update = replace(small_match.update(2), view=plain(replace(second, options=options)))
    return heard(state, update)


async def test_a_race_wants_the_eyes_and_practice_waits() -> None:
    async with playing() as player:
        player[0].change(race(Phase.RACE))
        await until(player[1], lambda: top(player) is MatchScreen)
        await press(player, "V", shows="You cannot look back while the race runs.")
        player[0].change(race(Phase.RACE, Switch.ON))
        await player[1].pause()
        await press(player, "V", shows="Looking back")


async def test_a_race_that_begins_ends_it_even_behind_the_help() -> None:
    async with playing() as player:
        player[0].change(race(Phase.READY))
        await until(player[1], lambda: top(player) is MatchScreen)
        for before in ((), ("question_mark",)):
            await press(player, "V", shows="Looking back")
            await press(player, *before)
            player[0].change(race(Phase.RACE))
            await player[1].pause()
            if before:
                await press(player, "escape")
            await until(player[1], lambda: top(player) is MatchScreen)
            player[0].change(race(Phase.READY))
            await player[1].pause()


async def test_a_lesson_has_no_key_to_it(address: Address) -> None:
    async with playing(lesson_of("clocktowers"), at=address, shows="1/") as player:
        await press(player, "V", shows="V does nothing here")


async def test_nothing_is_in_it_but_what_was_sent(address: Address) -> None:
    """Each view is one that came, and the events are those that came, each once."""
    async with playing(SOLO, at=address) as player:
        await a_turn(player)
        match = player[0].state.match
        assert match is not None
        sent = Sent(match)
        told = [event for events in await sent.hear(WATCHER) for event in events]
        assert told == [*match.events]
        shown = [(await sent.show(ply, WATCHER)).view for ply in range(len(match.seen))]
        assert all(view.seat == 0 for view in shown) and shown[-1] is match.view
