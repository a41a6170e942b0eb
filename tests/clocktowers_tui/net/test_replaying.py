"""The real process that replays a record: its answers, its refusals, its end."""

import asyncio
import json
import signal
from contextlib import suppress

import pytest

from clocktowers_tui.net import replaying
from clocktowers_tui.net.replaying import NoReplay, Projector
from clocktowers_tui.net.reviewing import NoReview, Reviewer
from protocol.replaying import WATCHER
from server.recording.records import line
from tests.clocktowers_tui.history.test_matches import played


@pytest.mark.parametrize("game", ["clocktowers", "architetti_attenti", "wild_wild_pattern"])
async def test_it_shows_any_ply_and_tells_every_event(game: str) -> None:
    projector = await Projector.start(line(played("m1", game)).strip())
    try:
        last = len(projector.opened.seats)
        assert (projector.opened.game, projector.opened.names) == (game, ["Bot 1", "Bot 2"])
        for ply in (0, last, 1):
            assert (await projector.show(ply, 0)).ply == ply
        assert (await projector.show(0, WATCHER)).view.seat is None
        assert len(await projector.hear(0)) == last + 1
    finally:
        await projector.stop()


async def test_requests_that_come_together_get_their_own_answers() -> None:
    projector = await Projector.start(line(played("m1")).strip())
    try:
        shown = await asyncio.gather(*(projector.show(ply, 0) for ply in (7, 3, 5)))
        assert [one.ply for one in shown] == [7, 3, 5]
    finally:
        await projector.stop()


@pytest.mark.parametrize(
    ("record", "why"), [(b"{}", "format must be"), (b"", "is empty"), (b"\xff\x00", "UTF-8")]
)
async def test_what_is_no_record_is_refused_with_a_reason(record: bytes, why: str) -> None:
    with pytest.raises(NoReplay, match=why):
        await Projector.start(record)


@pytest.mark.parametrize(
    ("unfit", "why"), [("name", "whole characters only"), ("time", "at_ms must be 900")]
)
async def test_what_no_frame_can_hold_is_refused_with_a_reason(unfit: str, why: str) -> None:
    """Half a character in a name; a time beyond all time."""
    record = played("m1")
    if unfit == "name":
        record["seats"][0]["name"] = "\ud800"
    else:
        record["plies"][-1]["at_ms"] = 10**30
    bytes_of = json.dumps(record).encode()
    with pytest.raises(NoReplay, match=why):
        await Projector.start(bytes_of)
    with pytest.raises(NoReview, match=why):
        await Reviewer.start(bytes_of, 0)


async def test_a_process_that_has_ended_is_told() -> None:
    projector = await Projector.start(line(played("m1")).strip())
    await projector.stop()
    with pytest.raises(NoReplay) as told:
        await projector.show(1, 0)
    assert str(told.value) == ""


async def test_a_process_that_hangs_is_ended_and_its_late_answer_is_nobodys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    projector = await Projector.start(line(played("m1")).strip())
    hangs = projector._process.process
    hangs.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(replaying, "ANSWER_S", 0.01)
    with pytest.raises(NoReplay):
        await projector.hear(0)
    monkeypatch.undo()
    with suppress(ProcessLookupError):
        hangs.send_signal(signal.SIGCONT)
    with pytest.raises(NoReplay):
        await projector.show(1, 0)
    assert hangs.returncode is not None


async def test_a_program_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "PROGRAM", ("/no/such/program",))
    with pytest.raises(NoReplay):
        await Projector.start(b"{}")
