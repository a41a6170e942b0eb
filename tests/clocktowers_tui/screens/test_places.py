"""Each place has its screen, and a match that of its game."""

import pytest
from msgspec.structs import replace

from clocktowers_tui.config.settings import load, settings_file
from clocktowers_tui.games.architetti_attenti.board import ArchitettiAttentiBoard
from clocktowers_tui.games.board_widget import Board
from clocktowers_tui.games.clocktowers.board import ClocktowersBoard
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.state.store import State
from protocol.from_server import AtTable
from tests.clocktowers_tui.doing.test_plausible import HERE
from tests.games.architetti_attenti.senseless import SAMPLE as TOWNS
from tests.games.clocktowers.senseless import SAMPLE as TOWERS
from tests.stage.nonsense import Sample, honest
from tests.stage.pilot import Playing, playing, until


async def hear_of(player: Playing, sample: Sample, *, watches: bool = False) -> None:
    """A table and its match, in one turn of the loop: nothing between is shown."""
    app, pilot = player
    app.change(State(connection=HERE))
    at_table, *others = honest(sample)[:4]
    assert isinstance(at_table, AtTable)
    app._store.hear(replace(at_table, seat=None) if watches else at_table)
    for message in others:
        app._store.hear(message)
    await until(pilot, lambda: isinstance(app.screen, MatchScreen))
    await pilot.pause()


async def test_a_match_of_another_game_has_another_board() -> None:
    async with playing() as player:
        for sample, board in (
            (TOWERS, ClocktowersBoard),
            (TOWNS, ArchitettiAttentiBoard),
            (TOWERS, ClocktowersBoard),
        ):
            await hear_of(player, sample)
            assert isinstance(player[0].screen.query_one("#board", Board), board)


@pytest.mark.parametrize("watches", [False, True])
async def test_the_game_that_was_played_last_is_kept(watches: bool) -> None:
    """Not one that was only looked at."""
    async with playing() as player:
        await hear_of(player, TOWNS, watches=watches)
        assert load(settings_file()).game == ("" if watches else "architetti_attenti")


async def test_another_match_of_the_same_game_keeps_its_screen() -> None:
    async with playing() as player:
        await hear_of(player, TOWNS)
        screen = player[0].screen
        await hear_of(player, TOWNS)
        assert player[0].screen is screen
