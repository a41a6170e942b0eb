"""What people say to each other."""

from typing import TYPE_CHECKING

from protocol.from_client import Say
from protocol.from_server import Done
from protocol.refusal import RefusalCode
from server.net.service import Service
from server.tables.refusals import Impossible

if TYPE_CHECKING:
    from server.net.session import Session


def say(service: Service, session: "Session", message: Say) -> Done:
    """The line itself comes before the answer."""
    if session.table is None:
        raise Impossible(RefusalCode.NOT_AT_TABLE)
    session.table.chat.say(session, message.text, message.phrase)
    return Done(id=message.id)
