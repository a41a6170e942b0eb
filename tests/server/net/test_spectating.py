"""A watcher on a slow line is shown the newest state, is not cut, and costs no more than that; and
no match has anything to fear from those who watch it."""

import asyncio
from random import Random
from typing import Any

from hypothesis import given, strategies as st
from msgspec import Struct
from msgspec.structs import replace

from protocol import from_client as client
from protocol.errors import RefusalCode
from protocol.from_server import Ended, Started, Update
from server.config import Limits
from server.net.session import Session
from server.net.spectating import Unshown
from tests.server.net.test_session_limits import deaf
from tests.stage.house import Peer, house, read_view, seated_pair

STEPS = st.lists(st.sampled_from(["play", "take back", "slow", "drained"]), max_size=60)


class Course:
    """A match as a watcher is told of it, and a client that believes what it is sent."""

    def __init__(self) -> None:
        self.sent: list[Struct] = []
        self.unshown = Unshown()
        self.slow = False
        self.stands: list[list[int]] = []
        self.version = 0
        self.believed: list[int] = []
        self.heard_of = 0
        self._events = 0
        self._revocable = False

    def _receive(self, message: Struct) -> None:
        self.sent.append(message)
        if isinstance(message, Update):
            if message.taken_back:
                del self.believed[-message.taken_back :]
            self.believed += message.events
            self.heard_of += 1 + message.skipped

    def show(self, message: Struct) -> None:
        if self.slow:
            self.unshown.add(message)
        else:
            self._receive(message)

    def drained(self, match: str) -> None:
        self.slow = False
        for message in self.unshown.take(match):
            self._receive(message)

    def step(self, step: str) -> None:
        match step:
            case "slow":
                self.slow = True
            case "drained":
                self.drained("m")
            case "play":
                self._events += 2
                self.stands.append([self._events - 1, self._events][: 1 + self.version % 2])
                self._tell(self.stands[-1], 0)
                self._revocable = True
            case "take back" if self._revocable:
                self._tell([], len(self.stands.pop()))
                self._revocable = False

    def _tell(self, events: list[int], taken_back: int) -> None:
        self.version += 1
        view: Any = self.version
        self.show(
            Update(
                match="m",
                version=self.version,
                ply=len(self.stands),
                view=view,
                events=events,
                taken_back=taken_back,
            )
        )


@given(STEPS)
def test_what_was_left_out_is_counted_and_nothing_stands_that_does_not(steps: list[str]) -> None:
    course = Course()
    for step in steps:
        course.step(step)
        assert len(course.unshown.waiting) <= 1
    course.step("drained")
    standing = [event for events in course.stands for event in events]
    assert all(event in standing for event in course.believed)
    assert course.believed == sorted(course.believed)
    assert course.heard_of == course.version
    if course.version:
        last = course.sent[-1]
        assert isinstance(last, Update)
        assert (last.version, last.ply) == (course.version, len(course.stands))


def test_the_next_match_is_seen_instead_of_the_end_of_the_last() -> None:
    course = Course()
    course.step("slow")
    for step in ("play", "play"):
        course.step(step)
    course.show(Ended(match="m"))
    again = Started(match="n", table="T", game="clocktowers", sha256="")
    course.show(again)
    course.drained("n")
    assert course.sent == [again]


def test_nothing_of_a_table_that_was_left_comes_late() -> None:
    course = Course()
    course.step("slow")
    course.step("play")
    course.drained("")
    assert course.sent == []
    course.step("play")
    assert len(course.sent) == 1


# Over a socket that nobody reads ----------------------------------------------------------------

OUTBOX_BYTES = 12 * 1024
FEW_BYTES = 1024


async def played(ann: Peer, ben: Peer, there: Session) -> int:
    """To the end; how many bytes waited for the watcher at most."""
    transport, most_bytes = there.transport, 0
    assert transport is not None
    other = asyncio.create_task(ben.play(Random(2)))
    for ply in range(5, 1000, 5):
        result = await ann.play(Random(ply), ply)
        most_bytes = max(most_bytes, transport.get_write_buffer_size())
        assert there._unshown is None or len(there._unshown.waiting) <= 2
        if isinstance(result, Ended):
            break
    assert isinstance(await other, Ended)
    return most_bytes


