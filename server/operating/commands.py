"""Everything that an operator can ask of a running server, but for bans.

No answer has a card, a seed or a token in it. What changes something is written down first.
"""

import asyncio
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from protocol.errors import GoodbyeCode
from protocol.from_server import Notice, NoticeCode
from protocol.text import MAX_NAME_CELLS, clean, fits
from server.admission.invitations import LONGEST_S, USUAL_S, CannotInvite
from server.guests.host_key import ssh_fingerprint
from server.logs import setup as logs
from server.logs.marks import identity_mark
from server.net.reachable import named
from server.operating import banning, people, words
from server.operating.desk import Desk, tidy
from server.operating.people import give_up, leave_table
from server.operating.words import MAX_TEXT, Command, CouldNot, NotHere, Reply
from server.settings import ConfigError
from server.store.sqlite import FILE_NAME
from server.tables.table import Table
from server.tasks import few

LEVELS: Final = ("debug", "info", "warning", "error")
LAG_LOOKS: Final = 20
LAG_LOOK_S: Final = 0.01
ALL: Final = "all"
"""In place of an invitation's name."""
_NAME_BYTES: Final = 48
_MEGA: Final = 1 << 20

# What only looks ---------------------------------------------------------------------------------


async def who(desk: Desk, _asked: words.Who) -> Reply:
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
    return Reply(done=True, said="nobody is here" if not rows else "", rows=rows)


def _person(name: str, identity: bytes, address: str, table: Table | None) -> dict[str, Any]:
    mark, code = identity_mark(identity), "" if table is None else table.code
    return {"name": name, "mark": mark, "address": address, "table": code}


