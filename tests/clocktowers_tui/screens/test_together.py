"""After a match all at the table look at it together: a player of the screen and one of plain mode,
each leading in turn; who looks along, who looks alone, and when it ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import Any, cast

import pytest
from msgspec.structs import replace

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.deeds.client import Client, is_my_turn
from clocktowers_tui.deeds.match import act
from clocktowers_tui.deeds.together import match_of_table
from clocktowers_tui.history import matches
from clocktowers_tui.history.record import Replayed
from clocktowers_tui.net.wishes import Visit
from clocktowers_tui.plain.match import MatchPlace
from clocktowers_tui.screens.replay import ReplayScreen, see_together
from clocktowers_tui.state.table import at_table
from protocol.from_client import GetRecord, Watch
from protocol.from_server import AtTable, Done, Leader, RecordPart, Welcome
from protocol.table import TablePhase
from server.games.registry import GAMES
from tests.stage import small_match
from tests.stage.house import House, eventually, house
from tests.stage.pilot import Playing, playing, press, seen, sees, until
from tests.stage.scripted_server import ScriptedPeer, scripted
from tests.stage.typist import Typist, typing, visit


async def plays(player: Playing, rng: Random) -> None:
    """To the end of the match."""
    app, view = cast(Any, player[0]), None
    while True:
        await until(player[1], partial(is_needed, app, view))
        if (match := app.state.match) is None or match.over:
            return
        view = match.view
        action = GAMES[match.game].bots["random"](view, [], rng)
        assert await act(app, app.screen, action)


def is_needed(app: ClocktowersApp, acted_on: object) -> bool:
    """To play, or because the match is over."""
    match = app.state.match
    return match is not None and (
        match.over or (match.view is not acted_on and is_my_turn(app.state, app.faces))
    )


def leader_of(typist: Typist) -> Leader | None:
    table = typist.client.state.table
    return None if table is None else table.leader


def led_to(app: ClocktowersApp) -> int | None:
    """The leader's ply, as this client was told."""
    table = app.state.table
    return None if table is None or table.leader is None else table.leader.ply


@asynccontextmanager
async def after_a_match() -> AsyncIterator[tuple[House, Playing, Typist]]:
    """Ann, who has a screen, and Ben have played."""
    async with house() as at, typing(visit(at), "Ben") as ben:
        await ben.types("new clocktowers --seats 2", "Table ")
        table = ben.client.state.table
        assert table is not None
        async with playing(visit(at, table.info.table), shows="are ready") as ann:
            await press(ann, "r", shows="are not ready")
            await ben.types("start", "Clocktowers with Ann.")
            await asyncio.gather(plays(ann, Random(1)), ben.plays_to_the_end(Random(2)))
            await ben.hears("rematch plays again")
            await sees(ann, "Rematch")
            yield at, ann, ben


async def test_the_screen_leads_and_plain_mode_looks_along_until_it_goes_its_own_way() -> None:
    async with after_a_match() as (at, ann, ben):
        await press(ann, "A", shows=("Replay: move 0 of", "You lead the others"))
        await ben.hears("Ann looks at the match again. together: look together.")
        await ben.types("together", "Replay: move 0 of")
        await press(ann, *["right"] * 3, shows="Replay: move 3 of")
        await ben.hears("Replay: move 3 of")
        await ben.types("say why that?", "why that?")
        await sees(ann, "Ben: why that?")
        await press(ann, "slash", *"so", "enter")
        await ben.hears("Ann: so")
        await sees(ann, "You lead the others")
        await ben.types("what if", "Nothing of it is kept")
        await press(ann, "right", shows="Replay: move 4 of")
        await eventually(lambda: (leader := leader_of(ben)) is not None and leader.ply == 4)
        await ben.types("leave", "Replay: move 4 of")
        await ben.types("next", "Replay: move 5 of")
        assert ben.heard.count("Replay: move 4 of") == 1, "not in the what if"
        await ben.hears("together: look together.", len(ben.heard) - 200)
        await press(ann, "end")
        (table,) = at.server.lobby.tables.values()
        assert table.match is not None
        last = Leader(match=table.match.id, seat=1, ply=table.match.plies)
        await eventually(lambda: leader_of(ben) == last)
        await press(ann, "slash", *"x", "enter")
        await ben.hears("Ann: x")
        await sees(ann, "You lead the others")
        assert f"Replay: move {last.ply} of" not in ben.heard
        await ben.types("together", f"Replay: move {last.ply} of")
        await ben.hears("You look together with Ann.")
        await ben.types("next", f"Replay: move {last.ply} of")
        await press(ann, "left")
        await ben.hears(f"Replay: move {last.ply - 1} of")
        await press(ann, "escape", shows="Rematch")
        await ben.hears("Ann no longer leads through the match.")
        await ben.types("leave", "Clocktowers with Ann.")


