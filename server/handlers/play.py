"""In a match: an action, and its answer."""

from typing import TYPE_CHECKING

from protocol.codec import read_as
from protocol.from_client import Act
from protocol.from_server import Done, Refused
from protocol.games.registry import GAMES
from protocol.ids import Key, Version
from protocol.refusal import RefusalCode
from server.matches.inbox import Accepted, Answer, Wish
from server.refusals import Impossible

if TYPE_CHECKING:
    from server.session import Session


def act(session: "Session", message: Act) -> None:
    """Into the match's inbox; the match answers when the action is kept, or refused."""
    table = session.table
    if table is None:
        raise Impossible(RefusalCode.NOT_AT_TABLE)
    seat = table.seat_of(session)
    if table.match is None:
        raise Impossible(RefusalCode.NO_MATCH)
    action = read_as(message.action, GAMES[table.game].action)

    def answer(result: Answer) -> None:
        session.send(_as_message(message.id, result))

    table.match.submit(Wish(seat, Version(message.version), Key(message.key), action, answer))


def _as_message(request: int, result: Answer) -> Done | Refused:
    if isinstance(result, Accepted):
        return Done(id=request, version=result.version)
    refusal = result.refusal
    return Refused(id=request, code=refusal.code, params=refusal.params, version=result.version)
