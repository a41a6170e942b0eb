"""The server's disk fills up in the middle of a match: players are told, and the match goes on when
there is room again; with the real journal in a real file."""

import asyncio
from functools import partial
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct, structs

from protocol.from_client import Act, Join
from protocol.from_server import Done, Ended, Notice, NoticeCode, Update
from server.matches import patience
from server.store.journal import JournalError
from server.store.migrating import Connection
from server.store.sqlite import FILE_NAME, SqliteJournal, connect_to
from tests.stage.house import READY, START, Peer, house, read_view, seated_pair, some_act
from tests.stage.stores import header


class Disk:
    """The file's connection, and a limit on how large the file may grow."""

    def __init__(self, file: Path) -> None:
        self.connection: Connection = connect_to(file)
        # Small pages, so that a few actions need a new one.
        self.connection.execute("PRAGMA page_size = 512")

    def fill(self) -> None:
        """Not a page more. What lies in free pages can still be written over."""
        (pages,) = self.connection.execute("PRAGMA page_count").fetchone()
        self._allow(pages)

    def clear(self) -> None:
        self._allow(1_000_000)

    def _allow(self, pages: int) -> None:
        self.connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "FIRST_PAUSE_S", 0.001)


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


async def test_a_match_waits_for_room(tmp_path: Path, impatient: None) -> None:
    disk = Disk(tmp_path / FILE_NAME)
    journal = SqliteJournal(lambda: disk.connection, FILE_NAME)
    async with house(journal=journal) as at:
        ann, ben, code = await seated_pair(at)
        await asyncio.gather(ann.play(Random(1), 2), ben.play(Random(2), 2))
        disk.fill()
        actor, act = await until_nothing_is_answered([ann, ben], Random(3))
        match = at.table(code).match
        assert match is not None
        other = ben if actor is ann else ann
        await other.until(Notice, lambda notice: notice.code == NoticeCode.DISK_FAILS)
        version = match.version
        assert len((await journal.load(match.id))[1]) == version
        disk.clear()
        answer = await actor.until(Done, lambda done: done.id == act.id)
        assert answer.version == version + 1
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


async def test_a_match_that_cannot_begin_yet(tmp_path: Path, impatient: None) -> None:
    """Everybody sits there and `start` is not answered; the cards are dealt as soon as the journal
    can hold them."""
    disk = Disk(tmp_path / FILE_NAME)
    journal = SqliteJournal(lambda: disk.connection, FILE_NAME)
    async with house(journal=journal) as at:
        disk.fill()
        with pytest.raises(JournalError):
            for number in range(1000):
                await journal.begin(header(f"another {number}"))
        ann, ben = await at.peer("Ann"), await at.peer("Ben")
        code = await ann.create(seats=2)
        await ben.done(Join(id=0, table=code))
        await ben.done(READY)
        ann.send(structs.replace(START, id=99))
        await ann.until(Notice, lambda notice: notice.code == NoticeCode.DISK_FAILS)
        assert not any(isinstance(message, Done) and message.id == 99 for message in ann.seen)
        disk.clear()
        await ann.until(Notice, lambda notice: notice.code == NoticeCode.DISK_WORKS)
        await ann.until(Done, lambda done: done.id == 99)
        ends = await asyncio.gather(ann.play(Random(4)), ben.play(Random(5)))
        assert all(isinstance(end, Ended) and end.outcome is not None for end in ends)
        for peer in (ann, ben):
            await peer.close()
    await journal.close()
