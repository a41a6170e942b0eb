"""The short way of a move, from its bytes to its match.

Law: it gives the same bytes and the same journal as the long way, or it declines and has changed
nothing. It takes one whole frame, with an `act` as our own client writes it, of a player in whose
seat nobody else plays, who is to act and acts for the first time on this version. From the match on
there is one way. The long way words every refusal that comes before the match.
"""

from typing import TYPE_CHECKING

from protocol.acting import read_act
from protocol.connection import Connection
from protocol.games.registry import GAMES
from server.logs.setup import wants_debug
from server.net.handlers.play import submit
from server.net.pace import SHORT_BYTES, Pace
from server.tables.seat import SeatState

if TYPE_CHECKING:
    from server.net.session import Session


def lane(session: "Session", connection: Connection, pace: Pace, data: bytes) -> bool:
    """Whether these bytes went the short way. A measured hot path."""
    if len(data) > SHORT_BYTES or pace.held_since_s is not None or wants_debug():
        return False
    if (payload := connection.whole(data)) is None or (table := session.at_table()) is None:
        return False
    if (match := table.match) is None or (seat := table.seating.seat_of(session)) is None:
        return False
    if table.seating.chairs[seat].state is not SeatState.HERE:
        return False
    act = read_act(payload, GAMES[table.game_id].action)
    if act is None or not pace.passes(match, seat, act):
        return False
    table.playing.acts(seat)
    submit(session, act, match, seat, act.action)
    return True
