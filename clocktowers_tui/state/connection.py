"""Whose server this is, and which name the player has there."""

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from protocol.from_server import Welcome
from protocol.invitation import Ways
from protocol.text import clean


class Kind(Enum):
    SOLO = "solo"
    HOST = "host"
    VISIT = "visit"


class Connection(Struct, frozen=True, kw_only=True):
    """An open connection. `friends`: what others may dial, when the server is the player's own, and
    by which `ways` they come. `private`: nobody on the way can read it; `invites`: the host of a
    table may ask for invitations. `attempt`: of reconnecting after the connection broke, from 1;
    0 = it stands."""

    kind: Kind
    address: str
    name: str
    games: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    friends: tuple[str, ...] = ()
    ways: Ways = Ways()
    private: bool = True
    invites: bool = False
    attempt: int = 0


def welcomed(
    kind: Kind,
    address: str,
    welcome: Welcome,
    *,
    private: bool = True,
) -> Connection:
    """The connection as the server's `welcome` describes it."""
    return Connection(
        kind=kind,
        address=address,
        name=clean(welcome.name),
        games=_names(welcome.games),
        levels=_names(welcome.levels),
        private=private,
        invites=welcome.invites,
    )


def _names(sent: Sequence[str]) -> tuple[str, ...]:
    """Names, cleaned, each once, without invisible ones."""
    return tuple(name for name in dict.fromkeys(map(clean, sent)) if name)
