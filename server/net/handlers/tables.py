"""In the lobby: list tables, create one, come to one, invite a friend to one."""

from collections.abc import Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog
from msgspec.structs import replace

from protocol.codec import need_short
from protocol.errors import Refusal, RefusalCode
from protocol.from_client import (
    CreateTable,
    Invite,
    Join,
    Kick,
    ListTables,
    ListWaiting,
    Notify,
    Resume,
    Settle,
    Watch,
)
from protocol.from_server import Done, Listing, Notice, NoticeCode, WaitingList
from protocol.ids import MatchId, TableCode
from protocol.table import DAY_S
from server.admission.invitations import OF_A_TABLE, CannotInvite, TooMany
from server.matches.wishes import WhenKept
from server.store.journal import JournalError
from server.tables.access import Impossible
from server.tables.table import Table

if TYPE_CHECKING:
    from server.net.session import Session
    from server.nodes.cluster import Cluster

INVITED_S: Final = DAY_S
"""How long an invitation of a host holds, and no longer than the table stands."""


def list_tables(session: "Session", message: ListTables) -> Listing:
    """Answer with a page. A client in the lobby is then told of changes, too."""
    lobby = session.server.lobby
    if session.table is None:
        lobby.list.subscribe(session, message.filter)
    tables, total = lobby.list.page(message.filter, message.page)
    return Listing(id=message.id, tables=tables, page=message.page, total=total)


def list_waiting(
    session: "Session", message: ListWaiting
) -> WaitingList | Coroutine[Any, Any, WaitingList | None]:
    """Those that sleep at other nodes are looked for; days off are taken first."""
    server = session.server
    if message.vacation and session.identity:
        return _take_vacation(session, message)
    found = server.sleeping.waiting(session.identity, message.matches)
    until = server.lobby.people.away_until(session.identity)
    answer = WaitingList(id=message.id, matches=found, away_until=until)
    if server.cluster is None or len(found) == len(message.matches):
        return answer
    return _with_those_elsewhere(session, answer, message.matches, server.cluster)


async def _with_those_elsewhere(
    session: "Session", answer: WaitingList, asked: Sequence[str], cluster: "Cluster"
) -> WaitingList:
    """What other nodes know of the rest."""
    here = answer.matches
    found, unknown = await cluster.waiting(session, {*asked} - {one.match for one in here})
    return replace(answer, matches=[*here, *found], unknown=[*unknown])


async def _take_vacation(session: "Session", message: ListWaiting) -> None:
    """Only somebody who plays here, or at another node, may: else strangers would fill the
    journal."""
    server, who = session.server, session.identity
    cluster, plays = server.cluster, server.lobby.shares.plays(who)
    if plays or (cluster is not None and await cluster.directory.match_of(who)):
        await server.sleeping.take_vacation(who, message.vacation)
    session.serve_again(replace(message, vacation=0))


async def notify(session: "Session", message: Notify) -> Done:
    """The answer comes when it is in the journal, and a code when it was sent."""
    return Done(id=message.id, told=await session.server.telling.serve(session, message))


def create(session: "Session", message: CreateTable) -> Coroutine[Any, Any, Done | None] | None:
    """Make a table, here or at a node with room; one more of a deal, where that deal is. A password
    is hashed first."""
    need_short(*message.options.values())
    server, cluster = session.server, session.server.cluster
    if cluster is not None and not message.duplicate and cluster.sending.makes_elsewhere(session):
        return None
    if message.password:
        return _create_locked(session, message)
    made = _made(session, message, "")
    server.lobby.deals.when_kept(TableCode(made.table), partial(session.send, made))
    return None


def _made(session: "Session", message: CreateTable, lock: str) -> Done:
    table = session.server.lobby.create(session, message, lock)
    log = structlog.get_logger()
    log.info("table made", table=table.code, game=table.terms.game_id, **session.who())
    return Done(id=message.id, table=table.code)


async def _create_locked(session: "Session", message: CreateTable) -> Done | None:
    """When the password is hashed."""
    lock = await session.server.admission.lock(session, message.password)
    if isinstance(lock, Refusal):
        raise Impossible(RefusalCode(lock.code), **lock.params)
    return _made(session, message, lock) if session.connected else None


# Coming to a table ------------------------------------------------------------------------------


