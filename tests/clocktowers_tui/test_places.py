"""Each place has its screen, and a match that of its game."""

import pytest

from clocktowers_tui.games.architetti_attenti.board import ArchitettiAttentiBoard
from clocktowers_tui.games.clocktowers.board import ClocktowersBoard
from clocktowers_tui.games.face import Board
from clocktowers_tui.places import Places
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.state.store import State
from tests.clocktowers_tui.games.architetti_attenti.senseless import SAMPLE as ATTENTI
from tests.clocktowers_tui.games.clocktowers.senseless import SAMPLE as CLOCKTOWERS
from tests.clocktowers_tui.playing import Playing, playing, until
from tests.clocktowers_tui.senseless import Sample, honest
from tests.clocktowers_tui.test_sense import HERE


async def hear(player: Playing, sample: Sample) -> None:
    """A table and its match, in one turn of the loop: nothing between is shown."""
    app, pilot = player
    app.change(State(connection=HERE))
    for message in honest(sample)[:4]:
        app._store.hear(message)
    await until(pilot, lambda: isinstance(app.screen, MatchScreen))
    await pilot.pause()


async def test_a_match_of_another_game_has_another_board() -> None:
    async with playing() as player:
        for sample, board in (
            (CLOCKTOWERS, ClocktowersBoard),
            (ATTENTI, ArchitettiAttentiBoard),
            (CLOCKTOWERS, ClocktowersBoard),
        ):
            await hear(player, sample)
            assert isinstance(player[0].screen.query_one("#board", Board), board)


async def test_another_match_of_the_same_game_keeps_its_screen() -> None:
    async with playing() as player:
        await hear(player, ATTENTI)
        screen = player[0].screen
        await hear(player, ATTENTI)
        assert player[0].screen is screen


async def test_with_one_screen_for_all_games_the_client_would_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Places, "_game_at", lambda *_: "")
    with pytest.raises((AttributeError, AssertionError)):
        async with playing() as player:
            await hear(player, CLOCKTOWERS)
            await hear(player, ATTENTI)
