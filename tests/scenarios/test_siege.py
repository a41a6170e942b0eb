"""A server killed at random moments loses and doubles nothing; a server
that promises early does."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import structs

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.lasting_link import LastingLink
from protocol.errors import RefusalCode
from protocol.from_client import CreateTable, Join, Kick, Leave, Resume
from protocol.from_server import Done, Refused, SeatToken, Started, Update
from server.config import Limits
from server.store.journal import NO_TOKENS, Header, TokenHashes
from tests.scenarios.test_restarts import Seated, falls
from tests.stage.changed_server import NOT_YET, changed
from tests.stage.house import READY, START, Peer, house
from tests.stage.memory_journal import MemoryJournal
from tests.stage.postgres import Cluster, Pair, cluster, needs_postgres
from tests.stage.processes import PROGRAM, Process, started
from tests.stage.siege import EARLY_ACK, PATIENT, Findings, Siege
from tests.stage.slow_disk import HELD, SLOW


def held_out(findings: Findings) -> None:
    assert findings.acknowledged > 100
    assert not findings.broken, findings
    assert '"level": "error"' not in findings.errors, findings.errors


async def test_three_kills(tmp_path: Path) -> None:
    held_out(await Siege(players=12, seed=1).run(tmp_path, 3, PROGRAM))


@pytest.mark.soak
async def test_a_server_that_acknowledges_before_it_commits_is_caught(tmp_path: Path) -> None:
    findings = await Siege(players=12, seed=1).run(tmp_path, 3, EARLY_ACK)
    assert findings.lost > 0, findings
    assert findings.steps_back > 0, findings


@needs_postgres
@pytest.mark.parametrize(
    ("database", "players", "seed", "blows"),
    [
        pytest.param(cluster, 12, 2, 1, id="one"),
        pytest.param(cluster, 40, 3, 10, id="one, long", marks=pytest.mark.soak),
        pytest.param(Pair, 40, 4, 3, id="a synchronous standby", marks=pytest.mark.soak),
    ],
)
async def test_the_server_and_its_database_killed_in_turn(
    tmp_path: Path,
    database: Callable[[], Cluster | Pair],
    players: int,
    seed: int,
    blows: int,
) -> None:
    struck = database()
    try:
        findings = await Siege(players, seed, struck).run(tmp_path, blows, PROGRAM)
    finally:
        if isinstance(struck, Pair):
            struck.close()
    assert findings.acknowledged > (1000 if players > 12 else 100)
    assert not findings.broken, findings


@pytest.mark.soak
@needs_postgres
async def test_a_database_that_acknowledges_before_it_is_safe_is_caught(tmp_path: Path) -> None:
    with closing(Cluster(*NOT_YET)) as unsafe:
        findings = await Siege(players=12, seed=2, cluster=unsafe).run(
            tmp_path, 1, changed("unsafe")
        )
    assert findings.lost > 0, findings


@pytest.mark.soak
@needs_postgres
async def test_a_standby_that_nobody_waits_for_is_caught(tmp_path: Path) -> None:
    """The server would refuse it."""
    with closing(Pair(synchronous=False)) as pair:
        findings = await Siege(players=12, seed=2, cluster=pair).run(tmp_path, 1, changed("unsafe"))
    assert findings.lost > 0, findings


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
async def test_twenty_kills_and_forty_players(tmp_path: Path, seed: int) -> None:
    findings = await Siege(players=40, seed=seed).run(tmp_path, 20, PROGRAM)
    print(findings)
    held_out(findings)


# A player who left or was kicked is gone ----------------------------------------------------------


SERVE = ("serve", "--host", "127.0.0.1", "--port", "0")
BEN = b"b" * 32


@asynccontextmanager
async def serving(home: Path, program: Sequence[str] = PROGRAM) -> AsyncIterator[Process]:
    async with started(home, *SERVE, env=PATIENT, program=program) as server:
        await server.listens()
        yield server


async def seated(server: Process) -> tuple[Peer, Peer, str]:
    """Two people at a table whose host may begin."""
    ann, ben = await server.peer("Ann"), await server.peer("Ben", identity=BEN)
    code = await ann.create(seats=2, options={"first_seat": 0})
    await ben.done(Join(id=0, table=code))
    await ben.done(READY)
    return ann, ben, code


async def leaves(_ann: Peer, ben: Peer) -> None:
    await ben.done(Leave(id=0))


async def is_kicked(ann: Peer, _ben: Peer) -> None:
    await ann.done(Kick(id=0, name="Ben"))


async def is_kicked_while_gone(ann: Peer, ben: Peer) -> None:
    ben.abort()
    await ann.answered()
    await ann.done(Kick(id=0, name="Ben"))


@pytest.mark.parametrize("goes", [leaves, is_kicked, is_kicked_while_gone])
async def test_who_goes_in_a_match_is_gone(
    tmp_path: Path, goes: Callable[[Peer, Peer], Awaitable[None]]
) -> None:
    async with serving(tmp_path, SLOW) as server:
        ann, ben, code = await seated(server)
        await ann.done(START)
        token = await ben.until(SeatToken)
        await ben.until(Update)
        await ann.play(Random(1), 1)
        await goes(ann, ben)
        await falls(server, signal.SIGKILL)
    async with serving(tmp_path) as server:
        again = await server.peer("Ben", identity=BEN)
        refused = await again.refused(Resume(id=0, match=token.match, token=token.token))
        assert refused.code == RefusalCode.BAD_TOKEN
        refused = await again.refused(Join(id=0, table=code, seat=1))
        assert refused.code == RefusalCode.MATCH_RUNNING


async def test_who_leaves_between_the_start_and_its_started_is_gone(tmp_path: Path) -> None:
    """The answer comes when the journal has the match and the leave; nothing of the match is sent
    to the player who left, and the seat is nobody's."""
    async with serving(tmp_path, SLOW) as server:
        ann, ben, code = await seated(server)
        (held := tmp_path / HELD).touch()
        ann.send(structs.replace(START, id=90))
        await ann.answered()
        ben.send(Leave(id=91))
        await ben.answered()
        assert not any(isinstance(one, Done) and one.id >= 90 for one in (*ann.seen, *ben.seen))
        held.unlink()
        assert isinstance(await ben.answer(91), Done) and isinstance(await ann.answer(90), Done)
        assert any(isinstance(message, SeatToken) for message in ann.seen)
        await ben.answered()
        assert not any(isinstance(message, Started | SeatToken) for message in ben.seen)
        await falls(server, signal.SIGKILL)
    async with serving(tmp_path) as server:
        again = await server.peer("Ben", identity=BEN)
        answer = await again.request(Join(id=0, table=code, seat=1))
        assert isinstance(answer, Refused) or not (isinstance(answer, Done) and answer.name)


