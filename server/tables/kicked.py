"""Whom the host of a table, or the operator of the server, has sent away from it.

Law: a kick holds the person, however their name is spelt and by however many connections they come.
It holds nobody else behind the same address.
"""

import re
from typing import TYPE_CHECKING, Any, Final

from server.tables.likeness import keys

if TYPE_CHECKING:
    from server.net.session import Session

_NUMBER: Final = re.compile(r" \d+$")
_NOBODY: Final[frozenset[Any]] = frozenset()
"""One for all: an empty set takes 216 bytes, and every table has three."""


class Kicked:
    """Of one table, for as long as it stands."""

    __slots__ = ("_guests", "_identities", "_looks")

    def __init__(self) -> None:
        self._guests: frozenset[Session] = _NOBODY
        self._identities: frozenset[bytes] = _NOBODY
        self._looks: frozenset[str] = _NOBODY

    def add(self, name: str, identity: bytes, guest: "Session | None" = None) -> None:
        """Hold this person, who may be here as `guest`. `identity`: as in `Session`."""
        self._looks |= keys(name)
        if identity:
            self._identities |= {identity}
        if guest is not None:
            self._guests |= {guest}

    def holds(self, guest: "Session") -> bool:
        """Whether the guest was sent away, or cannot be told from somebody who was."""
        if guest in self._guests or guest.identity in self._identities:
            return True
        looks = keys(guest.name)
        if not guest.identity:  # without one, the same wish for a name gets a number and is held
            looks |= keys(_NUMBER.sub("", guest.name))
        return not looks.isdisjoint(self._looks)
