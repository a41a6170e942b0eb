"""The short way to read an `act` of a known game, the message that a server reads with every move.

Law: it gives the same message as `codec.decode`, with the action as `codec.read_whole` gives it, or
declines. It knows only acts as our own client writes them: what was read, written again, is what
came, byte for byte, so nothing was read over.
"""

from functools import cache
from typing import Any, Final

from msgspec import DecodeError, defstruct, msgpack

from protocol.from_client import Act

_encode: Final = msgpack.Encoder().encode


def read_act(payload: bytes, action: Any) -> Act | None:
    """The act in a payload, with an action of this type or union; None = read it the long way."""
    try:
        act = _decoder(action).decode(payload)
    except (DecodeError, UnicodeDecodeError):
        return None
    return act if _encode(act) == payload else None


@cache
def _decoder(action: Any) -> "msgpack.Decoder[Act]":
    typed = defstruct(
        "TypedAct", [("action", action)], bases=(Act,), frozen=True, kw_only=True, tag="act"
    )
    return msgpack.Decoder(typed)
