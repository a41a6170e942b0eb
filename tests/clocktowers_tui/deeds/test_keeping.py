"""A match that has ended is kept, in the real app at a real server; what goes wrong costs a line in
the log and a sentence."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from clocktowers_tui.app.app import ClocktowersApp
from clocktowers_tui.config.files import log_file
from clocktowers_tui.deeds import keeping
from clocktowers_tui.deeds.table import leave_for_good
from clocktowers_tui.history import history_file, matches
from clocktowers_tui.history.record import said_in
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.link import _MAX_RECORD_BYTES, Link
from clocktowers_tui.net.wishes import Solo, Visit
from clocktowers_tui.new_table import deal_of, lesson_of, today
from clocktowers_tui.state import store
from protocol.errors import RefusalCode
from protocol.from_client import GetRecord, HandOver, Hurry, Leave, ListTables
from protocol.from_server import RECORD_PART_BYTES, Done, Ended, RecordPart
from protocol.table import Days
from server.__main__ import main
from server.net.handlers import HANDLERS
from server.tables.access import Impossible
from server.tables.record import Recorded
from tests.stage.house import PATIENCE_S, READY, START, Peer, eventually, house
from tests.stage.pilot import Playing, playing, press, seen, sees
from tests.stage.processes import loaded_by
from tests.stage.scripted_server import ScriptedPeer, scripted
from tests.stage.small_match import bot_table

SOLO = Solo(bot_table(1, "random", options={"first_seat": 0}))
NOT_KEPT = "This match could not be kept"


async def to_the_end(player: Playing) -> str:
    """Bots play the match to its end at once: its id."""
    app, _pilot = player
    await eventually(lambda: app.state.match is not None)
    for wish in (HandOver(id=0), Hurry(id=0)):
        assert isinstance(await app.journey.request(wish), Done)
    await eventually(lambda: app.state.match is not None and app.state.match.over)
    assert app.state.match is not None
    return app.state.match.id


async def kept(count: int = 1) -> None:
    await eventually(lambda: len(matches.newest_first()) >= count)


async def noted(words: str) -> None:
    """The log says so."""
    log = log_file("client")
    await eventually(lambda: log.exists() and words in log.read_text())


async def test_a_match_is_kept_when_it_ends_and_its_record_is_right(
    address: Address, tmp_path: Path
) -> None:
    async with playing(SOLO, at=address) as player:
        match = await to_the_end(player)
        await kept()
        (one,) = matches.newest_first()
        outcome = player[0].state.match.outcome  # type: ignore[union-attr]
        assert (one.head.id, one.me, one.head.game) == (match, 0, "clocktowers")
        assert tuple(one.head.outcome.scores) == tuple(outcome.scores)
        assert one.head.seats[0].name == "Ann"
        await sees(player, "Rematch")
        assert NOT_KEPT not in seen(player[0])
    file = tmp_path / "one.jsonl"
    file.write_bytes(matches.line_of(match) + b"\n")
    assert main(["verify", str(file)]) == 0


def spoilt() -> None:
    history_file().parent.mkdir(parents=True, exist_ok=True)
    history_file().write_bytes(b"this is no database " * 500)


def no_folder() -> None:
    history_file().parent.parent.mkdir(parents=True, exist_ok=True)
    history_file().parent.rename(history_file().parent.with_name("away"))
    history_file().parent.write_bytes(b"a file")


@pytest.mark.parametrize("spoil", [spoilt, no_folder])
async def test_a_file_that_cannot_be_written_costs_a_sentence(
    address: Address, spoil: Callable[[], None]
) -> None:
    async with playing(SOLO, at=address) as player:
        await eventually(lambda: player[0].state.match is not None)
        spoil()
        await to_the_end(player)
        await sees(player, NOT_KEPT)
        await noted("was not kept: NoHistory")
        await press(player, "r")
        await eventually(lambda: not player[0].state.match.over)  # type: ignore[union-attr]


async def test_a_lie_of_the_server_costs_a_sentence(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Recorded, "find", lambda *_how: b"no zlib")
    async with playing(SOLO, at=address) as player:
        await to_the_end(player)
        await sees(player, NOT_KEPT)
        await noted("was not kept: NotARecord")
        assert matches.newest_first() == []


async def test_a_refusal_costs_a_line_in_the_log(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(*_how: object) -> None:
        raise Impossible(RefusalCode.NO_SUCH_MATCH)

    monkeypatch.setattr(Recorded, "find", find)
    async with playing(SOLO, at=address) as player:
        await to_the_end(player)
        await noted("has no record: 'no_such_match'")
        await sees(player, "Rematch")
        assert NOT_KEPT not in seen(player[0])


async def test_a_line_that_breaks_meanwhile_costs_nothing(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    find, asked = Recorded.find, []

    def cut_first(self: Recorded, wanted: str) -> Any:
        asked.append(wanted)
        if len(asked) == 1:
            raise RuntimeError("a bug, for which the server closes the line")
        return find(self, wanted)

    monkeypatch.setattr(Recorded, "find", cut_first)
    async with playing(SOLO, at=address) as player:
        match = await to_the_end(player)
        await kept()
        assert [one.head.id for one in matches.newest_first()] == [match]
        assert len(asked) == 2


async def begun(app: ClocktowersApp, host: Peer) -> str:
    """A match with the host of the table: its id."""
    await eventually(lambda: app.state.seat is not None)
    assert isinstance(await app.journey.request(READY), Done)
    await host.done(START)
    await eventually(lambda: app.state.match is not None)
    assert app.state.match is not None
    return app.state.match.id


@pytest.mark.parametrize(("clock", "leaves"), [(None, True), (Days(1), True), (None, False)])
async def test_a_match_comes_to_a_player_who_is_gone_once_it_is_over(
    clock: Days | None, leaves: bool
) -> None:
    """A bot ends it, or who leaves has lost it with a clock of days. Who has closed the window
    finds it, too."""
    async with house() as at:
        address, ben = Address(*at.address), await at.peer("Ben")
        code = await ben.create(seats=2, clock=clock)
        async with playing(Visit(address, table=code)) as (app, _pilot):
            match = await begun(app, ben)
            server = app.journey.server
            await eventually(lambda: bool(matches.owed_by(server)))
            app.change(store.noted(app.state, match, 1, "Mine"))
            await eventually(lambda: matches.owed_by(server)[0].notes == {1: "Mine"})
            if leaves:
                await leave_for_good(app)
        for wish in () if clock else (HandOver(id=0), Hurry(id=0)):
            await ben.done(wish)
        await ben.until(Ended)
        async with playing(Visit(address)):
            await kept()
    (one,) = matches.newest_first()
    assert (one.head.id, one.me, one.played_for) == (match, 1, leaves and clock is None)
    assert said_in(matches.line_of(match)) == {"1": "Mine"}
    assert clock is None or one.head.outcome.winners == [0]


@pytest.mark.parametrize("leaves", [False, True])
async def test_a_match_that_breaks_off_is_not_waited_for(leaves: bool) -> None:
    """As one does whose last person leaves bots alone."""

    def waits() -> bool:
        return any(history_file().parent.glob("owed/*.json"))

    async with house() as at:
        ben = await at.peer("Ben")
        code = await ben.create(seats=2)
        async with playing(Visit(Address(*at.address), table=code)) as (app, _pilot):
            match = await begun(app, ben)
            await eventually(waits)
            if leaves:
                await ben.done(Leave(id=0))
                await eventually(lambda: app.state.table is not None and not app.state.table.others)
                await leave_for_good(app)
            else:
                app.store.hear(Ended(match=match, aborted=True))
            await eventually(lambda: not waits())


async def quits(app: ClocktowersApp) -> None:
    app.leave_program()


async def leaves_line(app: ClocktowersApp) -> None:
    await app.journey.end()


async def leaves_table(app: ClocktowersApp) -> None:
    await leave_for_good(app)


@pytest.mark.parametrize("how", [quits, leaves_line, leaves_table])
async def test_a_match_that_is_left_in_the_moment_of_its_end_is_kept(
    address: Address,
    how: Callable[[ClocktowersApp], Coroutine[Any, Any, None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before a screen has shown the end."""
    monkeypatch.setattr(keeping, "LAST_S", PATIENCE_S)
    async with playing(SOLO, at=address) as player:
        app, _pilot = player
        await eventually(lambda: app.state.match is not None)
        hear, leaving = app.store.hear, []

        def heard(message: Struct) -> None:
            hear(message)
            if isinstance(message, Ended):
                leaving.append(asyncio.ensure_future(how(app)))

        app.store.hear = heard  # type: ignore[method-assign]
        for wish in (HandOver(id=0), Hurry(id=0)):
            await app.journey.request(wish)
        await eventually(lambda: bool(leaving) and leaving[0].done())
        leaving[0].result()
        await kept()
        assert matches.newest_first()[0].line.startswith("ct:"), "by which a friend sees it"
        if how is not quits:
            await sees(player, "New table" if how is leaves_table else "Set up a match")


