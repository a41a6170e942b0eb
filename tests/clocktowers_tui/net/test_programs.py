"""The programs that the client starts are real processes here, too: its own server, and those that
replay and review a record."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, nullcontext, suppress
from pathlib import Path

import pytest

from clocktowers_tui.history import matches, review as reviews
from clocktowers_tui.history.review import Reviewed, made
from clocktowers_tui.net import programs, records
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.link import Link
from clocktowers_tui.net.programs import LocalServer, Purpose
from clocktowers_tui.net.records import NoReplay, Projector, Reviewer
from clocktowers_tui.net.trust import Ticket
from protocol.ids import Seat
from protocol.recording import Finding
from server.games.registry import GAMES
from server.recording.records import line, read
from server.recording.reel import Reel, decisions, judged
from tests.clocktowers_tui.history.test_matches import packed, played
from tests.stage.processes import needs_proc
from tests.stage.reviewed import planted


async def test_a_solo_server_wants_its_password_and_ends_with_us() -> None:
    server = await LocalServer.start(Purpose.SOLO, player="no locale holds \udc80")
    try:
        with pytest.raises(TurnedAway) as caught:
            await Link.open(server.address, "Mallory", Ticket("guess"))
        assert caught.value.code == "password"
        link = await Link.open(server.address, "Ann", server.ticket)
        await link.close()
        assert not await server.has_ended()
    finally:
        await server.stop()
    assert await server.has_ended()


ENDS_WITH_ITS_INPUT = """
import sys, time
print('{"listening": [["127.0.0.1", 4]]}', flush=True)
sys.stdin.read()
"""


async def test_a_stop_that_is_cancelled_leaves_no_process() -> None:
    program = ENDS_WITH_ITS_INPUT + "time.sleep(600)"
    server = await LocalServer.start_command((sys.executable, "-I", "-c", program), 20)
    stopping = asyncio.create_task(server.stop())
    await asyncio.sleep(0)
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert await server.has_ended()


async def fault_of_starting(*command: str, limit_s: float = 20) -> LinkError:
    with pytest.raises(LinkError) as caught:
        await LocalServer.start_command(command, limit_s)
    return caught.value


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("", None),
        ("print('hello')", None),
        ("raise SystemExit(3)", None),
        ("""print('{"listening": 3}')""", None),
        ("""print('{"error": "The moon is full."}')""", "The moon is full."),
    ],
)
async def test_a_process_that_does_not_keep_the_contract_is_none_and_may_say_why(
    program: str, reason: str | None
) -> None:
    error = await fault_of_starting(sys.executable, "-I", "-c", program)
    assert error.fault is Fault.LOCAL_FAILED
    assert reason is None or error.params["reason"] == reason


async def test_one_that_is_not_there_is_told_and_a_slow_one_is_not_left_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert (await fault_of_starting("no such program")).fault is Fault.LOCAL_FAILED
    started, launch = list["subprocess.Popen[bytes]"](), programs._launch

    def noted(command: tuple[str, ...]) -> "subprocess.Popen[bytes]":
        started.append(launch(command))
        return started[-1]

    monkeypatch.setattr(programs, "_launch", noted)
    sleeps = ("sh", "-c", "sleep 600 & wait")  # both hold its output open
    assert (await fault_of_starting(*sleeps, limit_s=0.2)).fault is Fault.LOCAL_SLOW
    assert [process.returncode for process in started] == [-signal.SIGKILL]


# A replay: its answers, its refusals, its end -----------------------------------------------------


@pytest.mark.parametrize(
    ("record", "why"),
    [(b"{}", "format must be"), (b"", "a JSON object"), (b"\xff\x00", "a JSON object")],
)
async def test_what_is_no_record_is_refused_with_a_reason(record: bytes, why: str) -> None:
    with pytest.raises(NoReplay, match=why):
        await Projector.start(record)
    with pytest.raises(NoReplay, match=why):
        await Reviewer.start(record, 0)


async def test_a_process_that_hangs_is_ended_and_its_late_answer_is_nobodys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    projector = await Projector.start(line(played("m1")).strip())
    hangs = projector.process
    hangs.send_signal(signal.SIGSTOP)
    with monkeypatch.context() as soon, pytest.raises(NoReplay):
        soon.setattr(records, "ANSWER_S", 0.01)
        await projector.hear(0)
    with suppress(ProcessLookupError):
        hangs.send_signal(signal.SIGCONT)
    with pytest.raises(NoReplay):
        await projector.show(1, 0)
    assert hangs.returncode is not None


# A review: its findings, its refusals, its end ----------------------------------------------------


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


@pytest.mark.parametrize("tells", [(1, 1), (0,), (1, 0)])
async def test_where_one_ends_by_itself_another_goes_on_as_long_as_that_leads_on(
    tells: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = line(played("m1")).strip()
    begun, found = planted(record, 0, {})
    rest, told, seen = found[-2:], [*tells], list[Reviewed]()

    async def ends(_reviewer: Reviewer) -> AsyncIterator[Finding]:
        for _finding in range(told.pop(0)):
            yield rest.pop()
        if rest:
            raise NoReplay("")

    monkeypatch.setattr(Reviewer, "findings", ends)
    async with aclosing(made(record, "", 0, Reviewed(begun, 0, found[:-2]))) as review:
        with nullcontext() if sum(tells) == len(rest) else pytest.raises(NoReplay):
            async for newest in review:
                seen.append(newest)
    assert seen[-1].whole == (sum(tells) > 1) and not told


def made_of(match: str) -> int:
    """How many findings are kept."""
    kept = reviews.of(match)
    return 0 if kept is None else len(kept[1])


@needs_proc
async def test_a_review_that_is_closed_is_kept_as_far_as_it_is_and_leaves_nothing_running(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matches.keep("m1", packed(played("m1")), 0, 1000)
    groups, start = list[int](), Reviewer.start

    async def noted(line: bytes, seat: int, known: Sequence[tuple[int, int]]) -> Reviewer:
        reviewer = await start(line, seat, known)
        groups.append(reviewer.process.pid)
        return reviewer

    monkeypatch.setattr(Reviewer, "start", noted)
    record = line(played("m1")).strip()
    async with aclosing(made(record, "m1", 0)) as review:
        async for newest in review:
            if newest.findings:
                break
        assert len(living(groups[0])) > 1, "workers"
    assert made_of("m1") == len(newest.findings) > 0
    await gone(groups[0])


@needs_proc
async def test_it_ends_with_the_client() -> None:
    reviewer = await Reviewer.start(line(played("m1")).strip(), 0)
    process = reviewer.process
    assert process.stdin is not None
    process.stdin.close()
    async with asyncio.timeout(SOON_S):
        await process.wait()
    await gone(process.pid)
    with pytest.raises(NoReplay):
        async for _finding in reviewer.findings():
            pass
