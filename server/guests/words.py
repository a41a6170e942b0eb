"""What the server and the process of its doors tell each other."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Kind = Literal["ssh", "web"]
"""Which door is wanted."""


class Setup(Struct, frozen=True, tag="setup", forbid_unknown_fields=True):
    """The server's first word. `state`: its folder. `asks_password`: each guest has to say it."""

    state: str
    guests: int
    guests_per_address: int
    guests_per_identity: int
    guest_idle_s: float
    hello_s: float
    loopback_counts: bool
    asks_password: bool = False


class Handed(Struct, frozen=True, tag="handed", forbid_unknown_fields=True):
    """Somebody calls at a door: their connection comes with this. `address`: theirs. `secure`: they
    speak TLS, with the server or its proxy."""

    door: Kind
    address: Annotated[str, Meta(max_length=64)]
    secure: bool = False


class Note(Struct, frozen=True, tag="note", forbid_unknown_fields=True):
    """A line for the server's log."""

    level: Literal["debug", "info", "warning", "error"]
    event: str
    about: dict[str, str | int | float | bool | None] = {}


FROM_SERVER = msgspec.msgpack.Decoder(Setup | Handed)
FROM_DOORS = msgspec.msgpack.Decoder(Note)
