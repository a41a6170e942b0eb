"""The operator's commands that change nothing. No answer has a card, a seed or a token in it."""

import asyncio
import resource
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from server.logs.marks import identity_mark
from server.operating import words
from server.operating.banning import known_as
from server.operating.desk import Desk
from server.operating.words import Answer
from server.store.sqlite import FILE_NAME
from server.tables.table import Table
from server.tasks import few

LAG_LOOKS: Final = 20
LAG_LOOK_S: Final = 0.01
_MEGA: Final = 1 << 20


async def who(desk: Desk, _asked: words.Who) -> Answer:
    rows: list[dict[str, Any]] = []
    now_s = asyncio.get_running_loop().time()
    async for session in few(desk.sessions()):
        table = session.at_table()
        row = _person(session.name, session.identity, session.address, table)
        row["seat"] = None if table is None else table.seating.seat_of(session)
        rows.append({**row, "here_s": round(now_s - session.made_s), "lag_ms": session.lag_ms()})
    async for table in few(desk.lobby.tables.values()):
        for seat, chair in enumerate(table.seating.chairs):
            if chair.awaited:
                row = _person(chair.name, chair.identity, "", table)
                rows.append({**row, "seat": seat, "here_s": None, "lag_ms": None})
    return Answer(done=True, said="nobody is here" if not rows else "", rows=rows)


def _person(name: str, identity: bytes, address: str, table: Table | None) -> dict[str, Any]:
    mark, code = identity_mark(identity), "" if table is None else table.code
    return {"name": name, "mark": mark, "address": address, "table": code}


async def tables(desk: Desk, _asked: words.Tables) -> Answer:
    rows: list[dict[str, Any]] = []
    async for table in few(desk.lobby.tables.values()):
        match, info = table.match, table.news.info()
        rows.append(
            {
                "table": table.code,
                "game": table.game_id,
                "phase": str(table.phase.value),
                "players": [chair.name for chair in info.seats if chair.name],
                "watchers": info.watchers,
                "age_s": info.age_s,
                "match": "" if match is None else match.id,
                "version": 0 if match is None else match.version,
                "title": table.title,
                "hidden": table.access.hidden,
                "locked": bool(table.access.lock),
            }
        )
    return Answer(done=True, said="there is no table" if not rows else "", rows=rows)


async def bans(desk: Desk, _asked: words.Bans) -> Answer:
    rows = [
        {
            "whom": known_as(ban),
            "name": ban.name,
            "since": ban.since,
            "until": ban.until,
            "reason": ban.reason,
        }
        async for ban in few(desk.banned.all())
    ]
    return Answer(done=True, said="nobody is banned" if not rows else "", rows=rows)


async def status(desk: Desk, _asked: words.Status) -> Answer:
    standing = desk.lobby.tables.values()
    journal = [desk.folder / f"{FILE_NAME}{end}" for end in ("", "-wal")]
    journal_bytes = sum(file.stat().st_size for file in journal if file.exists())
    values = {
        "version": metadata.version("clocktowers-tui"),
        "up_s": round(time.monotonic() - desk.began_s),
        "connections": len(desk.peers.connected),
        "people": len(desk.sessions()),
        "tables": len(standing),
        "matches": sum(t.match is not None and not t.match.over for t in standing),
        "resting": len(desk.lobby.resting),
        "bans": len(desk.banned.all()),
        "memory_mb": round(memory_bytes() / _MEGA, 1),
        "journal_mb": round(journal_bytes / _MEGA, 1),
        "loop_lag_ms": round(1000 * await loop_lag_s(), 1),
        "draining": desk.lobby.draining,
        "stops_within_s": desk.draining.left_s,
    }
    return Answer(done=True, values=values)


def memory_bytes() -> int:
    """What this process has in memory; where the system does not tell, the most that it had."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


async def loop_lag_s() -> float:
    """How late the loop was at most, in a look of a fifth of a second."""
    loop, worst_s = asyncio.get_running_loop(), 0.0
    for _ in range(LAG_LOOKS):
        due_s = loop.time() + LAG_LOOK_S
        await asyncio.sleep(LAG_LOOK_S)
        worst_s = max(worst_s, loop.time() - due_s)
    return worst_s
