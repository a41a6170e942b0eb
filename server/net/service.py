"""What a server offers to its peers: all that a handler works with, beside the session."""

from dataclasses import dataclass

from server.tables.lobby import Lobby
from server.tables.names import Names
from server.tables.restoring import Restoring


@dataclass(frozen=True)
class Service:
    """`name`: what the server calls itself. `password`: what each `hello` must give, "" = none."""

    lobby: Lobby
    restoring: Restoring
    names: Names
    name: str
    password: str