async def test_plain_mode_leads_and_the_screen_looks_along_and_so_does_who_comes_later() -> None:
    async with after_a_match() as (at, ann, ben), await at.peer("Cia") as cia:
        await ben.types("together", "The others at the table can look together with you now.")
        await sees(ann, "Ben looks at the match again. A: look together")
        await press(ann, "escape", shows="Ben looks at the match again. A: look together")
        (table,) = at.server.lobby.tables.values()
        assert table.match is not None
        matches.delete(table.match.id)  # the server has it
        await press(ann, "A", shows=("Replay: move 0 of", "with Ben"))
        await ben.types("next 5", "Replay: move 5 of")
        await sees(ann, "Replay: move 5 of", "with Ben")
        await cia.done(Watch(id=0, table=table.code))
        told = await cia.until(AtTable, lambda table: table.leader is not None)
        assert told.leader is not None and told.leader.ply == 5
        await press(ann, "left", shows=("Replay: move 4 of", "A: look together with Ben"))
        await ben.types("move 9", "Replay: move 9 of")
        await until(ann[1], lambda: led_to(ann[0]) == 9)
        await press(ann, "slash", *"x", "enter")  # what it would show, it has shown by then
        await ben.hears("Ann: x")
        await sees(ann, "Replay: move 4 of")
        await press(ann, "A", shows=("Replay: move 9 of", "with Ben"))
        await ben.types("together", "The others look alone now.")
        await until(ann[1], lambda: "Ben" not in seen(ann[0]).splitlines()[0].partition("from")[0])
        table.leader = Leader(match=table.match.id, seat=0, ply=0)
        await press(ann, "A", shows="Ben leads this table through the match")
        table.leader = None
        await press(ann, "A", shows="You lead the others")


async def test_the_next_match_ends_it_for_all() -> None:
    async with after_a_match() as (at, ann, ben):
        await press(ann, "A", shows="You lead the others")
        await ben.hears("Ann looks at the match again")
        await ben.types("together", "Replay: move 0 of")
        await ben.types("leave", "Clocktowers with Ann.")
        await press(ann, "escape", shows="Rematch")
        await press(ann, "escape")
        await asyncio.gather(*(see_together(ann[0], ann[0]) for _time in range(2)))
        assert [isinstance(one, ReplayScreen) for one in ann[0].screen_stack].count(True) == 1
        await sees(ann, "You lead the others")
        await press(ann, "escape", "R", shows="Rematch")
        await press(ann, "r", shows="Waiting for the others")
        await press(ann, "R", shows="Rematch")
        await press(ann, "A", shows="You lead the others")
        await ben.types("rematch", "Clocktowers with Ann.")
        await until(ann[1], lambda: not isinstance(ann[0].screen, ReplayScreen))
        assert all(table.leader is None for table in at.server.lobby.tables.values())


async def test_a_replay_that_opens_late_does_not_cover_the_next_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def late(client: Client) -> tuple[str, Replayed]:
        found = await match_of_table(client)
        begun.set()
        await goes_on.wait()
        return found

    monkeypatch.setattr("clocktowers_tui.deeds.replay.match_of_table", late)
    async with after_a_match() as (_at, ann, ben):
        await ben.types("rematch", "Waiting for the others")
        ben.type("together")
        await begun.wait()
        await press(ann, "r")
        await eventually(lambda: ben.heard.count("Clocktowers with Ann.") == 2)
        goes_on.set()
        await ben.types("look", "Ann")
        assert "Replay" not in ben.heard and isinstance(ben.client.place, MatchPlace)


@pytest.mark.parametrize("ply", [2**63, 7])
async def test_a_server_that_lies_about_the_match_is_told_in_a_sentence(ply: int) -> None:
    leader = Leader(match="m1", seat=1, ply=ply)

    async def script(peer: ScriptedPeer) -> None:
        await peer.hears()
        peer.says(Welcome(version=1, name="Ann", leads=True))
        told = small_match.at_table("Ann", "Bob\x1b[2J", phase=TablePhase.ENDED)
        peer.says(told, small_match.started(), small_match.update(0), small_match.ended())
        peer.says(replace(told, leader=leader))
        while True:
            if isinstance(wish := await peer.hears(), GetRecord):
                peer.says(RecordPart(match="m1", part=b"nonsense"), Done(id=wish.id))

    async with scripted(script) as address, playing(Visit(address)) as player:
        await sees(player, "Bob[2J looks at the match again. A: look together")
        await press(player, "A", shows="This match cannot be replayed")


def test_a_leader_who_cannot_be_is_none() -> None:
    told = small_match.at_table("Ann", "Bob", phase=TablePhase.ENDED)
    good = Leader(match="m1", seat=1, ply=7)
    assert at_table(replace(told, leader=good)).leads == "Bob"
    for wrong in (replace(good, seat=2), replace(good, seat=-1), replace(good, ply=-1)):
        assert at_table(replace(told, leader=wrong)).leader is None
    for match in ("", "m" * 41):
        assert at_table(replace(told, leader=replace(good, match=match))).leader is None
