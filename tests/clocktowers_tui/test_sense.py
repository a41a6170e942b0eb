"""What a server says and cannot be ends the line with a sentence; nothing that passes ends us."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as example_settings
from msgspec import Struct
from msgspec.structs import replace

from clocktowers_tui.app import ClocktowersApp
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.log_file import log_file
from clocktowers_tui.look import Look
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.wishes import Visit
from clocktowers_tui.screens.home import HomeScreen
from clocktowers_tui.settings import Settings
from clocktowers_tui.state.connection import Connection, Kind
from clocktowers_tui.state.store import State
from protocol.errors import RemoteProtocolError
from tests.clocktowers_tui import nonsense
from tests.clocktowers_tui.playing import LIMIT_S, Playing, playing, press, sees, until
from tests.clocktowers_tui.scripted_server import Peer, scripted

HERE = Connection(kind=Kind.VISIT, address="here:7777", name="Ann")
_ON_A_BOARD = ("1", "escape", "L", "escape", "question_mark", "x")


async def show(player: Playing, said: Sequence[Struct]) -> None:
    """Hear all this, and look at every screen that shows it, as far as it is believed."""
    app, pilot = player
    app.change(State(connection=HERE))
    await pilot.pause()
    for message in said:
        try:
            app._store.hear(message)
        except (LinkError, RemoteProtocolError):
            break
    await pilot.pause()
    await press(player, *_ON_A_BOARD)
    if not app.is_running:
        raise AssertionError("it ended")


async def look_at(examples: int) -> None:
    """One client, and many matches in it: hypothesis waits in a thread of its own."""
    loop = asyncio.get_running_loop()
    async with playing() as player:

        @example_settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        @given(nonsense.matches())
        def check(said: list[Struct]) -> None:
            shown = asyncio.run_coroutine_threadsafe(show(player, said), loop)
            shown.result(LIMIT_S)

        await asyncio.to_thread(check)


async def test_nothing_that_passes_ends_the_client() -> None:
    await look_at(12)


@pytest.mark.soak
async def test_nothing_that_passes_ends_the_client_for_long() -> None:
    await look_at(300)


async def test_the_honest_match_is_believed_to_its_end() -> None:
    async with playing() as player:
        await show(player, nonsense.honest())
        match = player[0].state.match
        assert match is not None and match.over and len(match.events) == 12


@pytest.mark.parametrize("what", nonsense.NONSENSE)
def test_nonsense_is_refused_and_changes_nothing(what: str) -> None:
    app = client()
    *before, wrong = nonsense.nonsense(what)
    for message in before:
        app._store.hear(message)
    state = app.state
    with pytest.raises(LinkError, match="senseless"):
        app._store.hear(wrong)
    assert app.state is state


def client() -> ClocktowersApp:
    return ClocktowersApp(Settings(name="Ann"), FACES, Look())


def test_a_table_cannot_lose_seats_in_a_match() -> None:
    app = client()
    for message in nonsense.honest()[:4]:
        app._store.hear(message)
    with pytest.raises(LinkError, match="senseless"):
        app._store.hear(nonsense.another_table())


@pytest.mark.parametrize("players", [0, 1, 2])
def test_a_match_that_was_told_of_before_its_table_is_judged_with_it(players: int) -> None:
    table, *others = nonsense.honest()
    app = client()
    for message in others:
        app._store.hear(message)
    seats = table.info.seats[:players]  # type: ignore[attr-defined]
    smaller = replace(table, info=replace(table.info, seats=seats))  # type: ignore[attr-defined]
    with pytest.raises(LinkError, match="senseless"):
        app._store.hear(smaller)
    app._store.hear(table)
    assert app.state.match is not None and len(app.state.match.names) == 4


async def test_the_line_ends_with_a_sentence_and_the_log_says_why() -> None:
    said = nonsense.nonsense("an event of a seat beyond the table")

    async def script(peer: Peer) -> None:
        await peer.welcomes()
        peer.says(*said)
        await peer.hears()
        await peer.hears()

    async with scripted(script) as address, playing(Visit(address)) as player:
        await sees(player, "says things that make no sense", "Connect again")
        await press(player, "enter")
        await until(player[1], lambda: isinstance(player[0].screen, HomeScreen))
    assert "an event that cannot happen" in log_file("client").read_text()


# Controls ----------------------------------------------------------------------------------------

_KILLS = ("an event of a seat beyond the table", "a turn of nobody's", "no piles")


@pytest.mark.parametrize("what", _KILLS)
async def test_without_the_check_it_would_end_the_client(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clocktowers_tui.app.refuse_nonsense", lambda *_: None)
    with pytest.raises((LookupError, ValueError)):
        async with playing() as player:
            await show(player, nonsense.nonsense(what))
