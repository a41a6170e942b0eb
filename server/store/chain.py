"""A hash chain over what the journal has of a match: what the disk has changed does not fit.

It finds damage, not malice: the file's owner can make a chain that fits.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final, TypeAlias

import msgspec

from protocol.ids import MatchId
from server.store.journal import Entry, Header, Hurt

Link: TypeAlias = bytes

LINK_BYTES: Final = 16
NO_LINK: Final[Link] = b""
"""Of matches that are older than the chain."""

_encode: Final = msgspec.msgpack.Encoder().encode


def first_link(header: Header) -> Link:
    """The link before the first entry."""
    return blake2b(_encode(header), digest_size=LINK_BYTES).digest()


def next_link(link: Link, entry: Entry) -> Link:
    """The link of an entry. `link`: that before it."""
    return blake2b(link + _encode(entry), digest_size=LINK_BYTES).digest()


def check_links(header: Header, begins: Link, linked: Iterable[tuple[Entry, Link]]) -> None:
    """See that everything fits. Raises Hurt with the first version that does not."""
    if begins and begins != first_link(header):
        raise _hurt(header.match, "its beginning has changed")
    link = begins
    for version, (entry, kept) in enumerate(linked, 1):
        if kept == NO_LINK == link:
            continue
        link = next_link(link, entry)
        if kept != link:
            raise _hurt(header.match, f"version {version} is not what was written")


def _hurt(match: MatchId, why: str) -> Hurt:
    return Hurt(f"match {match} is damaged on the disk: {why}")
