"""What the programs that watch a server are told: a service manager over a real notify socket, and
others by HTTP, from a server on which a match is played."""

import asyncio
import http.client
import os
import re
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random

import pytest
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from protocol.codec import encode_frame
from protocol.from_client import ListTables, Watch
from protocol.from_server import Refused
from server.config import Limits
from server.health import pages
from server.health.pages import HOST, Pages
from server.health.watched import ServiceManager, pages_at, watched
from server.net.listener import CannotListen
from server.settings import ConfigError
from server.store.journal import JournalError
from tests.stage.house import CLOSING, PATIENCE_S, START, House, eventually, house
from tests.stage.memory_journal import MemoryJournal
from tests.stage.processes import needs_proc, started

# The service manager ------------------------------------------------------------------------------

BEAT_S = 0.1


class Manager:
    """The service manager's end."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self._socket.setblocking(False)
        self.env = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": str(int(2 * BEAT_S * 1e6))}

    async def hears(self) -> list[str]:
        """The lines of the next message."""
        async with asyncio.timeout(PATIENCE_S):
            heard = await asyncio.get_running_loop().sock_recv(self._socket, 4096)
        return heard.decode().split("\n")

    async def until(self, line: str) -> list[str]:
        while line not in (lines := await self.hears()):
            pass
        return lines

    def forgets(self) -> int:
        """Drop what has come; return how much that was."""
        for number in count():
            try:
                self._socket.recv(4096)
            except BlockingIOError:
                return number
        raise AssertionError

    def close(self) -> None:
        self._socket.close()


@asynccontextmanager
async def managed(address: str) -> AsyncIterator[Manager]:
    manager = Manager(address)
    try:
        yield manager
    finally:
        manager.close()


@needs_proc
@pytest.mark.parametrize("abstract", [False, True])
async def test_it_is_told_when_the_server_listens_turns_and_stops(
    tmp_path: Path, abstract: bool
) -> None:
    address = f"@clocktowers-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    serve = ("serve", "--host", "127.0.0.1", "--port", "0")
    async with managed(address) as manager, started(tmp_path, *serve, env=manager.env) as server:
        first = await manager.hears()
        assert first == ["READY=1", "STATUS=0 connections, 0 tables"]
        await server.listens()
        async with await server.peer("Ann") as ann:
            await ann.create()
            assert "WATCHDOG=1" in await manager.until("STATUS=1 connections, 1 tables")
        server.signal(signal.SIGTERM)
        assert await manager.until("STOPPING=1")
        assert await server.ends() == 0


async def test_a_loop_that_is_stuck_is_silent_whatever_else_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the process runs on, and only its loop does not turn."""
    async with managed(str(tmp_path / "notify")) as manager:
        for name, value in manager.env.items():
            monkeypatch.setenv(name, value)
        async with house() as at, watched(at.server):
            await manager.until("WATCHDOG=1")
            manager.forgets()
            time.sleep(5 * BEAT_S)  # noqa: ASYNC251  (that is the point)
            assert manager.forgets() == 0
            for _ in range(2):
                await manager.until("WATCHDOG=1")


def test_a_watchdog_of_another_process_is_not_fed() -> None:
    env = {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "30000000"}
    assert ServiceManager(env).watchdog_s == 30
    assert ServiceManager({**env, "WATCHDOG_PID": str(os.getpid())}).watchdog_s == 30
    assert ServiceManager({**env, "WATCHDOG_PID": "1"}).watchdog_s is None
    assert ServiceManager({**env, "WATCHDOG_USEC": "soon"}).watchdog_s is None
    assert ServiceManager({"WATCHDOG_USEC": "30000000"}).watchdog_s is None
    ServiceManager(env).ready("nobody listens there")


# Pages --------------------------------------------------------------------------------------------


