"""The journal fails in the middle of a match, or has lost what players have seen: they are told,
and the match goes on when that is over; in a real file, and in a real PostgreSQL."""

import asyncio
import ctypes
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from threading import Thread
from typing import Final

import pytest
from msgspec import Struct, structs
from structlog.testing import capture_logs

from protocol.from_client import Act, Join
from protocol.from_server import Done, Ended, Notice, NoticeCode, Update
from server.matches import match_journal
from server.store.journal import JournalError
from server.store.sqlite import FILE_NAME, SqliteJournal, connect_to, journal_in
from server.store.statements import SqlConnection
from tests.scenarios.test_restarts import back as seat_again
from tests.stage.house import READY, START, House, Peer, house, read_view, seated_pair, some_act
from tests.stage.postgres import cluster, needs_postgres
from tests.stage.stores import header


class File:
    """A journal in SQLite, and a limit on how large its file may grow."""

    def __init__(self, folder: Path) -> None:
        self._connection: SqlConnection = connect_to(folder / FILE_NAME)
        # Small pages, so that a few actions need a new one.
        self._connection.execute("PRAGMA page_size = 512")
        self.journal = SqliteJournal(lambda: self._connection, FILE_NAME)

    def fail(self) -> None:
        """Not a page more. What lies in free pages can still be written over."""
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        self._allow(pages)

    def mend(self) -> None:
        self._allow(1_000_000)

    def close(self) -> None:
        """The folder goes by itself."""

    def _allow(self, pages: int) -> None:
        self._connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()


BALLAST: Final = (
    "ALTER TABLE entry SET (fillfactor = 10, autovacuum_enabled = off)",
    "ALTER TABLE match SET (autovacuum_enabled = off)",
    "ALTER TABLE entry ALTER action SET STORAGE PLAIN",
    'ALTER TABLE match ALTER "table" SET STORAGE PLAIN',
    "INSERT INTO entry SELECT -n, 1, 0, '', 0, convert_to(repeat('x', 8000), 'UTF8'), '', '', 0 "
    "FROM generate_series(1, 160) AS n",
    'INSERT INTO match (id, game, rules_version, options, seats, seed, "table", link, began_at, '
    "held) SELECT n::text, '', 1, '', 2, '', convert_to(repeat('x', 8000), 'UTF8'), '', 0, 0 "
    "FROM generate_series(1, 160) AS n",
)
"""Rows of a page each, so that the next ones soon need another page, and nobody makes room in those
that are there. PostgreSQL could not write its own log with less in its files."""
FAULTS: Final = ("full", "killed", "read-only", "hangs")
OVER_TCP: Final = ("hangs over TCP", "packets are dropped")
WAIT_S: Final = 1.0
"""How long it is waited for an answer; libpq waits two seconds for a connection at least."""
SIZES: Final = "SELECT pg_relation_size('entry'), pg_relation_size('match')"


class InPostgres:
    """A journal in PostgreSQL, and how that fails."""

    def __init__(self, fault: str) -> None:
        from server.store.connecting import Lasting
        from server.store.postgres import PostgresJournal

        url = cluster().fresh()
        self._fault = fault
        self._wire = Wire(cluster().socket) if fault in OVER_TCP else None
        if self._wire is not None:
            url = self._wire.url(url)
        self.journal = PostgresJournal(lambda: Lasting(url, WAIT_S), url)
        if fault == "full":
            for statement in BALLAST:
                cluster().ask(statement, url)
            ((self._bytes, same),) = cluster().ask(SIZES, url)
            assert self._bytes == same

    def fail(self) -> None:
        match self._fault:
            case "full":
                cluster().limit(self._bytes)
            case "killed":
                cluster().kill()
            case "read-only":
                self._only_read("on")
            case "hangs" | "hangs over TCP":
                cluster().hang()
            case _ if self._wire is not None:
                self._wire.drop()

    def mend(self) -> None:
        """Also after the test, wherever that has ended."""
        match self._fault:
            case "full":
                cluster().limit()
            case "killed" if not cluster().runs:
                cluster().start()
            case "read-only":
                self._only_read("off")
            case "hangs" | "hangs over TCP":
                cluster().go_on()
            case _ if self._wire is not None:
                self._wire.pass_on()

    def close(self) -> None:
        self.mend()
        if self._wire is not None:
            self._wire.close()

    def _only_read(self, switch: str) -> None:
        cluster().ask(f"ALTER SYSTEM SET default_transaction_read_only = {switch}")
        cluster().ask("SELECT pg_reload_conf()")


