"""In the lobby and at a table: list tables, create one, come to one, and all but playing there."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog
from msgspec.structs import replace

from protocol.codec import need_short
from protocol.errors import Refusal, RefusalCode
from protocol.from_client import (
    Back,
    CreateTable,
    HandOver,
    Hurry,
    Invite,
    Join,
    Kick,
    Lead,
    Leave,
    ListTables,
    ListWaiting,
    Notify,
    Ready,
    Rematch,
    Resume,
    SetBot,
    SetPace,
    Settle,
    Start,
    Watch,
)
from protocol.from_server import Done, Listing, Notice, NoticeCode, WaitingList
from protocol.ids import MatchId, TableCode
from protocol.table import DAY_S
from server.admission.invitations import OF_A_TABLE, CannotInvite, TooMany
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


def list_waiting(session: "Session", message: ListWaiting) -> WaitingList | None:
    server = session.server
    if message.vacation and session.identity:
        server.tasks.spawn(_take_vacation(session, message))
        return None
    found = server.sleeping.waiting(session, message.matches)
    until = server.lobby.people.away_until(session.identity)
    answer = WaitingList(id=message.id, matches=found, away_until=until)
    if server.cluster is None or len(found) == len(message.matches):
        return answer
    server.tasks.spawn(_add_elsewhere(session, answer, message.matches, server.cluster))
    return None


async def _add_elsewhere(
    session: "Session", answer: WaitingList, asked: Sequence[str], cluster: "Cluster"
) -> None:
    """Those that sleep at other nodes."""
    found = answer.matches
    wanted = {*asked} - {one.match for one in found}
    with suppress(JournalError):
        for id, code, due, due_at in await cluster.directory.dues([*wanted]):
            one = id if id in wanted else code
            found.append(session.server.sleeping.due(session, one, bytes(due), due_at))
    session.send(answer)


async def _take_vacation(session: "Session", message: ListWaiting) -> None:
    """Only somebody who plays here, or at another node, may: else strangers would fill the
    journal."""
    server, who = session.server, session.identity
    cluster, plays = server.cluster, server.lobby.shares.plays(who)
    try:
        if plays or (cluster is not None and await cluster.directory.match_of(who)):
            await server.sleeping.take_vacation(who, message.vacation)
    except (Impossible, JournalError):
        session.refuse(message.id, Refusal(RefusalCode.BUSY))
    else:
        session.serve_again(replace(message, vacation=0))


def notify(session: "Session", message: Notify) -> None:
    """The answer comes when it is in the journal, and a code when it was sent."""
    session.server.tasks.spawn(_notify(session, message))


async def _notify(session: "Session", message: Notify) -> None:
    try:
        told = await session.server.telling.serve(session, message)
        session.send(Done(id=message.id, told=told))
    except Impossible as impossible:
        session.refuse(message.id, impossible.refusal)
    except JournalError as error:
        structlog.get_logger().error("journal failed", error=str(error))
        session.refuse(message.id, Refusal(RefusalCode.BUSY))


def create(session: "Session", message: CreateTable) -> None:
    """Make a table, here or at a node with room; one more of a deal, where that deal is. A password
    is hashed first."""
    for words in message.options.values():
        need_short(words)
    server, cluster = session.server, session.server.cluster
    if cluster is not None and not message.duplicate and cluster.sending.makes_elsewhere(session):
        return
    if not message.password:
        made = _made(session, message, "")
        server.lobby.deals.when_kept(TableCode(made.table), partial(session.send, made))
    else:
        server.tasks.spawn(_create_locked(session, message))


def _made(session: "Session", message: CreateTable, lock: str) -> Done:
    table = session.server.lobby.create(session, message, lock)
    log = structlog.get_logger()
    log.info("table made", table=table.code, game=table.terms.game_id, **session.who())
    return Done(id=message.id, table=table.code)


async def _create_locked(session: "Session", message: CreateTable) -> None:
    """When the password is hashed."""
    lock = await session.server.admission.lock(session, message.password)
    if isinstance(lock, Refusal):
        session.refuse(message.id, lock)
        return

    def made() -> None:
        try:
            session.send(_made(session, message, lock))
        except Impossible as impossible:
            session.is_impossible(message, impossible.refusal)

    session.if_here(made)


# Coming to a table ------------------------------------------------------------------------------


def join(session: "Session", message: Join) -> Done | None:
    if _wakes(session, message):
        return None
    table = session.server.lobby.find(message.table)
    if not _opens(session, table, message.seat):
        session.server.tasks.spawn(_unlock(session, table, message))
        return None
    before, again = session.name, table.join(session, message.seat)
    session.server.lobby.list.unsubscribe(session)
    told = again or session.name != before
    return Done(id=message.id, table=table.code, name=session.name if told else "")


def watch(session: "Session", message: Watch) -> Done | None:
    if _wakes(session, message):
        return None
    table = session.server.lobby.find(message.table)
    if not _opens(session, table, None):
        session.server.tasks.spawn(_unlock(session, table, message))
        return None
    before = session.name
    table.watch(session, message.match, -1 if message.version is None else message.version)
    _tell_if_older(session, table, message)
    session.server.lobby.list.unsubscribe(session)
    name = session.name if session.name != before else ""
    return Done(id=message.id, table=table.code, name=name)


def resume(session: "Session", message: Resume) -> Done | None:
    """A match that rests is brought back first."""
    if message.match in session.server.lobby.resting:
        session.server.tasks.spawn(_resume_later(session, message))
        return None
    table = session.server.lobby.find_match(message.match)
    table.resume(session, message.token, -1 if message.version is None else message.version)
    _tell_if_older(session, table, message)
    session.server.lobby.list.unsubscribe(session)
    return Done(id=message.id, table=table.code, name=session.name)


def _wakes(session: "Session", message: Join | Watch) -> bool:
    """Whether the table sleeps; when it is awake the request is served again."""
    match = session.server.lobby.resting.asleep_at(message.table)
    if match is not None:
        session.server.tasks.spawn(_come_later(session, message, match))
    return match is not None


async def _come_later(session: "Session", message: Join | Watch, match: MatchId) -> None:
    playable = True
    with suppress(JournalError):
        playable = await session.server.restoring.wake_due(match)
    if match in session.server.lobby.resting:
        why = RefusalCode.BUSY if playable else RefusalCode.OTHER_RULES
        session.refuse(message.id, Refusal(why))
    else:
        session.serve_again(message)


def _opens(session: "Session", table: Table, seat: int | None) -> bool:
    """Whether the guest may come to this table without its password: an owner of a seat may, and
    those whom somebody invited to it."""
    invited = session.came_by is not None and session.came_by.table == table.code
    at_it = session.table == table.code or session.opened == table.code
    return not table.access.lock or invited or at_it or table.own_seat(session, seat) is not None


async def _unlock(session: "Session", table: Table, message: Join | Watch) -> None:
    """Serve the request again if its password opens the table."""
    admission = session.server.admission
    refusal = await admission.refusal(session, message.password, table.access.lock)
    if refusal is None:
        session.unlock(table.code)
        session.serve_again(replace(message, password=""))
    else:
        session.refuse(message.id, refusal)


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
    try:
        match, owner = MatchId(message.match), session.caller.identity
        await session.server.restoring.wake(match, message.token, owner)
    except Impossible as impossible:
        session.refuse(message.id, impossible.refusal)
    else:
        session.serve_again(message)


# At a table -------------------------------------------------------------------------------------


def leave(session: "Session", message: Leave) -> None:
    session.need_table().leave(session, partial(session.send, Done(id=message.id)))


def kick(session: "Session", message: Kick) -> None:
    table = session.need_table()
    table.presence.kick(session, message.name, partial(session.send, Done(id=message.id)))
    log = structlog.get_logger()
    log.info("kicked from a table", table=table.code, kicked=message.name, **session.who())


def back(session: "Session", message: Back) -> Done:
    table = session.need_table()
    table.playing.give_back(table.chair_of(session))
    return Done(id=message.id)


def set_bot(session: "Session", message: SetBot) -> Done:
    session.need_table().set_bot(session, message.seat, message.level)
    return Done(id=message.id)


def settle(session: "Session", message: Settle) -> Done:
    for words in message.options.values():
        need_short(words)
    session.server.lobby.settle(session.need_table(), session, message)
    return Done(id=message.id)


def ready(session: "Session", message: Ready) -> Done:
    session.need_table().set_ready(session, message.ready)
    return Done(id=message.id)


def start(session: "Session", message: Start) -> None:
    session.need_table().start(session, partial(session.send, Done(id=message.id)))


def rematch(session: "Session", message: Rematch) -> None:
    session.need_table().rematch(session, partial(session.send, Done(id=message.id)))


def lead(session: "Session", message: Lead) -> Done:
    session.need_table().lead(session, message.ply)
    return Done(id=message.id)


def set_pace(session: "Session", message: SetPace) -> Done:
    session.need_table().playing.set_pace(session, message.pace)
    return Done(id=message.id)


def hurry(session: "Session", message: Hurry) -> Done:
    table = session.need_table()
    table.playing.hurry(table.chair_of(session))
    return Done(id=message.id)


def hand_over(session: "Session", message: HandOver) -> Done:
    table = session.need_table()
    table.playing.hand_over(table.chair_of(session))
    return Done(id=message.id)


# A host invites a friend ------------------------------------------------------------------------


def invite(session: "Session", message: Invite) -> None:
    """The answer comes when the invitation is on the disk."""
    table, server = session.need_table(), session.server
    table.need_host(session)
    server.lobby.refuse_beginning()
    if not server.admission.hosts_invite:
        raise Impossible(RefusalCode.NO_INVITATIONS)
    server.tasks.spawn(_invite(session, table, message.id))


async def _invite(session: "Session", table: Table, request: int) -> None:
    invitations = session.server.admission.invitations
    try:
        made, line = await invitations.issue(for_s=INVITED_S, table=table.code, by=session.name)
    except TooMany:
        refusal = Refusal(RefusalCode.TOO_MANY_INVITATIONS, {"limit": OF_A_TABLE})
        session.refuse(request, refusal)
    except CannotInvite as error:
        structlog.get_logger().warning("cannot invite", why=str(error), **session.who())
        session.refuse(request, Refusal(RefusalCode.NO_INVITATIONS))
    else:
        log = structlog.get_logger()
        log.info("invited", invitation=made.name, table=table.code, **session.who())
        session.send(Done(id=request, invitation=line, page=invitations.page(line)))
