"""In the lobby: list tables, and create one."""

from functools import partial
from typing import TYPE_CHECKING

import structlog

from protocol.from_client import CreateTable, ListTables
from protocol.from_server import Done, Listing
from protocol.ids import TableCode
from server.net.handlers.unlocking import make_locked

if TYPE_CHECKING:
    from server.net.session import Session


def list_tables(session: "Session", message: ListTables) -> Listing:
    """Answer with a page. A client in the lobby is then told of changes, too."""
    lobby = session.server.lobby
    if session.table is None:
        lobby.list.subscribe(session, message.filter)
    tables, total = lobby.list.page(message.filter, message.page)
    return Listing(id=message.id, tables=tables, page=message.page, total=total)


def create(session: "Session", message: CreateTable) -> None:
    """A password is hashed first."""
    server = session.server
    if not message.password:
        made = _made(session, message, "")
        server.lobby.deals.when_kept(TableCode(made.table), partial(session.send, made))
    else:
        server.tasks.spawn(make_locked(session, message, partial(_made, session, message)))


def _made(session: "Session", message: CreateTable, lock: str) -> Done:
    table = session.server.lobby.create(session, message, lock)
    log = structlog.get_logger()
    log.info("table made", table=table.code, game=table.game_id, **session.who())
    return Done(id=message.id, table=table.code)