async def test_a_server_that_never_answers_does_not_hold_a_player_who_leaves(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    handlers: dict[Any, Any] = HANDLERS
    monkeypatch.setitem(handlers, GetRecord, lambda *_how: None)
    monkeypatch.setattr(keeping, "LAST_S", 0.05)
    async with playing(SOLO, at=address) as player:
        await to_the_end(player)
        await player[0].journey.end()
        await sees(player, "Set up a match")
        player[0].leave_program()
        await eventually(lambda: not player[0].is_running)
    assert matches.newest_first() == []


async def test_no_lesson_is_kept(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[object]()
    monkeypatch.setattr(Recorded, "find", lambda *how: asked.append(how))
    async with playing(lesson_of("clocktowers"), at=address) as player:
        await to_the_end(player)
        await player[1].pause()
        await player[0].journey.request(ListTables(id=0))  # it is served behind all before
        assert not asked


async def test_parts_that_nobody_asked_for_and_parts_without_end_fill_no_memory() -> None:
    async def script(peer: ScriptedPeer) -> None:
        await peer.welcomes()
        peer.says(RecordPart(match="m2", part=b"x", more=True))
        asked = await peer.hears()
        assert isinstance(asked, GetRecord) and asked.match == "m1"
        for _ in range(100):
            peer.says(RecordPart(match="m1", part=bytes(RECORD_PART_BYTES), more=True))
            peer.says(RecordPart(match="m2", part=bytes(RECORD_PART_BYTES), more=True))
            await peer.writer.drain()
        peer.says(Done(id=asked.id))
        await peer.hears()

    async with scripted(script) as there:
        link = await Link.open(there, "Ann")
        running = asyncio.create_task(link.run(lambda message: None))
        record = await link.record("m1")
        assert isinstance(record, bytes)
        assert _MAX_RECORD_BYTES < len(record) <= _MAX_RECORD_BYTES + RECORD_PART_BYTES
        assert link._records == {}
        await link.close()
        await running


def test_a_start_loads_nothing_of_it() -> None:
    loaded = loaded_by("import clocktowers_tui.start")
    assert not [one for one in loaded if one.startswith(("sqlite3", "clocktowers_tui.hi"))]


# Written to a file --------------------------------------------------------------------------------


async def test_x_in_the_result_writes_a_record_and_says_where(
    address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the list of matches does."""
    folder = tmp_path / "Documents"
    folder.mkdir()
    monkeypatch.delenv("XDG_DOCUMENTS_DIR", raising=False)
    async with playing(deal_of("clocktowers", today()), at=address, size=(60, 20)) as player:
        await to_the_end(player)
        await kept()
        record = ("x", "end", "up", "enter")
        await press(player, *record, shows="Written: ")
        (file,) = folder.iterdir()
        assert main(["verify", str(file)]) == 0
        assert file.read_bytes() == matches.line_of(matches.newest_first()[0].head.id) + b"\n"
        await press(player, *record, shows="is there already")
        matches.delete(matches.newest_first()[0].head.id)
        await press(player, *record, shows="is not in Your matches")
        assert list(folder.iterdir()) == [file]
