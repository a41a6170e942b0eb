"""Which token opens which seat of a match: a valid token proves that its bearer owns the seat.

Laws: only hashes are kept, here and in the journal. A token is handed out after its hash was kept.
The token before it stays valid until the new one has been used, so that neither a broken line nor a
crash can leave a player without a valid token; nor does a late resume with an older token end the
one that was handed out since.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from protocol.from_client import TOKEN_BYTES
from protocol.ids import Seat
from server.matches.match_journal import MatchJournal
from server.store.journal import NO_TOKENS, Header, TokenHashes

NO_SEATS: Final[frozenset[Seat]] = frozenset()
"""One for all: an empty set takes 216 bytes, and every match and table has several."""
_NONE: Final[Mapping[Seat, bytes]] = MappingProxyType({})

MOST_UNUSED: Final = 4
"""How many tokens stay valid although newer ones were handed out, until one of them is used."""


class Tokens:
    """The tokens of a match. What waits raises what `MatchJournal.keep_tokens` does."""

    __slots__ = ("_first", "_given_up", "_hashes", "_journal")

    def __init__(self, journal: MatchJournal) -> None:
        self._journal: Final = journal
        self._hashes: TokenHashes = NO_TOKENS
        """Never changed but replaced: the journal may keep the same object."""
        self._given_up: frozenset[Seat] = NO_SEATS
        self._first: Mapping[Seat, bytes] = _NONE
        """The first token of each seat, until the journal has the match."""

    def deal(self, seat: Seat) -> None:
        """Make the seat's first token, which is kept in one commit with the match."""
        self._first = {seat: secrets.token_bytes(TOKEN_BYTES), **self._first}

    async def begin(self, header: Header) -> Mapping[Seat, bytes]:
        """Keep the match and its tokens together, so that no match begins for some of its players
        only. Returns every first token, but for seats given up meanwhile."""
        hashes = {seat: (_hash(token),) for seat, token in self._first.items()}
        await self._journal.begin(header, hashes)
        first, self._first, self._hashes = self._first, _NONE, hashes
        for seat in self._given_up:
            self._let_go(seat)
        return {seat: token for seat, token in first.items() if seat not in self._given_up}

    def _let_go(self, seat: Seat) -> None:
        self._hashes = {other: kept for other, kept in self._hashes.items() if other != seat}

    def restore(self, kept: TokenHashes) -> None:
        """Take over the hashes that the journal has."""
        self._hashes = kept

    def seat_of(self, token: bytes) -> Seat | None:
        """The seat that the token opens, in a time that does not depend on the token."""
        return opened(self._hashes, token)

    def unused(self, seat: Seat) -> bool:
        """Whether no token ever opened the seat, so that its owner may not have heard any."""
        if seat in self._given_up:
            return False
        return seat in self._first or len(self._hashes.get(seat, ())) == 1

    def has(self, seat: Seat) -> bool:
        """Whether the seat was dealt a token, and not given up."""
        return seat not in self._given_up and (seat in self._first or bool(self._hashes.get(seat)))

    async def issue(self, seat: Seat, used: bytes) -> bytes | None:
        """A new token for the owner of a seat, who came with the token `used`, or b"" = with none;
        None when the seat was given up."""
        token = secrets.token_bytes(TOKEN_BYTES)
        hashes = (*self._still_valid(seat, used), _hash(token)) if used else (_hash(token),)
        await self._journal.keep_tokens(seat, hashes)
        if seat in self._given_up:
            return None
        self._hashes = {**self._hashes, seat: hashes}
        return token

    def _still_valid(self, seat: Seat, used: bytes) -> tuple[bytes, ...]:
        """The hash of the token that was used, and of the newest that were handed out after it: its
        owner may have come twice with the same token, and hold what either time gave."""
        given, known = _hash(used), tuple(self._hashes.get(seat, ()))
        after = known[known.index(given) + 1 :] if given in known else ()
        return (given, *after[-MOST_UNUSED:])

    def revoke(self, seat: Seat) -> None:
        """Let no token open this seat any more; `remove` tells the journal."""
        self._given_up |= {seat}
        self._let_go(seat)

    async def remove(self, seat: Seat) -> None:
        """Remove the seat's hashes from the journal."""
        await self._journal.keep_tokens(seat, ())


def opened(hashes: TokenHashes, token: bytes) -> Seat | None:
    """The seat that the token opens, of a match that has these hashes."""
    given, found = _hash(token), None
    for seat, kept in hashes.items():
        for one in kept:
            if hmac.compare_digest(one, given):
                found = seat
    return found


def _hash(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()
