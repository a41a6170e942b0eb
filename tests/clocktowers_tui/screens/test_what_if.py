"""A finished match played on in another way: from any ply, against bots; or one move tried again,
which is judged."""

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from clocktowers_tui.cli.commands import read
from clocktowers_tui.deeds.by_mail import by_mail
from clocktowers_tui.history import matches
from clocktowers_tui.net.records import Projector
from clocktowers_tui.screens.what_if import ByMailScreen, WhatIf
from tests.clocktowers_tui.screens.test_history import MISTAKE, kept as kept, replaying
from tests.clocktowers_tui.screens.test_replay import ON_CARDS
from tests.stage.house import eventually
from tests.stage.pilot import Playing, playing, press, seen, sees, until


def shown(player: Playing) -> WhatIf:
    screen = player[0].screen
    assert isinstance(screen, WhatIf)
    return screen


def gated(monkeypatch: pytest.MonkeyPatch, does: str) -> asyncio.Event:
    """From now on the process does this only once the event is set."""
    gate, real = asyncio.Event(), getattr(Projector, does)

    async def waits(projector: Projector, *given: Any) -> Any:
        await gate.wait()
        return await real(projector, *given)

    monkeypatch.setattr(Projector, does, waits)
    return gate


async def test_a_match_is_played_on_against_bots_and_nothing_is_kept() -> None:
    async with replaying("", me=1, size=(80, 24)) as player:
        await press(player, "w", shows=("What if  Your turn", "Nothing of this is kept."))
        begun = shown(player)._trial.last
        for _turn in range(2):
            assert ON_CARDS.findall(seen(player[0])) == [*"123"]
            await press(player, "1", "x", shows="Your turn: draw")
            assert ON_CARDS.findall(seen(player[0])) == [*"fcr"]
            assert shown(player)._wanted[0] == shown(player)._trial.last
            await press(player, "f", shows=("Bo", "Take card"))
        assert shown(player)._trial.last > begun + 4 and matches.newest_first() == []
        process = shown(player)._trial.source.process  # type: ignore[union-attr]
        await press(player, "u", "u", "u", "u")
        await until(player[1], lambda: shown(player)._at[0] == begun)
        await press(player, "u", shows="This is where you have begun.")
        await press(player, "q", shows="move 0 of")
        assert process.returncode is not None


@pytest.mark.usefixtures("kept")
async def test_a_mistake_is_tried_again_and_judged_before_the_answer_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the review has judged is not judged again."""
    gated(monkeypatch, "weigh")
    async with replaying(size=(80, 24)) as player:
        await press(player, "v", shows="> Costs 34")
        await press(player, "escape", shows="Better: ")
        await press(player, "a", shows="Try again  Your turn")
        assert shown(player)._wanted[0] == MISTAKE - 1 and "Better: " not in seen(player[0])
        await press(player, "H", shows="Better: ")
        await press(
            player, "r", shows=("You found the better move. 59", "; in the match: 25.", "u: try")
        )
        assert "You drew" not in shown(player)._sentence, "which the log has"
        await press(player, "1", shows="You found the better move")  # it stays in sight
        await press(player, "u", shows="Nothing of this is kept.")
        assert shown(player)._at[0] == MISTAKE - 1
        await press(player, "c", shows=("25", ", as in the match.", "u: try again"))
        await press(player, "escape", shows=(f"move {MISTAKE} of", "Better: "))
        await press(player, "w", shows=("What if  ", "You drew a green roof"))
        await press(player, "u", shows="Nothing of this is kept.")
        assert shown(player)._wanted[0] == MISTAKE - 1


async def test_while_bots_play_nothing_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async with replaying("", me=1, size=(80, 24)) as player:
        await press(player, "w", shows="What if  Your turn")
        begun = shown(player)._at[0]
        gate = gated(monkeypatch, "play")
        await press(player, "1", "x", "u")
        gate.set()
        await sees(player, "Your turn: draw")
        assert shown(player)._at[0] > begun
        await press(player, "u")
        await until(player[1], lambda: shown(player)._at[0] == begun)


async def test_on_a_board_that_is_about_to_show_another_move_nothing_is_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with replaying("", me=1, size=(80, 24)) as player:
        await press(player, "w", shows="What if  Your turn")
        begun = shown(player)._at[0]
        await press(player, "1", "x", shows="Your turn: draw")
        seen_again, played = gated(monkeypatch, "show"), gated(monkeypatch, "play")
        await press(player, "u", "f")  # this card can be taken only after the move
        seen_again.set()
        await until(player[1], lambda: shown(player)._at[0] == begun)
        assert not shown(player)._plays and ON_CARDS.findall(seen(player[0])) == [*"123"]
        played.set()
        await press(player, "1", "x", shows="Your turn: draw")


@pytest.mark.usefixtures("kept")
async def test_a_move_that_is_judged_can_be_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async with replaying(size=(80, 24)) as player:
        await press(player, "v", shows="> Costs 34")
        await press(player, "escape", shows="Better: ")
        await press(player, "a", shows="Try again  Your turn")
        gate = gated(monkeypatch, "weigh")
        await press(player, "f", shows="A bot looks at your move")
        await press(player, "u", shows="Nothing of this is kept.")
        assert shown(player)._at[0] == MISTAKE - 1
        await press(player, "f", shows="A bot looks at your move")
        gate.set()
        await player[0].workers.wait_for_complete()  # however long the search takes
        await sees(player, "wins of 100; in the match: 25")
        await press(player, "escape", shows=f"move {MISTAKE} of")


@pytest.mark.usefixtures("kept")
async def test_with_others_eyes_only_their_moves_are_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    no_move = "You see it with the eyes of Ann: go to a move of Ann to try it again."
    async with replaying(size=(80, 24)) as player:
        await press(player, "v", shows="> Costs 34")
        await press(player, "escape", shows="Better: ")
        await press(player, "m", shows=f"move {MISTAKE} of")
        gate = gated(monkeypatch, "show")
        await press(player, "e", "e", "e", "left", "a", shows=no_move)
        gate.set()
        await sees(player, f"move {MISTAKE - 1} of", "as Ann saw it", no_move)
        await press(player, "right", "a", shows="Try again")
        assert shown(player)._trial.seat == 0


async def test_by_mail_a_move_that_cannot_be_written_is_not_made(tmp_path: Path) -> None:
    file, new = tmp_path / "m", ("--new", "--names", "Ann,Ben", "--option", "first_seat=0")
    match = await by_mail(read(["move", str(file), *new]).replays, "Ann")  # type: ignore[arg-type]
    first = file.read_bytes()
    async with playing() as player:
        player[0].push_screen(screen := ByMailScreen(player[0], match))
        await sees(player, "By mail  Your turn 1 of 22: buy", "Each move stands in the file")
        await press(player, "1", "enter", shows="build your tile")
        await press(player, "enter", shows=("Ben is choosing", "Send m to Ben, whose turn it is."))
        await press(player, "u", shows="build your tile")
        await press(player, "u", shows="buy a tile")
        await eventually(lambda: not screen._plays)  # what is chosen before that is dropped
        assert file.read_bytes() == first
        await press(player, "1", "enter", shows="build your tile")
        with patch("os.fsync", side_effect=OSError(28, "No space left")):
            await press(player, "enter", shows=("No space left", "build your tile"))
        assert [*file.parent.iterdir()] == [file]
        file.write_bytes(first)  # another program has it now
        await press(player, "enter", shows=("Another program has changed", "build your tile"))
        assert file.read_bytes() == first and match.sends() == ""
