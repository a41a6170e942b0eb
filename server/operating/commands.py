"""Everything that an operator can ask of a running server: each command is a class that has its
fields, how they are typed, and what the server does.

No answer has a card, a seed or a token in it. What changes something is written down first.
"""

import asyncio
import resource
import sys
import time
from collections.abc import Sequence
from functools import reduce
from importlib import metadata
from operator import or_
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from protocol.errors import GoodbyeCode
from protocol.from_server import Notice, NoticeCode
from protocol.signing import public_key
from protocol.table import DAY_S
from protocol.text import MAX_NAME_CELLS, clean, fits
from server.admission.invitations import LONGEST_S, USUAL_S, CannotInvite
from server.doors.certificate import ssh_fingerprint
from server.logs import setup as logs
from server.logs.marks import identity_mark
from server.net.listener import places_in
from server.operating.banning import Bans, SetBan, Unban
from server.operating.desk import Desk, find, give_up, leave_table, tidy
from server.operating.words import (
    MAX_TEXT,
    REASON,
    VERSION,
    Command,
    CouldNot,
    NotHere,
    Reply,
    Typed,
    lasting,
    listed,
)
from server.settings import ConfigError
from server.speaking import N_
from server.store.sqlite import FILE_NAME
from server.tables.table import Table
from server.tasks import few

LEVELS: Final = ("debug", "info", "warning", "error")
LAG_LOOKS: Final = 20
LAG_LOOK_S: Final = 0.01
ALL: Final = "all"
"""In place of an invitation's name."""
_NAME_BYTES: Final = 48
_PLACE: Final = "HOST[:PORT]"
_MEGA: Final = 1 << 20

# What only looks ---------------------------------------------------------------------------------


class Status(Command, frozen=True, tag="status"):
    """How the server is."""

    told = N_("how a running server is")
    looks = True

    async def do(self, desk: Desk) -> Reply:
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
            "records_key": await _records_key(desk),
        }
        return Reply(values=values)


async def _records_key(desk: Desk) -> str:
    """By which everybody knows the records of this server (`protocol.signing`)."""
    return await asyncio.to_thread(public_key, desk.lobby.runner.record_key)


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


class Who(Command, frozen=True, tag="who"):
    """Everybody who is connected, and every absent owner of a seat."""

    told = N_("list everybody on a running server")
    looks = True

    async def do(self, desk: Desk) -> Reply:
        rows: list[dict[str, Any]] = []
        now_s = asyncio.get_running_loop().time()
        async for session in few(desk.sessions()):
            table = session.at_table()
            row = _person(session.name, session.identity, session.address, table)
            row["seat"] = None if table is None else table.seating.seat_of(session)
            here_s, lag_ms = round(now_s - session.made_s), session.lag_ms()
            rows.append({**row, "here_s": here_s, "lag_ms": lag_ms})
        async for table in few(desk.lobby.tables.values()):
            for seat, chair in enumerate(table.seating.chairs):
                if chair.awaited:
                    row = _person(chair.name, chair.identity, "", table)
                    rows.append({**row, "seat": seat, "here_s": None, "lag_ms": None})
        return listed(rows, "nobody is here")


def _person(name: str, identity: bytes, address: str, table: Table | None) -> dict[str, Any]:
    mark, code = identity_mark(identity), "" if table is None else table.code
    return {"name": name, "mark": mark, "address": address, "table": code}


class Tables(Command, frozen=True, tag="tables"):
    """Every table."""

    told = N_("list the tables of a running server")
    looks = True

    async def do(self, desk: Desk) -> Reply:
        rows = [_table(table) async for table in few(desk.lobby.tables.values())]
        return listed(rows, "there is no table")


