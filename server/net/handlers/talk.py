"""The chat of a table."""

from typing import TYPE_CHECKING

from protocol.from_client import Say
from protocol.from_server import Done
from protocol.refusal import RefusalCode
from server.tables.refusals import Impossible

if TYPE_CHECKING:
    from server.net.session import Session


def say(session: "Session", message: Say) -> Done:
    """Say a line at the table. Everybody is sent the line before the answer."""
    table = session.at_table()
    if table is None:
        raise Impossible(RefusalCode.NOT_AT_TABLE)
    table.chat.say(session, message.text, message.phrase)
    return Done(id=message.id)
