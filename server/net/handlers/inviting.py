"""The host of a table invites a friend."""

from typing import TYPE_CHECKING, Final

import structlog

from protocol.from_client import Invite
from protocol.from_server import Done
from protocol.refusal import Refusal, RefusalCode
from server.admission.invitations import OF_A_TABLE, CannotInvite, TooMany
from server.tables.refusals import Impossible
from server.tables.table import Table

if TYPE_CHECKING:
    from server.net.session import Session

HOLDS_S: Final = 86400
"""And no longer than the table stands."""


def invite(session: "Session", message: Invite) -> None:
    """The answer comes when the invitation is on the disk."""
    if (table := session.at_table()) is None:
        raise Impossible(RefusalCode.NOT_AT_TABLE)
    table.need_host(session)
    server = session.server
    server.lobby.refuse_beginning()
    if not server.admission.hosts_invite:
        raise Impossible(RefusalCode.NO_INVITATIONS)
    server.tasks.spawn(_invite(session, table, message.id))


async def _invite(session: "Session", table: Table, request: int) -> None:
    invitations = session.server.admission.invitations
    try:
        made, line = await invitations.issue(for_s=HOLDS_S, table=table.code, by=session.name)
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
