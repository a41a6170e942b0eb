"""After a match: its record."""

from functools import partial
from typing import TYPE_CHECKING

from protocol.from_client import GetRecord
from protocol.from_server import RECORD_PART_BYTES, Done, RecordPart
from protocol.refusal import Refusal, RefusalCode
from server.tables.refusals import Impossible

if TYPE_CHECKING:
    from server.net.session import Session


def get_record(session: "Session", message: GetRecord) -> None:
    """The parts of the record, then the answer. A player may have left when they hear the end, and
    one whom the server knows again may ask much later."""
    lobby, tell = session.server.lobby, partial(_tell, session, message)
    table = session.at_table() or lobby.attended(session, message.match)
    if table is not None and (not session.identity or table.recorded.has(message.match)):
        table.recorded.ask(session, message.match, tell)
    elif session.identity:
        lobby.past.ask(session, message.match, tell)
    else:
        raise Impossible(RefusalCode.NOT_AT_TABLE)


def _tell(session: "Session", message: GetRecord, record: bytes | Refusal) -> None:
    if isinstance(record, Refusal):
        session.refuse(message.id, record)
        return
    for start in range(0, len(record), RECORD_PART_BYTES):
        end = start + RECORD_PART_BYTES
        part, more = record[start:end], end < len(record)
        session.send(RecordPart(match=message.match, part=part, more=more))
    session.send(Done(id=message.id))
