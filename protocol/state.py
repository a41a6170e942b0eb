"""Which message is allowed in which state of a connection, as data.

    OPENING --hello--> GREETED --welcome--> OPEN --bye | goodbye--> CLOSED

What is impossible only because the world moved on meanwhile (acting at a table that has just been
closed, say) is no error of the wire: the server refuses it. So lobby and table are no states here.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct

from protocol import from_client as client, from_server as server


class Side(Enum):
    CLIENT = "client"
    SERVER = "server"


class State(Enum):
    OPENING = "opening"
    GREETED = "greeted"
    OPEN = "open"
    CLOSED = "closed"


Moves: TypeAlias = Mapping[State, Mapping[type[Struct], State]]

_CLIENT_WHEN_OPEN: Final[dict[type[Struct], State]] = {
    message: State.OPEN
    for message in client.FROM_CLIENT
    if message not in (client.Hello, client.Bye)
}
_SERVER_WHEN_OPEN: Final[dict[type[Struct], State]] = {
    message: State.OPEN
    for message in server.FROM_SERVER
    if message not in (server.Welcome, server.Goodbye)
}

TRANSITIONS: Final[Mapping[Side, Moves]] = {
    Side.CLIENT: {
        State.OPENING: {client.Hello: State.GREETED, client.Bye: State.CLOSED},
        State.GREETED: {client.Bye: State.CLOSED},
        State.OPEN: {**_CLIENT_WHEN_OPEN, client.Bye: State.CLOSED},
        State.CLOSED: {},
    },
    Side.SERVER: {
        State.OPENING: {server.Goodbye: State.CLOSED},
        State.GREETED: {server.Welcome: State.OPEN, server.Goodbye: State.CLOSED},
        State.OPEN: {**_SERVER_WHEN_OPEN, server.Goodbye: State.CLOSED},
        State.CLOSED: {},
    },
}
"""Who speaks → state before → message → state after; what is not listed is not allowed."""
