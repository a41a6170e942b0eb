"""The real process that reviews a record: its findings, its refusals, its end."""

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from clocktowers_tui.history import matches, reviews
from clocktowers_tui.history.making import made
from clocktowers_tui.net import reviewing
from clocktowers_tui.net.reviewing import NoReview, Reviewer
from protocol.ids import Seat
from server.games.registry import GAMES
from server.recording.records import line, read
from server.replaying.reel import Reel
from server.reviewing.deciding import decisions, judged
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.stage.processes import needs_proc
from tests.stage.reviewed import planted

SOON_S = 60


def living(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            _name, _, rest = stat.read_text().rpartition(")")
        except OSError:  # it has just ended
            continue
        state, _parent, its_group, *_ = rest.split()
        if int(its_group) == group and state != "Z":
            found.append(int(stat.parent.name))
    return found


async def gone(group: int) -> None:
    async with asyncio.timeout(SOON_S):
        while living(group):  # noqa: ASYNC110  (nothing tells of grandchildren)
            await asyncio.sleep(0.01)


async def test_its_findings_are_what_the_rules_say_of_that_record() -> None:
    record = line(played("m1")).strip()
    reel = Reel(read(record, GAMES))
    expected = [one for seat in (1, 0) for one in decisions(reel, Seat(seat))]
    reviewer = await Reviewer.start(record, 1)
    try:
        assert reviewer.begun.plies == sorted(one.ply for one in expected)
        async with aclosing(reviewer.findings()) as findings:
            first = await anext(findings)
        assert first.seat == 1, "what was asked for comes first"
        (same,) = (judged(one) for one in expected if one.ply == first.ply)
        assert first == same
    finally:
        await reviewer.stop()


async def test_what_is_known_is_not_judged_again() -> None:
    matches.keep("m1", packed(played("m1")), 0, 1000)
    record = line(played("m1")).strip()
    begun, found = planted(record, 0, {})
    (last, *_others), rest = found[-1:], found[:-1]
    reviews.keep("m1", begun, rest)
    async with aclosing(made(record, "m1", 0)) as review:
        kept, whole = [newest async for newest in review]
    assert [len(one.findings) for one in (kept, whole)] == [len(rest), len(found)]
    assert [one.ply for one in whole.findings] == begun.plies and whole.findings[-1] != last
    assert reviews.of("m1") is not None and made_of("m1") == len(found)


async def test_a_review_that_is_closed_is_kept_as_far_as_it_is() -> None:
    matches.keep("m1", packed(played("m1")), 0, 1000)
    record = line(played("m1")).strip()
    async with aclosing(made(record, "m1", 0)) as review:
        async for newest in review:
            if newest.findings:
                break
    assert made_of("m1") == len(newest.findings) > 0


def made_of(match: str) -> int:
    """How many findings are kept."""
    kept = reviews.of(match)
    return 0 if kept is None else len(kept[1])


@needs_proc
async def test_who_stops_it_leaves_nothing_running() -> None:
    reviewer = await Reviewer.start(line(played("m1")).strip(), 0)
    group = reviewer._process.process.pid
    async with aclosing(reviewer.findings()) as findings:
        await anext(findings)
    assert len(living(group)) > 1, "workers"
    await reviewer.stop()
    await gone(group)


@needs_proc
async def test_a_review_that_is_closed_or_cancelled_leaves_nothing_running(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    groups, second = list[int](), asyncio.Event()
    start = Reviewer.start

    async def noted(line: bytes, seat: int, known: Sequence[tuple[int, int]]) -> Reviewer:
        reviewer = await start(line, seat, known)
        groups.append(reviewer._process.process.pid)
        if len(groups) > 1:
            second.set()
        return reviewer

    monkeypatch.setattr(Reviewer, "start", noted)
    record = line(played("m1")).strip()
    async with aclosing(made(record, "", 0)) as review:
        await anext(review)

    async def whole() -> None:
        async with aclosing(made(record, "", 0)) as review:
            async for _newest in review:
                pass

    task = asyncio.create_task(whole())
    async with asyncio.timeout(SOON_S):
        await second.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    for group in groups:
        await gone(group)


@needs_proc
async def test_it_ends_with_the_client() -> None:
    reviewer = await Reviewer.start(line(played("m1")).strip(), 0)
    process = reviewer._process.process
    assert process.stdin is not None
    process.stdin.close()
    async with asyncio.timeout(SOON_S):
        await process.wait()
    await gone(process.pid)
    with pytest.raises(NoReview):
        async for _finding in reviewer.findings():
            pass


@pytest.mark.parametrize(
    ("record", "why"), [(b"{}", "format must be"), (b"", "is empty"), (b"\xff\x00", "UTF-8")]
)
async def test_what_is_no_record_is_refused_with_a_reason(record: bytes, why: str) -> None:
    with pytest.raises(NoReview, match=why):
        await Reviewer.start(record, 0)


async def test_a_damaged_record_is_refused_with_its_first_fault() -> None:
    record = played("m1")
    record["plies"][3]["seat"] = 1 - record["plies"][3]["seat"]
    with pytest.raises(NoReview, match="ply 3: seat must be"):
        await Reviewer.start(line(record).strip(), 0)


async def test_a_process_that_is_killed_is_told() -> None:
    reviewer = await Reviewer.start(line(played("m1")).strip(), 0)
    os.killpg(reviewer._process.process.pid, signal.SIGKILL)
    with pytest.raises(NoReview) as told:
        async for _finding in reviewer.findings():
            pass
    assert str(told.value) == ""
    await reviewer.stop()


async def test_a_program_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "PROGRAM", ("/no/such/program",))
    with pytest.raises(NoReview):
        await Reviewer.start(b"{}", 0)
