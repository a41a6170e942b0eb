"""In the lobby: list tables, and create one."""

from functools import partial
from typing import TYPE_CHECKING

import structlog

from protocol.from_client import CreateTable, ListTables
from protocol.from_server import Done, Listing
from protocol.ids import TableCode
from server.net.handlers.unlocking import make_locked
from server.net.service import Service

if TYPE_CHECKING:
    from server.net.session import Session


def list_tables(service: Service, session: "Session", message: ListTables) -> Listing:
    """Answer with a page. A client in the lobby is then told of changes, too."""
    lobby = service.lobby
    if session.table is None:
        lobby.list.subscribe(session, message.filter)
    tables, total = lobby.list.page(message.filter, message.page)
    return Listing(id=message.id, tables=tables, page=message.page, total=total)


def create(service: Service, session: "Session", message: CreateTable) -> None:
    """A password is hashed first."""
    if not message.password:
        made = _made(service, session, message, "")
        service.lobby.when_kept(TableCode(made.table), partial(session.send, made))
        return
    make = partial(_made, service, session, message)
    service.lobby.runner.spawn(make_locked(service, session, message, make))


def _made(service: Service, session: "Session", message: CreateTable, lock: str) -> Done:
    table = service.lobby.create(session, message, lock)
    log = structlog.get_logger()
    log.info("table made", table=table.code, game=table.game_id, **session.who())
    return Done(id=message.id, table=table.code)
