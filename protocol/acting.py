"""The short way to read an `act`, the message that a server reads with every move.

Law: it gives the same message as `codec.decode`, or declines. It knows only acts as our own client
writes them, with an action that is a short list of plain values and of lists of these.
"""

from typing import Annotated, Final, TypeAlias

from msgspec import DecodeError, Meta, msgpack

from protocol.from_client import Act

Plain: TypeAlias = str | int | bool | None

_FEW: Final = Meta(max_length=16)
_BEGINS: Final = b"\x85\xa4type\xa3act"
"""A map of five, the type first."""


class _Plain(Act, frozen=True, kw_only=True, tag="act", forbid_unknown_fields=True):
    action: Annotated[list[Plain | Annotated[list[Plain], _FEW]], _FEW]


_read: Final = msgpack.Decoder(_Plain).decode


def read_act(payload: bytes) -> Act | None:
    """The act in a payload; None = read it the long way."""
    if not payload.startswith(_BEGINS):
        return None
    try:
        act = _read(payload)
    except (DecodeError, UnicodeDecodeError):
        return None
    return Act(id=act.id, version=act.version, key=act.key, action=act.action)