@pytest.fixture
async def disk(
    request: pytest.FixtureRequest, tmp_path: Path
) -> "AsyncIterator[File | InPostgres]":
    made = File(tmp_path) if request.param == "file" else InPostgres(request.param)
    yield made
    made.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_journal, "FIRST_PAUSE_S", 0.001)


async def until_nothing_is_answered(peers: list[Peer], rng: Random) -> tuple[Peer, Act]:
    """The players who wait for the disk, and their requests."""
    for _ in range(100):
        for peer in peers:
            update = await newest(peer)
            if read_view(update).turn != read_view(update).seat:
                continue
            act = structs.replace(some_act(update, rng), id=1000 + update.version)
            peer.send(act)
            word = await peer.until(Struct, partial(said, number=act.id))
            if isinstance(word, Notice):
                return peer, act
    raise AssertionError("the disk is not full")


def said(word: Struct, number: int) -> bool:
    """The result: done, or why it is not."""
    if isinstance(word, Notice):
        return word.code == NoticeCode.DISK_FAILS
    return isinstance(word, Done) and word.id == number


async def newest(peer: Peer) -> Update:
    """The view after everything that was asked for so far."""
    await peer.answered()
    return [message for message in peer.seen if isinstance(message, Update)][-1]


HERE: Final = ["file", *(pytest.param(fault, marks=needs_postgres) for fault in FAULTS)]
ELSEWHERE: Final = [pytest.param(fault, marks=needs_postgres) for fault in OVER_TCP]


@pytest.mark.parametrize("disk", [*HERE, *ELSEWHERE], indirect=True)
async def test_a_match_waits(disk: File | InPostgres, impatient: None) -> None:
    """It goes on when the disk works again, with every action once in the journal."""
    journal = disk.journal
    async with house(journal=journal) as at:
        ann, ben, code = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1), 2), ben.play(Random(2), 2))
        disk.fail()
        actor, act = await until_nothing_is_answered([ann, ben], Random(3))
        match = at.table(code).match
        assert match is not None
        other = ben if actor is ann else ann
        await other.until(Notice, lambda notice: notice.code == NoticeCode.DISK_FAILS)
        version = match.version
        disk.mend()
        answer = await actor.until(Done, lambda done: done.id == act.id)
        assert answer.version == version + 1
        assert len((await journal.load(match.id))[1]) == version + 1
        await other.until(Notice, lambda notice: notice.code == NoticeCode.DISK_WORKS)
        for peer in (ann, ben):
            update = await newest(peer)
            peer.pending.clear()
            peer.pending.append(update)
        ends = await asyncio.gather(ann.play(Random(4)), ben.play(Random(5)))
        assert all(isinstance(end, Ended) and end.outcome is not None for end in ends)
        for peer in (ann, ben):
            await peer.close()
    await journal.close()


@pytest.mark.parametrize("disk", HERE, indirect=True)
async def test_a_match_that_cannot_begin_yet(disk: File | InPostgres, impatient: None) -> None:
    """Everybody sits there and `start` is not answered; the cards are dealt as soon as the journal
    can hold them."""
    journal = disk.journal
    async with house(journal=journal) as at:
        disk.fail()
        with pytest.raises(JournalError):
            for number in range(10_000):
                await journal.begin(header(f"another {number}"))
        ann, ben = await at.peer("Ann"), await at.peer("Ben")
        code = await ann.create(seats=2)
        await ben.done(Join(id=0, table=code))
        await ben.done(READY)
        ann.send(structs.replace(START, id=99))
        await ann.until(Notice, lambda notice: notice.code == NoticeCode.DISK_FAILS)
        assert not any(isinstance(message, Done) and message.id == 99 for message in ann.seen)
        disk.mend()
        await ann.until(Notice, lambda notice: notice.code == NoticeCode.DISK_WORKS)
        await ann.until(Done, lambda done: done.id == 99)
        ends = await asyncio.gather(ann.play(Random(4)), ben.play(Random(5)))
        assert all(isinstance(end, Ended) and end.outcome is not None for end in ends)
        for peer in (ann, ben):
            await peer.close()
    await journal.close()


