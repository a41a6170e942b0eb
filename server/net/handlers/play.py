"""Playing at a table: an action, a hint, and the record afterwards."""

from collections.abc import Coroutine
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from protocol.codec import read_whole
from protocol.errors import RefusalCode
from protocol.from_client import Act, Annotate, GetRecord, Hint, TakeBack
from protocol.from_server import RECORD_PART_BYTES, Done, RecordPart, Refused
from protocol.games.registry import GAMES
from protocol.ids import Key
from server.matches.wishes import Accepted, Answered
from server.tables.access import Impossible
from server.tables.playing import FoundHint, Playing

if TYPE_CHECKING:
    from server.net.session import Session


def act(session: "Session", message: Act | TakeBack) -> None:
    """Ask the match for an action, or to take the newest back. It answers when that is kept, or
    refused. A measured hot path, as what it calls."""
    table = session.need_table()
    chair, match = table.seating.chair_of(session), table.match
    if chair is None:
        raise Impossible(RefusalCode.NOT_SEATED)
    if match is None:
        raise Impossible(RefusalCode.NO_MATCH)
    action = None
    if type(message) is Act:
        action = read_whole(message.action, _actions(table.terms.game_id))
    answer = partial(_answer, session, table.playing, message.id)
    seat, key = chair.number, Key(message.key)
    if chair.bot is not None:
        # What is refused, or was kept before, gives no seat back.
        if (answered := match.answer_now(seat, message.version, key, action)) is not None:
            answer(answered)
            return
        table.playing.give_back(chair)
    if action is None and table.days is not None:
        table.playing.take_back(chair, message.version, key, answer)
        return
    match.submit(seat, message.version, key, action, answer)


@cache
def _actions(game: str) -> Any:
    return GAMES[game].action


def hint(session: "Session", message: Hint) -> Coroutine[Any, Any, Done]:
    """Ask for what a strong bot would do; the answer comes when it has decided."""
    return _hint(message.id, session.need_table().playing.hint(session))


async def _hint(request: int, deciding: Coroutine[Any, Any, FoundHint]) -> Done:
    found = await deciding
    return Done(id=request, version=found.version, **found.decided._asdict())


def _answer(session: "Session", playing: Playing, request: int, result: Answered) -> None:
    if isinstance(result, Accepted):
        if not result.again:
            playing.person_acted()
        session.send(Done(id=request, version=result.version))
    else:
        refusal = result.refusal
        session.send(
            Refused(id=request, code=refusal.code, params=refusal.params, version=result.version)
        )


def get_record(session: "Session", message: GetRecord) -> Done | Coroutine[Any, Any, Done]:
    """The parts of the record, then the answer. A player may have left when they hear the end, and
    one whom the server knows again, or who shows a proof, may ask much later."""
    lobby, later = session.server.lobby, session.identity or message.proof
    table = session.at_table() or lobby.attended(session, message.match)
    if table is not None and (not later or table.recorded.has(message.match)):
        return _tell_record(session, message, table.recorded.find(message.match))
    if not later:
        raise Impossible(RefusalCode.NOT_AT_TABLE)
    return _find_record(session, message)


async def _find_record(session: "Session", message: GetRecord) -> Done:
    found = await session.server.lobby.past.find(session, message.match, message.proof or b"")
    return _tell_record(session, message, found)


async def annotate(session: "Session", message: Annotate) -> Done:
    """Keep what a player says of their match; it answers when that is kept."""
    await session.server.lobby.past.keep_said(session, message.match, message.said)
    return Done(id=message.id)


def _tell_record(session: "Session", message: GetRecord, record: bytes) -> Done:
    for start in range(0, len(record), RECORD_PART_BYTES):
        end = start + RECORD_PART_BYTES
        part, more = record[start:end], end < len(record)
        session.send(RecordPart(match=message.match, part=part, more=more))
    return Done(id=message.id)
