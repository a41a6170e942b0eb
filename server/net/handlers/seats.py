"""At a table: sit down, watch, leave, get ready, start."""

from functools import partial
from typing import TYPE_CHECKING

import structlog

from protocol.from_client import (
    Back,
    HandOver,
    Hurry,
    Join,
    Kick,
    Leave,
    Ready,
    Rematch,
    Resume,
    SetBot,
    SetPace,
    Start,
    Watch,
)
from protocol.from_server import Done, Notice, NoticeCode
from protocol.ids import MatchId
from protocol.refusal import RefusalCode
from server.net.handlers.unlocking import opens, unlock
from server.tables.refusals import Impossible
from server.tables.table import Table

if TYPE_CHECKING:
    from server.net.session import Session


def join(session: "Session", message: Join) -> Done | None:
    table = session.server.lobby.find(message.table)
    if not opens(session, table, message.seat):
        session.server.tasks.spawn(unlock(session, table, message))
        return None
    again = table.join(session, message.seat)
    session.server.lobby.list.unsubscribe(session)
    return Done(id=message.id, table=table.code, name=session.name if again else "")


def watch(session: "Session", message: Watch) -> Done | None:
    table = session.server.lobby.find(message.table)
    if not opens(session, table, None):
        session.server.tasks.spawn(unlock(session, table, message))
        return None
    table.watch(session, message.match, -1 if message.version is None else message.version)
    _tell_if_older(session, table, message)
    session.server.lobby.list.unsubscribe(session)
    return Done(id=message.id, table=table.code)


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
        await session.server.restoring.wake(MatchId(message.match), message.token)
    except Impossible as impossible:
        session.refuse(message.id, impossible.refusal)
    else:
        session.serve_again(message)


def leave(session: "Session", message: Leave) -> None:
    _table(session).leave(session, partial(session.send, Done(id=message.id)))


def kick(session: "Session", message: Kick) -> None:
    table = _table(session)
    table.kick(session, message.name, partial(session.send, Done(id=message.id)))
    log = structlog.get_logger()
    log.info("kicked from a table", table=table.code, kicked=message.name, **session.who())


def back(session: "Session", message: Back) -> Done:
    table = _table(session)
    table.playing.take_back_from_bot(table.seat_of(session))
    return Done(id=message.id)


def set_bot(session: "Session", message: SetBot) -> Done:
    _table(session).set_bot(session, message.seat, message.level)
    return Done(id=message.id)


def ready(session: "Session", message: Ready) -> Done:
    _table(session).set_ready(session, message.ready)
    return Done(id=message.id)


def start(session: "Session", message: Start) -> None:
    _table(session).start(session, partial(session.send, Done(id=message.id)))


def rematch(session: "Session", message: Rematch) -> None:
    _table(session).rematch(session, partial(session.send, Done(id=message.id)))


def set_pace(session: "Session", message: SetPace) -> Done:
    _table(session).set_pace(session, message.pace)
    return Done(id=message.id)


def hurry(session: "Session", message: Hurry) -> Done:
    table = _table(session)
    table.playing.hurry(table.seat_of(session))
    return Done(id=message.id)


def hand_over(session: "Session", message: HandOver) -> Done:
    table = _table(session)
    table.playing.hand_over(table.seat_of(session))
    return Done(id=message.id)


def _table(session: "Session") -> Table:
    table = session.at_table()
    if table is None:
        raise Impossible(RefusalCode.NOT_AT_TABLE)
    return table
