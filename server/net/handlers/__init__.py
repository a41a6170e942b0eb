"""Which handler serves which message."""

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from protocol import from_client as client
from protocol.from_server import Done, Listing, WaitingList
from server.matches.wishes import WhenKept
from server.net.handlers import greeting, play, tables
from server.tables.table import Table

if TYPE_CHECKING:
    from server.net.session import Session

Answer: TypeAlias = Done | Listing | WaitingList

AT_A_TABLE: Final[Mapping[type[Struct], Callable[[Table, "Session", Any], object]]] = {
    client.SetBot: lambda table, guest, asked: table.set_bot(guest, asked.seat, asked.level),
    client.Settle: tables.settle,
    client.Ready: lambda table, guest, asked: table.set_ready(guest, asked.ready),
    client.Lead: lambda table, guest, asked: table.lead(guest, asked.ply),
    client.Say: lambda table, guest, asked: table.chat.say(guest, asked.text, asked.phrase),
    client.Hush: lambda table, guest, asked: table.hush(guest, asked.watchers),
    client.Unsay: lambda table, guest, asked: table.unsay(guest, asked.n),
    client.SetPace: lambda table, guest, asked: table.playing.set_pace(guest, asked.pace),
    client.Back: lambda table, guest, _: table.playing.give_back(table.chair_of(guest)),
    client.Hurry: lambda table, guest, _: table.playing.hurry(table.chair_of(guest)),
    client.HandOver: lambda table, guest, _: table.playing.hand_over(table.chair_of(guest)),
}
"""What is done at once: everybody at the table is told before the answer comes."""
WHEN_KEPT: Final[Mapping[type[Struct], Callable[[Table, "Session", Any, WhenKept], object]]] = {
    client.Leave: lambda table, guest, _, answer: table.leave(guest, answer),
    client.Kick: tables.kick,
    client.Start: lambda table, guest, _, answer: table.start(guest, answer),
    client.Rematch: lambda table, guest, _, answer: table.rematch(guest, answer),
}
"""What is answered when the journal has it."""


def at_a_table(session: "Session", message: Any) -> Done | None:
    table, done = session.need_table(), Done(id=message.id)
    if (does := AT_A_TABLE.get(type(message))) is not None:
        does(table, session, message)
        return done
    WHEN_KEPT[type(message)](table, session, message, partial(session.send, done))
    return None


HANDLERS: Final[
    dict[
        type[Struct],
        Callable[["Session", Any], Answer | Coroutine[Any, Any, Answer | None] | None],
    ]
] = {
    client.Hello: greeting.hello,
    client.Ping: greeting.ping,
    client.Pong: greeting.pong,
    client.Bye: greeting.bye,
    client.ListTables: tables.list_tables,
    client.ListWaiting: tables.list_waiting,
    client.Notify: tables.notify,
    client.CreateTable: tables.create,
    client.Join: tables.come,
    client.Watch: tables.come,
    client.Resume: tables.resume,
    client.Invite: tables.invite,
    client.Act: play.act,
    client.TakeBack: play.act,
    client.Hint: play.hint,
    client.GetRecord: play.get_record,
    client.Annotate: play.annotate,
    **dict.fromkeys((*AT_A_TABLE, *WHEN_KEPT), at_a_table),
}
"""Each returns the answer; a coroutine that comes to it, which the session waits for; or None where
it sends the answer itself, now or later. They raise Impossible for what is refused, and
RemoteProtocolError for what only a broken peer sends."""