# Over TCP -----------------------------------------------------------------------------------------


_SO_ATTACH_FILTER: Final = 26
_SO_DETACH_FILTER: Final = 27
_NOTHING: Final = ctypes.create_string_buffer(struct.pack("=HBBI", 0x06, 0, 0, 0), 8)
"""A program for the kernel with one instruction: of this packet take no byte."""
_PROBES: Final = ((socket.TCP_KEEPIDLE, 1), (socket.TCP_KEEPINTVL, 1), (socket.TCP_KEEPCNT, 2))
"""So this end finds out, as a database does, that the other one has gone."""


class Wire:
    """`port`: of 127.0.0.1, leads to the socket `target`."""

    def __init__(self, target: Path) -> None:
        self._target: Final = str(target)
        self._listening: Final = socket.create_server(("127.0.0.1", 0))
        self._ends: Final = [self._listening]
        self.port: Final[int] = self._listening.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def url(self, url: str) -> str:
        """The same database, over this wire."""
        return f"{url}&host=127.0.0.1&port={self.port}"

    def drop(self) -> None:
        """The kernel throws away what comes in from now on, as a router that has vanished."""
        for end in self._ends:
            program = struct.pack("HP", 1, ctypes.addressof(_NOTHING))
            with suppress(OSError):  # it is closed
                end.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, program)

    def pass_on(self) -> None:
        """After `drop`."""
        for end in self._ends:
            with suppress(OSError):  # it is closed, or has none
                end.setsockopt(socket.SOL_SOCKET, _SO_DETACH_FILTER, 0)

    def close(self) -> None:
        for end in self._ends:
            with suppress(OSError):  # its other end has gone
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError), self._listening:
            while True:
                near, _ = self._listening.accept()
                near.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                for option, value in _PROBES:
                    near.setsockopt(socket.IPPROTO_TCP, option, value)
                Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        with near, socket.socket(socket.AF_UNIX) as far:
            self._ends.extend((near, far))
            with suppress(OSError):
                far.connect(self._target)
                back = Thread(target=_pump, args=(far, near), daemon=True)
                back.start()
                _pump(near, far)
                back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


# A journal that has lost what players have seen ---------------------------------------------------


LOST = "DELETE FROM log WHERE version > 2"
"""As a server does that begins on an old copy."""


async def played(folder: Path) -> tuple[Peer, Peer]:
    async with journal_in(folder) as journal, house(journal=journal) as at:
        ann, ben, _code = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1), 6), ben.play(Random(2), 6))
        await ann.answered()
        return ann, ben


async def back(at: House, peer: Peer, version: int) -> list[Notice]:
    again = await seat_again(at, peer, version)
    await again.answered()
    return [message for message in again.seen if isinstance(message, Notice)]


async def test_who_has_seen_more_than_the_journal_has_is_told(tmp_path: Path) -> None:
    ann, ben = await played(tmp_path)
    connection = connect_to(tmp_path / FILE_NAME)
    assert connection.execute(LOST).rowcount
    connection.close()
    with capture_logs() as logs:
        async with journal_in(tmp_path) as journal, house(journal=journal) as at:
            told = [notice for notice in await back(at, ann, 5) if notice.code == "went_back"]
            assert told == [Notice(NoticeCode.WENT_BACK, {"version": 2, "seen": 5})]
            assert not [n for n in await back(at, ben, 2) if n.code == NoticeCode.WENT_BACK]
    (log,) = [log for log in logs if log["event"] == "match went back"]
    assert (log["version"], log["seen"], log["name"]) == (2, 5, "Ann")
