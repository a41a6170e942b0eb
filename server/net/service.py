"""What a server offers to its peers: all that a handler works with, beside the session."""

from dataclasses import dataclass

from server.tables.lobby import Lobby
from server.tables.names import Names


@dataclass(frozen=True)
class Service:
    """`name`: what the server calls itself. `password`: what each `hello` must give, "" = none."""

    lobby: Lobby
    names: Names
    name: str
    password: str