async def test_a_watcher_who_does_not_read_sees_the_newest_state_in_the_end() -> None:
    """They read nothing of a whole match before it is over."""
    limits = Limits(outbox_bytes=OUTBOX_BYTES, backlog_bytes=FEW_BYTES)
    async with house(limits=limits) as at:
        ann, ben, code = await seated_pair(at)
        peer, there = await deaf(at, client.Watch(id=0, table=code))
        assert await played(ann, ben, there) < OUTBOX_BYTES / 2
        assert there in at.server.peers.connected, "they are not cut"
        peer.read_again()
        await peer.until(Ended)
        peer.abort()
    updates = [message for message in peer.seen if isinstance(message, Update)]
    assert max(update.skipped for update in updates) > 10
    assert sum(1 + update.skipped for update in updates) == updates[-1].version + 1
    assert read_view(updates[-1]).turn is None
    assert sum(isinstance(message, Ended) for message in peer.seen) == 1


async def test_a_seat_is_sent_everything_however_slow_its_line() -> None:
    async with house() as at:
        ann, ben, _code = await seated_pair(at)
        for one in at.server.peers.admitted:
            one.slow = True
        for result in await asyncio.gather(ann.play(Random(1)), ben.play(Random(2))):
            assert isinstance(result, Ended)
        for peer in (ann, ben):
            updates = [message for message in peer.seen if isinstance(message, Update)]
            assert [update.version for update in updates] == list(range(len(updates)))
            assert not any(update.skipped for update in updates)
            await peer.close()


async def test_who_has_a_seat_is_not_sent_what_waited_for_a_watcher() -> None:
    async with house() as at:
        ann, ben, code = await seated_pair(at)
        eve = await at.peer("Eve")
        await eve.done(client.Watch(id=0, table=code))
        there = at.session("Eve")
        there.pause_writing()
        await asyncio.gather(ann.play(Random(1)), ben.play(Random(2)))
        assert there._unshown is not None and there._unshown.waiting
        await ben.done(client.Leave(id=0))
        await eve.done(client.Join(id=0, table=code))
        eve.seen.clear()
        there.resume_writing()
        await eve.done(client.Ready(id=0))
        assert not [message for message in eve.seen if isinstance(message, Update | Ended)]


# What spectators cannot do ----------------------------------------------------------------------

WISHES: list[client.Request] = [
    client.Act(id=0, version=0, key=b"k", action=["draw", 0]),
    client.Act(id=0, version=0, key=b"l", action=["discard", 2]),
    client.TakeBack(id=0, version=0, key=b"m"),
    client.Ready(id=0),
    client.Start(id=0),
    client.Rematch(id=0),
    client.SetBot(id=0, seat=0, level="easy"),
    client.SetBot(id=0, seat=1),
    client.Join(id=0, table="", seat=0),
    client.Resume(id=0, match="", token=b"\0" * 32),
    client.Watch(id=0, table=""),
    client.CreateTable(id=0, game="clocktowers", seats=2),
]


async def test_who_watches_changes_nothing_in_a_match() -> None:
    """Whatever they ask for is refused."""
    async with house() as at, await at.peer("Eve") as eve:
        ann, ben, code = await seated_pair(at)
        table, match = at.table(code), at.table(code).match
        assert match is not None

        def what_counts() -> tuple[Any, ...]:
            info = replace(table.news.info(), age_s=0)
            return info, match.version, match._course.ply, len(at.server.lobby.tables)

        await eve.done(client.Watch(id=0, table=code))
        before, codes = what_counts(), list[str]()
        for wish in WISHES:
            if isinstance(wish, client.Join | client.Watch):
                wish = replace(wish, table=code)
            elif isinstance(wish, client.Resume):
                wish = replace(wish, match=match.id)
            elif isinstance(wish, client.Act | client.TakeBack):
                wish = replace(wish, version=match.version)
            codes.append((await eve.refused(wish)).code)
        assert what_counts() == before
        assert codes[:3] == [RefusalCode.NOT_SEATED] * 3
        for result in await asyncio.gather(ann.play(Random(1)), ben.play(Random(2))):
            assert isinstance(result, Ended)
