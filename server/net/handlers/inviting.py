"""The host of a table invites a friend."""

from typing import TYPE_CHECKING, Final

import structlog

from protocol.from_client import Invite
from protocol.from_server import Done, Refused
from protocol.refusal import RefusalCode
from server.admission.invitations import OF_A_TABLE, CannotInvite, TooMany
from server.net.service import Service
from server.tables.refusals import Impossible
from server.tables.table import Table

if TYPE_CHECKING:
    from server.net.session import Session

HOLDS_S: Final = 86400
"""And no longer than the table stands."""


def invite(service: Service, session: "Session", message: Invite) -> None:
    """The answer comes when the invitation is on the disk."""
    if (table := session.at_table()) is None:
        raise Impossible(RefusalCode.NOT_AT_TABLE)
    table.need_host(session)
    service.lobby.refuse_beginning()
    if not service.admission.hosts_invite:
        raise Impossible(RefusalCode.NO_INVITATIONS)
    service.lobby.runner.spawn(_invite(service, session, table, message.id))


async def _invite(service: Service, session: "Session", table: Table, request: int) -> None:
    try:
        made, line = await service.admission.invitations.issue(
            for_s=HOLDS_S, table=table.code, by=session.name
        )
    except TooMany:
        refusal, limit = RefusalCode.TOO_MANY_INVITATIONS, {"limit": OF_A_TABLE}
        session.send(Refused(id=request, code=refusal, params={**limit}))
    except CannotInvite as error:
        structlog.get_logger().warning("cannot invite", why=str(error), **session.who())
        session.send(Refused(id=request, code=RefusalCode.NO_INVITATIONS))
    else:
        log = structlog.get_logger()
        log.info("invited", invitation=made.name, table=table.code, **session.who())
        page = service.admission.invitations.page(line)
        session.send(Done(id=request, invitation=line, page=page))
