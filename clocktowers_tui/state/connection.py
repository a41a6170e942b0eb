"""Whose server this is, and as whom one is there."""

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from protocol.from_server import Welcome
from protocol.text import clean


class Kind(Enum):
    SOLO = "solo"
    HOST = "host"
    VISIT = "visit"


class Connection(Struct, frozen=True, kw_only=True):
    """An open line. `friends`: what others may dial, when the server is one's own. `attempt`: to
    come back after the line broke, from 1; 0 = it stands."""

    kind: Kind
    address: str
    name: str
    games: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    friends: tuple[str, ...] = ()
    attempt: int = 0


def welcomed(
    kind: Kind, address: str, welcome: Welcome, friends: tuple[str, ...] = ()
) -> Connection:
    """The line as the server's `welcome` describes it."""
    return Connection(
        kind=kind,
        address=address,
        name=clean(welcome.name),
        games=_names(welcome.games),
        levels=_names(welcome.levels),
        friends=friends,
    )


def _names(sent: Sequence[str]) -> tuple[str, ...]:
    """Clean, each once, and none that nobody could see."""
    return tuple(name for name in dict.fromkeys(map(clean, sent)) if name)
