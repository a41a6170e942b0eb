"""Which handler serves which message."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from protocol import from_client as client
from protocol.from_server import Done, Listing
from server.net.handlers import greeting, inviting, listing, play, records, seats, talk

if TYPE_CHECKING:
    from server.net.session import Session

HANDLERS: Final[dict[type[Struct], Callable[["Session", Any], Done | Listing | None]]] = {
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

"""Each returns the answer, or None when it sends the answer itself, now or later. They raise
Impossible for what is refused, and RemoteProtocolError for what only a broken peer sends."""
