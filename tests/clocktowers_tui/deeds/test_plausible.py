"""What cannot be shown ends the line with a sentence; a lie shows a wrong board, nothing worse."""

import asyncio
import sys
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings as example_settings
from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.files import log_file
from clocktowers_tui.config.look import Look
from clocktowers_tui.config.settings import Settings
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.wishes import Visit
from clocktowers_tui.screens.home import HomeScreen
from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Connection, Kind
from protocol.codec import read_as
from protocol.errors import RemoteProtocolError
from tests.stage import small_match
from tests.stage.board_shell import BoardShell, on_screen
from tests.stage.nonsense import NAMES, Sample, another_table, honest, matches, plain, senseless
from tests.stage.own_files import of_every_game
from tests.stage.pilot import LIMIT_S, Playing, playing, press, sees, until
from tests.stage.scripted_server import saying, scripted
from tests.stage.typist import typing

HERE = Connection(kind=Kind.VISIT, address="here:7777", name="Ann")
SAMPLES: tuple[Sample, ...] = of_every_game("senseless", "SAMPLE")
SIZE = (160, 51)
"""All parts of every board fit."""
SLOWER = 40
"""How many times more work the largest view may be than an honest one."""

EVERY_GAME = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.game)


@pytest.fixture(autouse=True)
def loud_boards() -> None:
    """In the place of the fixture of this name: here boards may fail in silence."""


async def show(
    player: Playing, said: Sequence[Struct], keys: Sequence[str], *, fresh: bool = True
) -> None:
    """Hear all this, and look at every screen that shows it, as far as it is believed. `fresh`: on
    a board of its own, not on that of the match before."""
    app, pilot = player
    app.change(State(connection=HERE))
    if fresh:
        await pilot.pause()
    for message in said:
        try:
            app.store.hear(message)
        except (LinkError, RemoteProtocolError):
            break
    await pilot.pause()
    await press(player, *keys, "L", "escape", "question_mark", "x")
    if not app.is_running:
        raise AssertionError("it ended")


async def look_at(sample: Sample, examples: int) -> None:
    """One client, and many matches in it: hypothesis waits in a thread of its own."""
    loop = asyncio.get_running_loop()
    async with playing(painted=True) as player:

        @example_settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        @given(matches(sample))
        def check(said: list[Struct]) -> None:
            shown = asyncio.run_coroutine_threadsafe(show(player, said, sample.keys), loop)
            shown.result(LIMIT_S)

        await asyncio.to_thread(check)


@pytest.mark.parametrize("examples", [2, pytest.param(150, marks=pytest.mark.soak)])
@EVERY_GAME
async def test_nothing_that_passes_ends_the_client(sample: Sample, examples: int) -> None:
    await look_at(sample, examples)


@EVERY_GAME
async def test_a_lie_shows_a_wrong_board_and_nothing_worse(sample: Sample) -> None:
    async with playing(painted=True) as player:
        for number, what in enumerate(sample.lies):
            await show(player, senseless(sample, what), sample.keys, fresh=not number)
            assert player[0].state.match is not None, what


@EVERY_GAME
async def test_what_cannot_be_shown_ends_the_line_and_not_the_client(sample: Sample) -> None:
    async with playing(painted=True) as player:
        for what in sample.wrong:
            assert await ends(player, senseless(sample, what), sample.keys), what


async def ends(player: Playing, said: Sequence[Struct], keys: Sequence[str]) -> bool:
    """Whether the last of these messages ends the line, and none before it: when it is heard,
    without a change, or when it is drawn."""
    app, pilot = player
    app.change(State(connection=HERE))
    await pilot.pause()
    with patch.object(app.journey, "distrust") as distrust:
        *before, wrong = said
        for message in before:
            app.store.hear(message)
        await pilot.pause()
        assert not distrust.called
        state = app.state
        try:
            app.store.hear(wrong)
        except (LinkError, RemoteProtocolError):
            return app.state is state
        await pilot.pause()
        await press(player, *keys)
        return distrust.called and app.is_running


def client() -> ClocktowersApp:
    return ClocktowersApp(Settings(name="Ann"), FACES, Look())


@EVERY_GAME
async def test_a_match_that_was_told_of_before_its_table_is_judged_with_it(sample: Sample) -> None:
    table, *others = honest(sample)[:4]
    async with playing(painted=True) as player:
        for players in range(3):
            info: Any = table.info  # type: ignore[attr-defined]
            smaller = replace(table, info=replace(info, seats=info.seats[:players]))
            assert await ends(player, [*others, smaller], sample.keys), players


def test_a_player_comes_back_to_a_match_that_is_over() -> None:
    """Its end is told before its table, and has fewer scores than the game can have seats."""
    app, table = client(), small_match.at_table("Ann", "Bo")
    for message in (small_match.started(), small_match.update(4), small_match.ended(), table):
        app.store.hear(message)
    match = app.state.match
    assert match is not None and (match.over, match.names) == (True, ("Ann", "Bo"))


@EVERY_GAME
def test_a_table_loses_no_seats_in_a_match(sample: Sample) -> None:
    table, *others = honest(sample)[:4]
    app = client()
    for message in (*others, table):
        app.store.hear(message)
    assert app.state.match is not None and len(app.state.match.names) == 4
    with pytest.raises(LinkError, match="SENSELESS"):
        app.store.hear(another_table(sample))


LOGGED = {
    "an event of a seat beyond the table": "Update: IndexError",
    "no piles": "board: ValueError",
}
"""What cannot be said, and what cannot be drawn."""


@pytest.mark.parametrize("what", LOGGED)
async def test_the_line_ends_with_a_sentence_and_the_log_says_why(what: str) -> None:
    lying = saying(*senseless(SAMPLES[0], what))
    async with scripted(lying) as address, playing(Visit(address), painted=True) as player:
        await sees(player, "answers make no sense", "Connect again")
        await press(player, "enter")
        await until(player[1], lambda: isinstance(player[0].screen, HomeScreen))
    assert LOGGED[what] in log_file("client").read_text()


@pytest.mark.parametrize("what", LOGGED)
async def test_it_does_so_in_plain_mode(what: str) -> None:
    lying = saying(*senseless(SAMPLES[0], what))
    async with scripted(lying) as address, typing(Visit(address)) as typist:
        await typist.hears("answers make no sense")


async def calls(sample: Sample, *views: Any) -> list[int]:
    """How many functions drawing each view calls."""
    count = 0

    def called(*_: object) -> None:
        nonlocal count
        count += 1

    counts = []
    board: Any = FACES[sample.game].board(Look())
    async with on_screen(BoardShell(board, sample.view, lambda _: len(NAMES)), SIZE) as (shell, _):
        for view in views:
            count = 0
            sys.setprofile(called)
            try:
                shell.show(view)
            finally:
                sys.setprofile(None)
            counts.append(count)
    return counts


@EVERY_GAME
async def test_the_largest_view_that_is_decoded_is_drawn_in_time(sample: Sample) -> None:
    assert read_as(plain(sample.largest), type(sample.view)) == sample.largest
    largest, honest = await calls(sample, sample.largest, sample.view)
    assert largest < SLOWER * honest