# The line breaks just after `start` ---------------------------------------------------------------


class Cut(MemoryJournal):
    """Cuts every line at the moment at which a match has been kept."""

    lines: Callable[[], list[Any]] = list

    async def begin(self, header: Header, tokens: TokenHashes = NO_TOKENS) -> None:
        await super().begin(header, tokens)
        for session in self.lines():
            session.transport.abort()


async def test_a_client_whose_line_breaks_before_its_token_finds_its_match() -> None:
    """By itself, by the table and its identity; two of the same home have each their own seat."""
    journal = Cut()
    async with house(journal=journal, limits=Limits(commands_s=1e6)) as at:
        journal.lines = lambda: list(at.server.peers.admitted)
        links = [await LastingLink.open(Address(*at.address), name) for name in ("Ann", "Ben")]
        players = [Seated(link) for link in links]
        made = await links[0].request(CreateTable(id=0, game="clocktowers", seats=2))
        assert isinstance(made, Done)
        for link, wish in ((links[1], Join(id=0, table=made.table)), (links[1], READY)):
            assert isinstance(await link.request(wish), Done)
        with pytest.raises(LinkError):
            await links[0].request(START)
        ends = await asyncio.gather(*(player.to_the_end(Random(1)) for player in players))
        assert all(end.outcome is not None for end in ends)
        assert [link.welcome.name for link in links] == ["Ann", "Ben"]
        for player in players:
            await player.link.close()
            await player.running