def _table(table: Table) -> dict[str, Any]:
    match, info = table.match, table.news.info()
    return {
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


# What changes something --------------------------------------------------------------------------


class TellAll(Command, frozen=True, tag="say"):
    """Tell everybody."""

    told = N_("tell everybody")
    text: Annotated[str, Typed("TEXT")]

    async def do(self, desk: Desk) -> Reply:
        if not (text := clean(self.text)):
            raise CouldNot("nothing is left of that text: type visible characters")
        if len(text) > MAX_TEXT:
            raise CouldNot(f"the text has {len(text)} characters: write up to {MAX_TEXT}")
        await desk.keep("say", what=text)
        notice, here = Notice(NoticeCode.OPERATOR_SAYS, {"text": text}), desk.sessions()
        async for session in few(here):
            session.send(notice)
        return Reply(said=f"{len(here)} were told")


class SendAway(Command, frozen=True, tag="kick"):
    """End a person's connections, and keep them from coming back to their tables. `person`: a
    name, or a mark or the first four digits of it or more."""

    told = N_("send a player away")
    about = N_("They may come back to the server, but not to the same table.")
    person: Annotated[str, Typed("PERSON", N_("a name or a mark, as `who` shows it"))]
    reason: Annotated[str, REASON] = ""

    async def do(self, desk: Desk) -> Reply:
        person, reason = await find(self.person, desk), tidy(self.reason)
        await desk.keep("kick", whom=str(person), reason=reason)
        codes = {table.code for table, _seat in person.awaited}
        codes |= {session.table for session in person.sessions if session.table is not None}
        give_up(person.awaited)
        async for session in few(person.sessions):
            leave_table(session)
            session.goodbye(GoodbyeCode.EXPELLED, reason=reason)
        tables = ", ".join(sorted(codes))
        return Reply(said=f"{person} is gone" + f", and kept from {tables}" * bool(tables))


class Close(Command, frozen=True, tag="close"):
    """Close a table and end its match."""

    told = N_("close a table and end its match")
    table: Annotated[str, Typed("TABLE")]
    reason: Annotated[str, Typed("--reason", N_("the audit trail keeps it"), "TEXT")] = ""

    async def do(self, desk: Desk) -> Reply:
        code = _known_table(self.table, desk)
        await desk.keep("close", whom=code, reason=tidy(self.reason))
        desk.lobby.close(code)
        return Reply(said=f"the table {code} is closed")


def _known_table(typed: str, desk: Desk) -> str:
    """The code of one that is here. Raises NotHere."""
    code = clean(typed).upper()
    if code not in desk.lobby.tables and code not in desk.lobby.resting.codes:
        raise NotHere(f"there is no table {code!a}; `tables` lists them all")
    return code


class Drain(Command, frozen=True, tag="drain"):
    """Stop when the matches are over, and after `within_s` at the latest, 0 = no limit. `cancel`:
    go on instead."""

    told = N_("stop when the matches are over")
    about = N_("Nothing new begins; only players who come back to a seat are let in.")
    within_s: int = 0
    cancel: Annotated[bool, Typed("--cancel", N_("end the drain: new matches may begin"))] = False

    async def do(self, desk: Desk) -> Reply:
        if self.within_s < 0:
            raise CouldNot("a number of seconds cannot be less than 0")
        if self.cancel and not desk.lobby.draining:
            raise CouldNot("the server does not drain")
        within = f"within {lasting(self.within_s)}" * bool(self.within_s)
        await desk.keep("drain", what="cancel" if self.cancel else within)
        if self.cancel:
            desk.draining.cancel()
            return Reply(said="the server goes on")
        desk.draining.begin(self.within_s)
        limit = f", and in {lasting(self.within_s)} at the latest" * bool(self.within_s)
        return Reply(said=f"the server stops when the matches are over{limit}")


class LogLevel(Command, frozen=True, tag="log-level"):
    """Log from this level on, until the server stops."""

    told = N_("what is logged")
    level: Annotated[str, Typed("LEVEL", values=LEVELS)]

    async def do(self, desk: Desk) -> Reply:
        if self.level not in LEVELS:
            known = ", ".join(LEVELS)
            raise CouldNot(f"there is no level {clean(self.level)!a}; there are {known}")
        await desk.keep("log-level", what=self.level)
        logs.set_level(self.level)
        return Reply(said=f"the log has lines from {self.level} on")


# Invitations -------------------------------------------------------------------------------------


class Issue(Command, frozen=True, tag="invite"):
    """Make an invitation. `name`: by which it is listed and revoked, "" = a number; `for_s`: how
    many seconds it holds, 0 = some days; `table`: the code of a table to go to; `addresses`: where
    friends find the server, HOST or HOST:PORT, none = where it thinks."""

    told = N_("make an invitation")
    about = N_(
        "It is one line, which a friend gives to `clocktowers join`. It holds for a week, "
        "unless --for says otherwise, and is shown only now."
    )
    name: Annotated[str, Typed("NAME", N_("its name, by which you revoke it"))] = ""
    table: Annotated[str, Typed("--table", N_("lead to this table"), "TABLE")] = ""
    for_s: int = 0
    addresses: Annotated[
        tuple[str, ...],
        Typed("--address", N_("where your friend finds the server; you can repeat this"), _PLACE),
    ] = ()

    async def do(self, desk: Desk) -> Reply:
        """The answer's values have the line; nothing else ever shows its secret again."""
        name = clean(self.name)
        if name == ALL or not fits(name, MAX_NAME_CELLS, _NAME_BYTES):
            raise CouldNot(f"no invitation can be called {name!a}: give a short name")
        if not 0 <= self.for_s <= LONGEST_S:
            raise CouldNot(f"an invitation holds for {LONGEST_S // DAY_S} days at most")
        table = _known_table(self.table, desk) if clean(self.table) else ""
        try:
            found = [place for text in self.addresses for place in places_in(text)]
            for_s = self.for_s or USUAL_S
            await desk.keep("invite", whom=name, what=f"{table} for {lasting(for_s)}".strip())
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
            "records_key": await _records_key(desk),
        }
        return Reply(values=values)


