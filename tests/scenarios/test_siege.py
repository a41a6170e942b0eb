"""A server killed at random moments, or at the very answer, loses and doubles nothing; a server
that promises early does."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from msgspec import structs

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.lasting_link import LastingLink
from protocol.errors import RefusalCode
from protocol.from_client import CreateTable, Join, Kick, Leave, Request, Resume
from protocol.from_server import Done, Ended, Refused, SeatToken, Started, Update
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


# Just after `start`: all players were told of their match, or nobody was --------------------------


_ANSWERS_EARLY: Final = """
import asyncio, sys
from server.__main__ import main
from server.matches.match import Match
from server.store.sqlite import SqliteJournal
start = Match.start
Match.start = lambda match, begun=lambda: None: (begun(), start(match))
SqliteJournal.begin = lambda journal, *match: asyncio.sleep(60)
sys.exit(main())
"""
EARLY: Final = (sys.executable, "-P", "-c", _ANSWERS_EARLY)
"""A server that answers `start` before the journal has the match: what must be found out."""
START_ID: Final = 1000


@dataclass
class Beginnings:
    """`done`: tables whose host heard that. `told_nobody`: those of them with no token at any
    player. `lost`: seats that are not their player's any more although somebody heard of the
    match."""

    done: int = 0
    told_nobody: int = 0
    lost: int = 0
    errors: str = ""


class Hosted:
    """The players of one table, by seat."""

    def __init__(self, number: int, rng: Random) -> None:
        self.names = (f"Ann{number}", f"Ben{number}")
        self.identities = (rng.randbytes(32), rng.randbytes(32))
        self.peers: list[Peer] = []
        self.table = ""

    async def sit_down(self, server: Process) -> None:
        """To the point where the host may say `start`."""
        self.peers = [
            await server.peer(name, identity=identity)
            for name, identity in zip(self.names, self.identities, strict=True)
        ]
        ann, ben = self.peers
        self.table = (await ann.done(CreateTable(id=0, game="clocktowers", seats=2))).table
        await ben.done(Join(id=0, table=self.table))
        await ben.done(READY)

    def tokens(self) -> list[SeatToken | None]:
        """By seat, the newest token that its player heard."""
        heard = [[m for m in peer.seen if isinstance(m, SeatToken)] for peer in self.peers]
        return [theirs[-1] if theirs else None for theirs in heard]

    @property
    def done(self) -> bool:
        """Whether the host was told that the match begins."""
        return any(isinstance(m, Done) and m.id == START_ID for m in self.peers[0].seen)

    async def come_back(self, server: Process) -> list[bool]:
        """By seat, whether its player has it again: by the token, or without one by identity."""
        tokens, there = self.tokens(), []
        for seat, name in enumerate(self.names):
            peer = await server.peer(name, identity=self.identities[seat])
            token = tokens[seat]
            wish: Request = Join(id=0, table=self.table, seat=seat)
            if token is not None:
                wish = Resume(id=0, match=token.match, token=token.token)
            answer = await peer.request(wish)
            if not isinstance(answer, Refused):
                ended = await peer.until(Ended)
                assert ended.aborted, "nobody had acted"
            there.append(not isinstance(answer, Refused))
        return there


async def at_first_done(pairs: list[Hosted]) -> None:
    """The moment at which a server that promises too early has most to be ashamed of."""
    hosts = [asyncio.ensure_future(pair.peers[0].answer(START_ID)) for pair in pairs]
    await asyncio.wait(hosts, return_when=asyncio.FIRST_COMPLETED)
    for host in hosts:
        host.cancel()
    await asyncio.wait(hosts)


async def one_round(
    home: Path,
    tables: int,
    rng: Random,
    moment: Callable[[list[Hosted]], Awaitable[None]],
    found: Beginnings,
    program: Sequence[str] = PROGRAM,
) -> None:
    """The server is killed at that `moment` after all hosts have said `start`."""
    pairs = [Hosted(number, rng) for number in range(tables)]
    async with serving(home, program) as server:
        for pair in pairs:
            await pair.sit_down(server)
        for pair in pairs:
            pair.peers[0].send(structs.replace(START, id=START_ID))
        await moment(pairs)
        await falls(server, signal.SIGKILL)
        for peer in [peer for pair in pairs for peer in pair.peers]:
            with suppress(ConnectionError):
                await peer.closed()
        found.errors += await server.errors()
    async with serving(home) as server:
        for pair in pairs:
            _count(pair, await pair.come_back(server), found)
        await falls(server, signal.SIGTERM)
        found.errors += await server.errors()


def _count(pair: Hosted, there: list[bool], found: Beginnings) -> None:
    told = sum(token is not None for token in pair.tokens())
    found.done += pair.done
    found.told_nobody += pair.done and not told
    if pair.done or told:
        found.lost += there.count(False)


async def killed_at_first_done(home: Path, program: Sequence[str]) -> Beginnings:
    found = Beginnings()
    await one_round(home, 8, Random(1), at_first_done, found, program)
    assert found.done > 0
    return found


async def test_done_means_that_all_have_their_tokens(tmp_path: Path) -> None:
    found = await killed_at_first_done(tmp_path, PROGRAM)
    assert found.told_nobody == found.lost == 0, found
    assert '"level": "error"' not in found.errors, found.errors


async def test_a_server_that_answers_too_early_is_caught(tmp_path: Path) -> None:
    found = await killed_at_first_done(tmp_path, EARLY)
    assert found.told_nobody > 0, found


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
async def test_three_hundred_tables(tmp_path: Path, seed: int) -> None:
    """Their servers fall within 40 ms."""
    found, rng = Beginnings(), Random(seed)

    async def at_random(_tables: list[Hosted]) -> None:
        await asyncio.sleep(rng.uniform(0, 0.04))

    for number in range(15):
        await one_round(tmp_path / str(number), 20, rng, at_random, found)
    print(found)
    assert found.done > 30 and found.told_nobody == found.lost == 0, found


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