def come(session: "Session", message: Join | Watch) -> Done | Coroutine[Any, Any, None]:
    """To a seat, or to watch. A table that sleeps wakes first."""
    lobby, code = session.server.lobby, message.table
    if (match := lobby.resting.asleep_at(code)) is not None:
        return _wake_first(session, message, match)
    table, seat = lobby.find(code), message.seat if isinstance(message, Join) else None
    if not _opens(session, table, seat):
        return _unlock_first(session, message, table)
    before, again = session.name, False
    if isinstance(message, Join):
        again = table.join(session, seat)
    else:
        table.watch(session, message.match, -1 if message.version is None else message.version)
        _tell_if_older(session, table, message)
    told = again or session.name != before
    return Done(id=message.id, table=table.code, name=session.name if told else "")


def resume(session: "Session", message: Resume) -> Done | Coroutine[Any, Any, None]:
    """A match that rests is brought back first."""
    if message.match in session.server.lobby.resting:
        return _resume_later(session, message)
    table = session.server.lobby.find_match(message.match)
    table.resume(session, message.token, -1 if message.version is None else message.version)
    _tell_if_older(session, table, message)
    return Done(id=message.id, table=table.code, name=session.name)


async def _wake_first(session: "Session", message: Join | Watch, match: MatchId) -> None:
    playable = True
    with suppress(JournalError):  # another node may have it now
        playable = await session.server.restoring.wake_due(match)
    if match in session.server.lobby.resting:
        raise Impossible(RefusalCode.BUSY if playable else RefusalCode.OTHER_RULES)
    session.serve_again(message)


def _opens(session: "Session", table: Table, seat: int | None) -> bool:
    """Whether the guest may come to this table without its password: an owner of a seat may, and
    those whom somebody invited to it."""
    invited = session.came_by is not None and session.came_by.table == table.code
    at_it = session.table == table.code or session.opened == table.code
    return not table.access.lock or invited or at_it or table.own_seat(session, seat) is not None


async def _unlock_first(session: "Session", message: Join | Watch, table: Table) -> None:
    """Serve the request again if its password opens the table."""
    admission = session.server.admission
    refusal = await admission.refusal(session, message.password, table.access.lock)
    if refusal is not None:
        raise Impossible(RefusalCode(refusal.code), **refusal.params)
    session.opened = table.code
    session.serve_again(replace(message, password=""))


def _tell_if_older(session: "Session", table: Table, seen: Resume | Watch) -> None:
    """The client has seen what the journal does not have any more: say it, and log it."""
    match = table.match
    if match is None or match.id != seen.match or (seen.version or 0) <= match.version:
        return
    versions = {"version": match.version, "seen": seen.version or 0}
    session.send(Notice(NoticeCode.WENT_BACK, {**versions}))
    log = structlog.get_logger()
    log.error("match went back", match=match.id, table=table.code, **versions, **session.who())


async def _resume_later(session: "Session", message: Resume) -> None:
    match, owner = MatchId(message.match), session.caller.identity
    await session.server.restoring.wake(match, message.token, owner)
    session.serve_again(message)


# A host changes the rules, sends somebody away, or invites a friend -------------------------------


def settle(table: Table, host: "Session", asked: Settle) -> None:
    need_short(*asked.options.values())
    table.lobby.settle(table, host, asked)


def kick(table: Table, host: "Session", asked: Kick, answer: WhenKept) -> None:
    table.presence.kick(host, asked.name, answer)
    log = structlog.get_logger()
    log.info("kicked from a table", table=table.code, kicked=asked.name, **host.who())


def invite(session: "Session", message: Invite) -> Coroutine[Any, Any, Done]:
    """The answer comes when the invitation is on the disk."""
    table, server = session.need_table(), session.server
    table.need_host(session)
    server.lobby.refuse_beginning()
    if not server.admission.hosts_invite:
        raise Impossible(RefusalCode.NO_INVITATIONS)
    return _invite(session, table, message.id)


async def _invite(session: "Session", table: Table, request: int) -> Done:
    invitations = session.server.admission.invitations
    try:
        made, line = await invitations.issue(for_s=INVITED_S, table=table.code, by=session.name)
    except TooMany:
        raise Impossible(RefusalCode.TOO_MANY_INVITATIONS, limit=OF_A_TABLE) from None
    except CannotInvite as error:
        structlog.get_logger().warning("cannot invite", why=str(error), **session.who())
        raise Impossible(RefusalCode.NO_INVITATIONS) from None
    log = structlog.get_logger()
    log.info("invited", invitation=made.name, table=table.code, **session.who())
    return Done(id=request, invitation=line, page=invitations.page(line))