class Issued(Command, frozen=True, tag="invitations"):
    """Every invitation in force."""

    told = N_("list the invitations")
    looks = True

    async def do(self, desk: Desk) -> Reply:
        came = [one.came_by.sha256 for one in desk.sessions() if one.came_by is not None]
        told = ("name", "table", "by", "since", "until")
        rows = [
            {**{name: getattr(one, name) for name in told}, "here": came.count(one.sha256)}
            for one in desk.invitations.all()
        ]
        return listed(rows, "nobody is invited")


class Revoke(Command, frozen=True, tag="revoke"):
    """End an invitation, or `all`. `kick`: and end the connections of those who came by it."""

    told = N_("end an invitation")
    about = N_("Nobody comes in by it any more.")
    name: Annotated[str, Typed("NAME", N_("as invitations lists it, or all"))]
    kick: Annotated[bool, Typed("--kick", N_("and send away who came by it"))] = False

    async def do(self, desk: Desk) -> Reply:
        name = clean(self.name)
        meant = [one for one in desk.invitations.kept() if name in (ALL, one.name)]
        hashes = {one.sha256 for one in meant}
        came = [one for one in desk.sessions() if one.came_by and one.came_by.sha256 in hashes]
        used = {one.came_by.sha256 for one in came if one.came_by}
        meant = [one for one in meant if desk.invitations.in_force(one) or one.sha256 in used]
        if not meant:
            raise NotHere(f"there is no invitation {name!a}; `invitations` lists them all")
        names = ", ".join(one.name for one in meant)
        await desk.keep("revoke", whom=names, what="kick" * self.kick)
        try:
            await desk.invitations.revoke(lambda one: one.sha256 in hashes)
        except CannotInvite as error:
            raise CouldNot(str(error)) from None
        people = ", ".join(session.name for session in came)
        if not came:
            return Reply(said=f"revoked: {names}; nobody is here by it")
        if self.kick:
            async for session in few(came):
                leave_table(session)
                session.goodbye(GoodbyeCode.INVITATION_REVOKED)
            return Reply(said=f"revoked: {names}; sent away: {people}")
        stay = "they stay until their connection ends; --kick sends them away"
        return Reply(said=f"revoked: {names}; still here: {people}; {stay}")


# All of them -------------------------------------------------------------------------------------

COMMANDS: Final[Sequence[type[Command]]] = (
    *(Status, Who, Tables, TellAll, SendAway, SetBan, Unban, Bans, Close, Drain),
    *(Issue, Issued, Revoke, LogLevel),
)
"""In the order in which the help lists them."""
_ASKED: Final = msgspec.msgpack.Decoder(reduce(or_, COMMANDS))


def name_of(command: type[Command]) -> str:
    """What is typed for it."""
    return str(command.__struct_config__.tag)


def asked(payload: bytes) -> Command:
    """What a payload asks for. Raises CouldNot."""
    try:
        message: Command = _ASKED.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if "`$.type`" in str(error):
            known = ", ".join(map(name_of, COMMANDS))
            raise CouldNot(f"this server has no such command; it has {known}") from None
        raise CouldNot(f"this server does not understand that: {error}") from None
    if message.version > VERSION:
        raise CouldNot(
            f"this server speaks version {VERSION} of the operator's protocol and was asked in "
            f"version {message.version}: use the command of the server's own version"
        )
    return message
