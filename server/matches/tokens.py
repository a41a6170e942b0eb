"""Which token opens which seat of a match: whoever has it is the one who sat there.

Laws: only hashes are kept, here and in the journal; a token is handed out after its hash has been
kept; the one before it stays good until the new one has been used, so that neither a line that
breaks nor a server that falls can leave a player without any.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from protocol.from_client import TOKEN_BYTES
from protocol.ids import MatchId, Seat
from server.store.journal import Journal, TokenHashes


class Tokens:
    """Those of one match. Every method that waits may raise JournalError."""

    __slots__ = ("_dealt", "_given_up", "_hashes", "_journal", "_match")

    def __init__(self, match: MatchId, journal: Journal) -> None:
        self._match: Final = match
        self._journal: Final = journal
        self._hashes: dict[Seat, tuple[bytes, ...]] = {}
        self._given_up: set[Seat] = set()
        self._dealt: dict[Seat, bytes] = {}
        """First tokens that were kept with the match, and not handed out yet."""

    def deal(self, seats: Iterable[Seat]) -> TokenHashes:
        """First tokens for these seats: the hashes are to be kept when the match is, so that it
        never begins for some of its players and is lost to the others."""
        self._dealt = {seat: secrets.token_bytes(TOKEN_BYTES) for seat in seats}
        return {seat: (_hash(token),) for seat, token in self._dealt.items()}

    def restore(self, kept: Mapping[Seat, Sequence[bytes]]) -> None:
        """What the journal has of them."""
        self._hashes = {seat: tuple(hashes) for seat, hashes in kept.items()}

    def seat_of(self, token: bytes) -> Seat | None:
        """The seat that the token opens. It takes as long for any token of any match."""
        given, found = _hash(token), None
        for seat, hashes in self._hashes.items():
            for kept in hashes:
                if hmac.compare_digest(kept, given):
                    found = seat
        return found

    async def issue(self, seat: Seat, used: bytes) -> bytes | None:
        """A new token for a seat whose owner came with `used`, b"" for the first one; None when the
        seat is given up."""
        dealt = None if used else self._dealt.pop(seat, None)
        token = dealt or secrets.token_bytes(TOKEN_BYTES)
        hashes = (_hash(used), _hash(token)) if used else (_hash(token),)
        if dealt is None:
            await self._journal.keep_tokens(self._match, seat, hashes)
        if seat in self._given_up:
            return None
        self._hashes[seat] = hashes
        return token

    def revoke(self, seat: Seat) -> None:
        """From now on nothing opens this seat; `forget` lets the journal know."""
        self._given_up.add(seat)
        self._hashes.pop(seat, None)

    async def forget(self, seat: Seat) -> None:
        """No token of this seat is kept any more."""
        await self._journal.keep_tokens(self._match, seat, ())


def _hash(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()