class Shown:
    """A server whose pages are shown."""

    def __init__(self, at: House, port: int) -> None:
        self.at = at
        self.port = port

    async def page(self, path: str) -> tuple[int, str]:
        return await asyncio.to_thread(self.fetch, path)

    def fetch(self, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=30)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    async def answers(self, path: str) -> None:
        """However often the short limit ends our own question, too."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                with suppress(OSError, http.client.HTTPException):
                    assert (await self.page(path))[0] == 200
                    return

    async def settled_figures(self) -> dict[str, float]:
        """When each move is counted as kept, too: a bot may be between the two."""
        moves, kept = "clocktowers_moves_total['clocktowers']", "clocktowers_journal_append_seconds"
        async with asyncio.timeout(PATIENCE_S):
            while (found := await self.figures())[f"{kept}_count[]"] < found[moves]:
                pass
        return found

    async def figures(self) -> dict[str, float]:
        """Each sample by its name and labels."""
        code, text = await self.page("/metrics")
        assert code == 200, text
        return {
            f"{sample.name}{list(sample.labels.values())}": sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }


@asynccontextmanager
async def shown(
    journal: MemoryJournal | None = None, limits: Limits | None = None
) -> AsyncIterator[Shown]:
    with Pages(0) as listening:
        kept, traffic = (
            listening.figures.journal(journal or MemoryJournal()),
            listening.figures.traffic,
        )
        async with (
            house(limits=limits, journal=kept, traffic=traffic) as at,
            listening.serving(at.server),
        ):
            yield Shown(at, listening.server_port)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "PAUSE_S", 0.0)


@contextmanager
def silent(port: int, number: int) -> Iterator[list[socket.socket]]:
    """Scrapers that connect and ask for nothing."""
    with ExitStack() as stack:
        yield [stack.enter_context(socket.create_connection((HOST, port))) for _ in range(number)]


async def test_what_a_match_leaves_in_the_figures() -> None:
    async with shown(limits=CLOSING) as server:
        async with await server.at.peer("Annabella") as ann, await server.at.peer("Ben") as ben:
            code = await ann.create(seats=3, bots="normal", title="Thursdays")
            await ben.done(Watch(id=0, table=code))
            refusal = (await ben.refused(START)).code
            await ann.done(START)
            await ann.play(Random(1), 9)
            before = await server.settled_figures()
            _, text = await server.page("/metrics")
            match = server.at.table(code).match
            assert match is not None
            journal = server.at.server.journal
            _, entries = await journal.load(match.id)
        lobby, peers = server.at.server.lobby, server.at.server.peers
        await eventually(lambda: not (peers.connected or lobby.tables))
        after = await server.figures()
    played = "['clocktowers', 'playing']"
    assert before["clocktowers_connections[]"] == 2 and after["clocktowers_connections[]"] == 0
    assert before[f"clocktowers_tables{played}"] == 1 and after[f"clocktowers_tables{played}"] == 0
    assert before["clocktowers_seats['clocktowers', 'bot']"] == 2
    assert before["clocktowers_seats['clocktowers', 'human']"] == 1
    assert before["clocktowers_watchers['clocktowers']"] == 1
    assert before["clocktowers_watchers['architetti_attenti']"] == 0
    assert before[f"clocktowers_refusals_total['{refusal}']"] == 1
    assert before["clocktowers_matches_begun_total['clocktowers']"] == 1
    moves = before["clocktowers_moves_total['clocktowers']"]
    assert 9 <= moves <= len(entries)
    assert before["clocktowers_messages_total['in', 'hello']"] == 2
    assert "process_resident_memory_bytes[]" in before
    names = {name for name in re.findall(r"^# HELP (clocktowers_\w+)", text, re.M)}
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text("utf-8")
    documented = set(re.findall(r"`(clocktowers_\w+)`", page))
    assert {name.removesuffix("_total") for name in names} == documented
    for private in ("Annabella", "Thursdays", str(code), str(match.id), "127.0.0.1"):
        assert private not in text


async def test_bytes_are_those_of_the_frames() -> None:
    async with shown() as server, await server.at.peer("Ann") as ann:
        sent = encode_frame(Watch(id=7, table="AAAA"))
        ann.write(sent)
        assert isinstance(refused := await ann.answer(7), Refused)
        figures = await server.figures()
    assert figures["clocktowers_bytes_total['in', 'watch']"] == len(sent)
    assert figures["clocktowers_bytes_total['out', 'refused']"] == len(encode_frame(refused))


async def test_limits_that_were_met_are_counted() -> None:
    limits = Limits(connections=1, commands_burst=1, commands_s=50)
    async with shown(limits=limits) as server, await server.at.peer("Ann") as ann:
        assert not [key for key in await server.figures() if "limits_met" in key]
        await server.at.turned_away("Ben")
        for _ in range(3):
            ann.send(ListTables(id=1))
        await ann.answered()
        figures = await server.figures()
    assert figures["clocktowers_limits_met_total['connections']"] == 1
    assert figures["clocktowers_limits_met_total['commands_s']"] >= 1
    assert figures["clocktowers_goodbyes_total['full']"] == 1


async def test_silent_scrapers_keep_nobody_out_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "LIMIT_S", 0.3)
    monkeypatch.setattr(pages._Handler, "timeout", 0.3)
    async with shown() as server, await server.at.peer("Ann") as ann:
        with silent(server.port, 3 * pages.PLACES) as scrapers:
            await ann.answered()  # the players do not wait for them
            await server.answers("/healthz")
            for one in scrapers:
                one.settimeout(30)
                assert await asyncio.to_thread(one.recv, 1) == b""


@pytest.mark.parametrize(
    "sent", [b"\xff\x00\n\n", b"GET /" + b"x" * 70000, b"GET /metrics\r\n" * 9]
)
async def test_nonsense_harms_nothing(sent: bytes) -> None:
    async with shown() as server, await server.at.peer("Ann") as ann:
        with silent(server.port, 1) as (scraper,):
            await asyncio.to_thread(scraper.sendall, sent)
            assert (await server.page("/metrics"))[0] == 200
        await ann.answered()


async def test_a_loop_that_is_stuck_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown() as server:
        assert (await server.page("/healthz"))[0] == 200
        with monkeypatch.context() as patch:
            patch.setattr(pages, "LOOP_S", 0.02)
            for path in ("/healthz", "/readyz", "/metrics"):
                code, why = server.fetch(path)  # in the loop, which turns no more until it is told
                assert code == 503 and "loop" in why
        assert (await server.page("/healthz"))[0] == 200


class Stuck(MemoryJournal):
    """`how` is what a write comes to; None: it takes for ever."""

    how: Exception | None = None
    probes = 0

    async def probe(self) -> None:
        self.probes += 1
        if self.how is not None:
            raise self.how
        await asyncio.Event().wait()


async def test_it_is_ready_while_the_journal_can_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages, "LOOP_S", PATIENCE_S)
    monkeypatch.setattr(pages, "JOURNAL_S", 0.05)
    journal = Stuck()
    async with shown(journal) as server:
        for _ in range(2):
            code, why = await server.page("/readyz")
            assert code == 503 and "written nothing" in why
        assert journal.probes == 1, "a disk that hangs has one thing to do"
        assert (await server.page("/healthz"))[0] == 200
    journal.how = JournalError("disk full")
    async with shown(journal) as server:
        assert await server.page("/readyz") == (503, "the journal cannot be written: disk full\n")


async def test_a_bug_of_ours_is_logged_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown() as server:
        monkeypatch.delattr(server.at.server, "brains")
        with capture_logs() as logged:
            assert (await server.page("/metrics"))[0] == 500
        assert [line["event"] for line in logged] == ["page failed"]
        monkeypatch.undo()
        assert (await server.page("/healthz"))[0] == 200


async def test_it_is_not_ready_while_it_drains() -> None:
    async with shown() as server:
        assert await server.page("/readyz") == (200, "ok\n")
        server.at.server.drain.begin()
        assert (await server.page("/readyz"))[0] == 503
        assert (await server.figures())["clocktowers_draining[]"] == 1


async def test_other_paths_and_a_port_that_is_taken() -> None:
    async with shown() as server:
        code, text = await server.page("/")
        assert code == 404 and "/metrics" in text
        with pytest.raises(CannotListen, match="--metrics-port"):
            Pages(server.port)


def test_without_the_library_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "server.health.pages", None)
    with pytest.raises(ConfigError, match=r"\[metrics\]"):
        pages_at(9000)
