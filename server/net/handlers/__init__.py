"""Which handler serves which message."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from protocol import from_client as client
from protocol.from_server import Done, Listing, WaitingList
from server.net.handlers import greeting, play, tables

if TYPE_CHECKING:
    from server.net.session import Session

HANDLERS: Final[
    dict[type[Struct], Callable[["Session", Any], Done | Listing | WaitingList | None]]
] = {
    client.Hello: greeting.hello,
    client.Ping: greeting.ping,
    client.Pong: greeting.pong,
    client.Bye: greeting.bye,
    client.ListTables: tables.list_tables,
    client.CreateTable: tables.create,
    client.Join: tables.join,
    client.Watch: tables.watch,
    client.Resume: tables.resume,
    client.Leave: tables.leave,
    client.Kick: tables.kick,
    client.SetBot: tables.set_bot,
    client.Ready: tables.ready,
    client.Start: tables.start,
    client.Rematch: tables.rematch,
    client.Lead: tables.lead,
    client.Act: play.act,
    client.TakeBack: play.act,
    client.Say: play.say,
    client.Back: tables.back,
    client.Hint: play.hint,
    client.SetPace: tables.set_pace,
    client.Hurry: tables.hurry,
    client.HandOver: tables.hand_over,
    client.Invite: tables.invite,
    client.GetRecord: play.get_record,
    client.Annotate: play.annotate,
    client.Settle: tables.settle,
    client.Hush: play.hush,
    client.Unsay: play.unsay,
    client.ListWaiting: tables.list_waiting,
    client.Notify: tables.notify,
}
"""Each returns the answer, or None when it sends the answer itself, now or later. They raise
Impossible for what is refused, and RemoteProtocolError for what only a broken peer sends."""
