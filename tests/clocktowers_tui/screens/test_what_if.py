"""A finished match played on in another way: from any ply, against bots; or one move tried again,
which is judged."""

import pytest

from clocktowers_tui.history import matches
from clocktowers_tui.screens.what_if import WhatIf
from tests.clocktowers_tui.screens.test_history import (
    MISTAKE,
    kept as kept,
    replaying,
)
from tests.clocktowers_tui.screens.test_replay import ON_CARDS
from tests.stage.pilot import Playing, press, seen, until


def shown(player: Playing) -> WhatIf:
    screen = player[0].screen
    assert isinstance(screen, WhatIf)
    return screen


async def test_a_match_is_played_on_against_bots_and_nothing_is_kept() -> None:
    async with replaying("", me=1, size=(80, 24)) as player:
        await press(player, "w", shows=("What if  Your turn", "Nothing of this is kept."))
        begun = shown(player)._last
        for _turn in range(2):
            assert ON_CARDS.findall(seen(player[0])) == [*"123"]
            await press(player, "1", "x", shows="Your turn: draw")
            assert ON_CARDS.findall(seen(player[0])) == [*"fcr"]
            assert shown(player)._wanted[0] == shown(player)._last
            await press(player, "f", shows=("Bo", "Take card"))
        assert shown(player)._last > begun + 4 and matches.newest_first() == []
        process = shown(player)._projector.process
        await press(player, "u", "u", "u", "u")
        await until(player[1], lambda: shown(player)._at[0] == begun)
        await press(player, "u", shows="This is where you have begun.")
        await press(player, "q", shows="move 0 of")
        assert process.returncode is not None


@pytest.mark.usefixtures("kept")
async def test_a_mistake_is_tried_again_and_judged_before_the_answer_is_seen() -> None:
    async with replaying(size=(80, 24)) as player:
        await press(player, "v", shows="Review: 1 mistake")
        await press(player, "r", shows="Try again  Your turn")
        assert shown(player)._wanted[0] == MISTAKE - 1 and "Better: " not in seen(player[0])
        await press(player, "f", shows="of 100. Nothing is better.")
        await press(player, "u", shows="Nothing of this is kept.")
        assert shown(player)._at[0] == MISTAKE - 1
        await press(player, "escape", shows=(f"move {MISTAKE} of", "Better: "))
