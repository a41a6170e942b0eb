"""A finished match on its board: steps, turns, eyes, autoplay; nothing can be played."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from clocktowers_tui.games.clocktowers.board import ClocktowersBoard
from clocktowers_tui.net.replaying import Projector
from clocktowers_tui.screens import replay
from clocktowers_tui.screens.replay import ReplayScreen
from clocktowers_tui.widgets.menu import Menu
from server.recording.records import line
from tests.clocktowers_tui.history.test_matches import played
from tests.stage.pilot import SMALL, Playing, playing, press, seen, sees, until


@asynccontextmanager
async def replaying(
    game: str = "clocktowers",
    me: int | None = 0,
    ply: int | None = None,
    size: tuple[int, int] = SMALL,
) -> AsyncIterator[Playing]:
    projector = await Projector.start(line(played("m1", game)).strip())
    async with playing(size=size) as player:
        player[0].push_screen(ReplayScreen(player[0], projector, me, ply))
        await sees(player, "Replay: move")
        yield player


@pytest.mark.parametrize("game", ["clocktowers", "architetti_attenti", "wild_wild_pattern"])
async def test_it_goes_ply_by_ply_and_back_to_the_same_picture(game: str) -> None:
    async with replaying(game) as player:
        await sees(player, "move 0 of", "from Bot 1's eyes")
        await press(player, "right")
        await sees(player, "move 1 of")
        await press(player, "right", "right", "left")
        await sees(player, "move 2 of")
        await press(player, "end")
        await sees(player, "Left Right Move", "Up Down Turn", "Autoplay")
        assert "needs a terminal" not in seen(player[0])
        await press(player, "home")
        await sees(player, "move 0 of")


async def test_a_replayed_race_waits_for_no_key() -> None:
    async with replaying("wild_wild_pattern") as player:
        await sees(player, "move 0 of", "Ready for your card?")
        assert "Space: ready" not in seen(player[0])


async def test_a_hand_and_piles_wear_no_keys_which_do_something_else_here() -> None:
    """As a match that is played shows them."""
    key = re.compile(r"╭\[?([1-4fcr])\]?─")
    async with replaying(size=(80, 24)) as player:
        board = player[0].screen.query_one(ClocktowersBoard)
        shown = set[str]()
        for ply in range(8):
            await at(player)
            assert not key.findall(seen(player[0])), ply
            board.disabled = False  # as in a match
            assert board.scene is not None
            board.leap(None, board.scene.view, board.scene.names)
            await player[1].pause()
            shown.update(key.findall(seen(player[0])))
            board.disabled = True
            await press(player, "right")
        assert shown >= {*"123fcr"}


async def test_all_open_hands_show_the_discards() -> None:
    plies = played("m1")["plies"]
    first = 1 + next(n for n, ply in enumerate(plies) if "discard" in str(ply["action"]))
    async with replaying(me=None, ply=first, size=(80, 24)) as player:
        await sees(player, "all hands open", "discards a card; It is a", "discarded ")
        assert "It is a" in seen(player[0])
        await press(player, "e")
        await sees(player, "Bot 1's eyes")
        assert "It is a" not in seen(player[0])


async def test_the_last_move_is_told_before_the_result() -> None:
    async with replaying(ply=99999) as player:
        await sees(player, "You win")
        rows = [row.strip() for row in seen(player[0]).splitlines()]
        assert any(row.startswith("You discard") and row.endswith("; You win") for row in rows)


async def test_it_opens_at_a_ply_and_a_number_beyond_is_the_last() -> None:
    async with replaying(ply=5) as player:
        await sees(player, "move 5 of")
    async with replaying(ply=99999) as player:
        last = len(played("m1")["plies"])
        await sees(player, f"move {last} of {last}", "You win")
        await press(player, "R")
        await sees(player, "Towers of Bot 2")


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


async def test_a_turn_of_eyes_that_have_not_been_heard_leads_not_to_the_end() -> None:
    async with replaying(me=1) as player:
        last = len(played("m1")["plies"])
        await at(player)
        await press(player, "home", "e", "down")
        assert await at(player) < last


async def at(player: Playing) -> int:
    """The ply that is seen, when what was asked for is there."""
    await player[1].pause()
    await player[0].workers.wait_for_complete()
    return int(seen(player[0]).split("move ")[1].split(" ")[0])


@pytest.mark.parametrize("game", ["clocktowers", "architetti_attenti", "wild_wild_pattern"])
async def test_a_story_is_followed_from_ply_to_ply_until_it_ends(game: str) -> None:
    async with replaying(game, me=None) as player:
        await at(player)
        await press(player, "end", "f")
        await sees(player, "Whose story?")
        await press(player, "home", "enter")
        await sees(player, "story: ")
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
        await press(player, "end", "f")
        await sees(player, "Whose story?")
        await press(player, "f")
        await until(player[1], lambda: "Whose story?" not in seen(player[0]))
        assert "story: " not in seen(player[0])
        await press(player, "f", "down", "down")
        asked = player[0].screen.query_one(Menu)
        assert asked.at == "2"
        await press(player, "enter")
        await sees(player, "story: ")
        await press(player, "f", "end")
        await at(player)
        await press(player, "f")
        await sees(player, "Whose story?")
        assert player[0].screen.query_one(Menu).at == "2"


async def test_all_eyes_in_turn() -> None:
    async with replaying(ply=3) as player:
        for words in ("Bot 2's eyes", "a watcher's eyes", "all hands open", "Bot 1's eyes"):
            await press(player, "e")
            await sees(player, "move 3 of", words)


async def test_autoplay_goes_to_the_end_and_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "SPEEDS_S", (0.01, 0.01, 0.01))
    async with replaying() as player:
        last = len(played("m1")["plies"])
        await press(player, "space")
        await sees(player, f"move {last} of {last}", "Autoplay")


async def test_a_process_that_is_killed_ends_the_autoplay_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay, "SPEEDS_S", (0.05, 0.05, 0.05))
    async with replaying() as player:
        shown = player[0].screen
        assert isinstance(shown, ReplayScreen) and isinstance(shown._source, Projector)
        await press(player, "space")
        await sees(player, "move 3 of", "Stop")
        shown._source._process.process.kill()
        await sees(player, "The replay has ended by itself; open the match once more.", "Autoplay")


async def test_help_always_stands_in_the_key_line() -> None:
    async with replaying() as player:
        assert re.search(r"Autoplay +\? Help$", seen(player[0]).rstrip())


async def test_a_key_that_plays_a_card_means_nothing() -> None:
    async with replaying(me=0) as player:
        await press(player, "1")
        await sees(player, "does nothing here", "move 0 of")


async def test_no_click_chooses_and_nothing_seems_under_way() -> None:
    async with replaying("architetti_attenti", ply=4) as player:
        await sees(player, "move 4 of", "Pile: ")
        before = seen(player[0])
        assert not re.search("Pile: [0-9]+ …", before)
        for column in range(2, 58, 4):
            await player[1].click(offset=(column, 6))
        assert seen(player[0]) == before


async def test_it_ends_its_process() -> None:
    projector = await Projector.start(line(played("m1")).strip())
    async with playing() as player:
        player[0].push_screen(ReplayScreen(player[0], projector, 0))
        await sees(player, "Replay")
        await press(player, "q")
        await sees(player, "Set up a match")
    assert projector._process.process.returncode is not None