async def tables(desk: Desk, _asked: words.Tables) -> Reply:
    rows: list[dict[str, Any]] = []
    async for table in few(desk.lobby.tables.values()):
        match, info = table.match, table.news.info()
        rows.append(
            {
                "table": table.code,
                "game": table.terms.game_id,
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
    return Reply(done=True, said="there is no table" if not rows else "", rows=rows)


async def bans(desk: Desk, _asked: words.Bans) -> Reply:
    rows = [
        {
            "whom": banning.known_as(ban),
            "name": ban.name,
            "since": ban.since,
            "until": ban.until,
            "reason": ban.reason,
        }
        async for ban in few(desk.banned.all())
    ]
    return Reply(done=True, said="nobody is banned" if not rows else "", rows=rows)


async def status(desk: Desk, _asked: words.Status) -> Reply:
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
    return Reply(done=True, values=values)


async def issued(desk: Desk, _asked: words.Issued) -> Reply:
    came = [one.came_by.sha256 for one in desk.sessions() if one.came_by is not None]
    rows = [
        {
            "name": one.name,
            "table": one.table,
            "by": one.by,
            "since": one.since,
            "until": one.until,
            "here": came.count(one.sha256),
        }
        for one in desk.invitations.all()
    ]
    return Reply(done=True, said="nobody is invited" if not rows else "", rows=rows)


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


# What changes something --------------------------------------------------------------------------


async def tell_all(desk: Desk, asked: words.TellAll) -> Reply:
    if not (text := clean(asked.text)):
        raise CouldNot("nothing is left of that text: type visible characters")
    if len(text) > MAX_TEXT:
        raise CouldNot(f"the text has {len(text)} characters: write up to {MAX_TEXT}")
    await desk.keep("say", what=text)
    notice, told = Notice(NoticeCode.OPERATOR_SAYS, {"text": text}), desk.sessions()
    async for session in few(told):
        session.send(notice)
    return Reply(done=True, said=f"{len(told)} were told")


async def kick(desk: Desk, asked: words.SendAway) -> Reply:
    person, reason = await people.find(asked.person, desk), tidy(asked.reason)
    await desk.keep("kick", whom=str(person), reason=reason)
    codes = {table.code for table, _seat in person.awaited}
    codes |= {session.table for session in person.sessions if session.table is not None}
    give_up(person.awaited)
    async for session in few(person.sessions):
        leave_table(session)
        session.goodbye(GoodbyeCode.EXPELLED, reason=reason)
    tables = ", ".join(sorted(codes))
    return Reply(done=True, said=f"{person} is gone" + f", and kept from {tables}" * bool(tables))


async def close(desk: Desk, asked: words.Close) -> Reply:
    code, reason = clean(asked.table).upper(), tidy(asked.reason)
    if code not in desk.lobby.tables and code not in desk.lobby.resting.codes:
        raise NotHere(f"there is no table {code!a}; `tables` lists them all")
    await desk.keep("close", whom=code, reason=reason)
    desk.lobby.close(code)
    return Reply(done=True, said=f"the table {code} is closed")


async def drain(desk: Desk, asked: words.Drain) -> Reply:
    if asked.within_s < 0:
        raise CouldNot("a number of seconds cannot be less than 0")
    if asked.cancel and not desk.lobby.draining:
        raise CouldNot("the server does not drain")
    what = "cancel" if asked.cancel else f"within {asked.within_s} s" * bool(asked.within_s)
    await desk.keep("drain", what=what)
    if asked.cancel:
        desk.draining.cancel()
        return Reply(done=True, said="the server goes on")
    desk.draining.begin(asked.within_s)
    limit = f", and in {asked.within_s} s at the latest" * bool(asked.within_s)
    return Reply(done=True, said=f"the server stops when the matches are over{limit}")


async def log_level(desk: Desk, asked: words.LogLevel) -> Reply:
    if asked.level not in LEVELS:
        raise CouldNot(f"there is no level {clean(asked.level)!a}; there are {', '.join(LEVELS)}")
    await desk.keep("log-level", what=asked.level)
    logs.set_level(asked.level)
    return Reply(done=True, said=f"the log has lines from {asked.level} on")


async def issue(desk: Desk, asked: words.Issue) -> Reply:
    """The answer's values have the line; nothing else ever shows its secret again."""
    name, table = clean(asked.name), clean(asked.table).upper()
    if name == ALL or not fits(name, MAX_NAME_CELLS, _NAME_BYTES):
        raise CouldNot(f"no invitation can be called {name!a}: give a short name")
    if not 0 <= asked.for_s <= LONGEST_S:
        raise CouldNot(f"an invitation holds for {LONGEST_S // 86400} days at most")
    if table and table not in desk.lobby.tables and table not in desk.lobby.resting.codes:
        raise NotHere(f"there is no table {table!a}; `tables` lists them all")
    try:
        found = [place for text in asked.addresses for place in named(text)]
        for_s = asked.for_s or USUAL_S
        await desk.keep("invite", whom=name, what=f"{table} for {for_s} s".strip())
        made, line = await desk.invitations.issue(name, for_s, table=table, places=found)
    except (ConfigError, CannotInvite) as error:
        raise CouldNot(str(error)) from None
    values = {
        "name": made.name,
        "until": made.until,
        "table": made.table,
        "invitation": line,
        "page": desk.invitations.page(line),
        "ssh": ssh_fingerprint(desk.folder),
    }
    return Reply(done=True, values=values)


async def revoke(desk: Desk, asked: words.Revoke) -> Reply:
    name = clean(asked.name)
    meant = [one for one in desk.invitations.kept() if name in (ALL, one.name)]
    hashes = {one.sha256 for one in meant}
    came = [one for one in desk.sessions() if one.came_by and one.came_by.sha256 in hashes]
    used = {one.came_by.sha256 for one in came if one.came_by}
    meant = [one for one in meant if desk.invitations.holds(one) or one.sha256 in used]
    if not meant:
        raise NotHere(f"there is no invitation {name!a}; `invitations` lists them all")
    names = ", ".join(one.name for one in meant)
    await desk.keep("revoke", whom=names, what="kick" * asked.kick)
    try:
        await desk.invitations.revoke(lambda one: one.sha256 in hashes)
    except CannotInvite as error:
        raise CouldNot(str(error)) from None
    people = ", ".join(session.name for session in came)
    if not came:
        return Reply(done=True, said=f"revoked: {names}; nobody is here by it")
    if asked.kick:
        async for session in few(came):
            leave_table(session)
            session.goodbye(GoodbyeCode.INVITATION_REVOKED)
        return Reply(done=True, said=f"revoked: {names}; sent away: {people}")
    stay = "they stay until their connection ends; --kick sends them away"
    return Reply(done=True, said=f"revoked: {names}; still here: {people}; {stay}")


# Which function does which -----------------------------------------------------------------------


LOOKS: Final = (words.Who, words.Tables, words.Bans, words.Status, words.Issued)
DOES: Final[Mapping[type[Any], Callable[[Desk, Any], Awaitable[Reply]]]] = {
    words.Who: who,
    words.Tables: tables,
    words.Bans: bans,
    words.Status: status,
    words.Issued: issued,
    words.TellAll: tell_all,
    words.SendAway: kick,
    words.SetBan: banning.ban,
    words.Unban: banning.unban,
    words.Close: close,
    words.Drain: drain,
    words.LogLevel: log_level,
    words.Issue: issue,
    words.Revoke: revoke,
}
"""Each may raise CouldNot."""


class Commands:
    """Does them at one desk; changes are made one after the other."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._changing: Final = asyncio.Lock()

    async def do(self, asked: Command, user: int, asked_at: str = "") -> Reply:
        """Do here what this user of the system asks, at another node or here. Raises CouldNot."""
        does, desk = DOES[type(asked)], replace(self._desk, user=user, asked_at=asked_at)
        if isinstance(asked, LOOKS):
            return await does(desk, asked)
        async with self._changing:
            return await does(desk, asked)
