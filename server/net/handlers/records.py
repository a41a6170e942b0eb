"""After a match: its record."""

from functools import partial
from typing import TYPE_CHECKING

from protocol.from_client import GetRecord
from protocol.from_server import RECORD_PART_BYTES, Done, RecordPart, Refused
from protocol.refusal import Refusal, RefusalCode
from server.net.service import Service
from server.tables.refusals import Impossible

if TYPE_CHECKING:
    from server.net.session import Session


def get_record(service: Service, session: "Session", message: GetRecord) -> None:
    """The parts of the record, then the answer. A player may have left when they hear the end."""
    table = session.at_table()
    if table is None and (table := service.lobby.attended(session, message.match)) is None:
        raise Impossible(RefusalCode.NOT_AT_TABLE)
    table.recorded.ask(session, message.match, partial(_tell, session, message))


def _tell(session: "Session", message: GetRecord, record: bytes | Refusal) -> None:
    if isinstance(record, Refusal):
        session.send(Refused(id=message.id, code=record.code, params=record.params))
        return
    for start in range(0, len(record), RECORD_PART_BYTES):
        end = start + RECORD_PART_BYTES
        part, more = record[start:end], end < len(record)
        session.send(RecordPart(match=message.match, part=part, more=more))
    session.send(Done(id=message.id))
