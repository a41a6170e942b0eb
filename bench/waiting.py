"""`python -m bench.waiting`: what matches of days cost that nobody is at.

Writes so many into one SQLite file (`--node`: a PostgreSQL), each with some turns, and starts a
server on it (a node, until it has taken over all). Says how long that takes, how much more memory
the server has than one with an empty file, and how long it takes until a player who comes back has
the board.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from hashlib import sha256
from pathlib import Path
from statistics import median
from time import perf_counter, time
from typing import Final

from msgspec.structs import replace

from bench.attacks.trial import Play
from bench.processes import rss_bytes, serving
from protocol.codec import encode
from protocol.from_client import TOKEN_BYTES, Resume
from protocol.from_server import Update
from protocol.games.clocktowers import Options
from protocol.ids import Key, MatchId, Seat, Version
from protocol.table import DAY_S, Days
from server.games.contract import Moment
from server.games.registry import GAMES
from server.matches.replay import pack_options
from server.store.in_database import Journal
from server.store.journal import Asleep, Entry, Header
from server.store.postgres import journal_at
from server.store.sqlite import journal_in
from server.tables.lobby import CODE_LENGTH, CODE_LETTERS
from server.tables.record import ChairRecord, TableRecord
from tests.stage.postgres import cluster

TURNS: Final = 20
OPENED: Final = 50
AT_ONCE: Final = 500
TOKEN: Final = bytes(TOKEN_BYTES)
LEFT: Final = (
    "SELECT FROM match WHERE owner IS DISTINCT FROM (SELECT max(number) FROM node) LIMIT 1"
)
HEADER: Final = Header(
    match=MatchId(""),
    game="clocktowers",
    rules_version=GAMES["clocktowers"].rules.rules_version,
    options=pack_options(Options(first_seat=0)),
    seats=2,
    seed=bytes(32),
)


def entries(turns: int) -> Iterator[Entry]:
    """An hour lies between two of them."""
    rules = GAMES[HEADER.game].rules
    state = rules.setup(Options(first_seat=0), HEADER.seats, HEADER.seed)
    for number in range(turns):
        (seat, *_), at_ms = rules.to_act(state), number * DAY_S * 1000 // 24
        action = rules.legal_actions(state, seat)[0]
        rules.apply(state, seat, action, Moment(at_ms, ()))
        yield Entry(seat, Key(b"%08d" % number), at_ms, encode(action))


def code(number: int) -> str:
    letters = (number // len(CODE_LETTERS) ** place for place in range(CODE_LENGTH))
    return "".join(CODE_LETTERS[letter % len(CODE_LETTERS)] for letter in letters)


async def fill(keeping: AbstractAsyncContextManager[Journal], matches: int) -> None:
    """Each began now and sleeps; the same two people play all of them."""
    played, began_at = [*entries(TURNS)], int(time())
    chairs = [ChairRecord(name, identity=sha256(name.encode()).digest()) for name in ("Ann", "Ben")]
    tokens = {Seat(0): (sha256(TOKEN).digest(),), Seat(1): (sha256(b"").digest(),)}
    async with keeping as journal:

        async def one(number: int) -> None:
            match = MatchId(f"{number:016x}")
            record = TableRecord(
                code=code(number),
                title="",
                preset="standard",
                host=0,
                matches=1,
                chairs=chairs,
                clock=Days(3),
                began_at=began_at,
            )
            await journal.begin(replace(HEADER, match=match, table=encode(record)), tokens)
            for version, entry in enumerate(played, 1):
                await journal.append(match, Version(version), entry)
            owners = encode([("203.0.113.7", chair.identity) for chair in chairs])
            due, at = chairs[0].identity, began_at + 3 * DAY_S + number % 1000
            asleep = Asleep(match, record.code, 1, at, due, owners)
            await journal.sleep(asleep, b"")

        for first in range(0, matches, AT_ONCE):
            await asyncio.gather(*map(one, range(first, min(matches, first + AT_ONCE))))


async def measure(at: Mapping[str, str], matches: int) -> tuple[float, int, float]:
    """Seconds of a start, bytes after it, and milliseconds until a match is open."""
    began_s, opened_ms = perf_counter(), [0.0]
    async with serving({}, at) as server:
        while "CLOCKTOWERS_NODE" in at and cluster().ask(LEFT, at["CLOCKTOWERS_JOURNAL"]):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        start_s, memory = perf_counter() - began_s, rss_bytes(server.pid)
        for number in range(0, matches, max(1, matches // OPENED)):
            player = await Play(server).comes("Ann")
            asked_s = perf_counter()
            await player.done(Resume(id=0, match=f"{number:016x}", token=TOKEN))
            await player.until(Update)
            opened_ms.append((perf_counter() - asked_s) * 1000)
            player.abort()
    return start_s, memory, median(opened_ms[1:] or [0.0])


async def main(matches: int, *, node: bool) -> None:
    found = list[tuple[float, int, float]]()
    for many in (0, matches):
        with tempfile.TemporaryDirectory(prefix="bench_") as folder:
            at = {"CLOCKTOWERS_STATE": folder}
            keeping: AbstractAsyncContextManager[Journal] = journal_in(Path(folder))
            if node:
                at |= {"CLOCKTOWERS_JOURNAL": cluster().fresh(), "CLOCKTOWERS_NODE": "a"}
                keeping = journal_at(at["CLOCKTOWERS_JOURNAL"], 60.0, Path(folder))
            await fill(keeping, many)
            found.append(await measure(at, many))
    no_matches, (start_s, memory, opened_ms) = found
    each = (memory - no_matches[1]) / matches
    print(f"{matches} matches, {TURNS} turns each")
    print(f"start {start_s:.2f} s, without any {no_matches[0]:.2f} s")
    print(f"memory {each:.0f} bytes a match; open in {opened_ms:.1f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.waiting", description=__doc__)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--node", action="store_true")
    asyncio.run(main(**vars(parser.parse_args())))
