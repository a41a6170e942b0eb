"""Which handler serves which message, and how its answer goes back."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import structlog
from msgspec import Struct

from protocol import from_client as client
from protocol.from_server import Done, Listing, Refused
from server.logs.setup import wants_debug
from server.net.handlers import greeting, inviting, listing, play, records, seats, talk
from server.net.service import Service
from server.tables.refusals import Impossible

if TYPE_CHECKING:
    from server.net.session import Session

Handler: TypeAlias = "Callable[[Service, Session, Any], Done | Listing | None]"
"""Returns the answer, or None when it sends the answer itself, now or later."""

HANDLERS: Final[dict[type[Struct], Handler]] = {
    client.Hello: greeting.hello,
    client.Ping: greeting.ping,
    client.Pong: greeting.pong,
    client.Bye: greeting.bye,
    client.ListTables: listing.list_tables,
    client.CreateTable: listing.create,
    client.Join: seats.join,
    client.Watch: seats.watch,
    client.Resume: seats.resume,
    client.Leave: seats.leave,
    client.Kick: seats.kick,
    client.SetBot: seats.set_bot,
    client.Ready: seats.ready,
    client.Start: seats.start,
    client.Rematch: seats.rematch,
    client.Act: play.act,
    client.TakeBack: play.take_back,
    client.Say: talk.say,
    client.Back: seats.back,
    client.Hint: play.hint,
    client.SetPace: seats.set_pace,
    client.Hurry: seats.hurry,
    client.HandOver: seats.hand_over,
    client.Invite: inviting.invite,
    client.GetRecord: records.get_record,
}


def dispatch(service: Service, session: "Session", message: Any) -> None:
    """Serve one message. Raises RemoteProtocolError for what only a broken peer sends."""
    answer: Done | Listing | Refused | None
    if wants_debug():
        _log("asked", session, message)
    try:
        answer = HANDLERS[type(message)](service, session, message)
    except Impossible as impossible:
        refusal = impossible.refusal
        if service.elsewhere(session, message, refusal):
            return
        if wants_debug():
            _log("answered no", session, message, code=refusal.code)
        answer = Refused(id=message.id, code=refusal.code, params=refusal.params)
    if answer is not None:
        session.send(answer)


def _log(event: str, session: "Session", message: Struct, **more: Any) -> None:
    """What was asked is named by its type alone: it may hold a token, a password or a card."""
    what = message.__struct_config__.tag
    structlog.get_logger().debug(event, what=what, table=session.table, **more, **session.who())
