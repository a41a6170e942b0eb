"""The seat that this client plays at a server, with the newest token that opens it.

Law: nobody but this module and the disk knows the token of a seat.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.seats import Progress, Seat, Seats
from clocktowers_tui.net.trust import FIRST_USE
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State
from clocktowers_tui.state.whereabouts import seen_version
from protocol.from_client import Resume


class OwnSeat:
    """`asked`: the name that the player asked for. `seats`: where tokens are kept; None = only in
    memory. `seat`: the seat to take again. `folder`: as in `Seat`."""

    def __init__(
        self, asked: str, seats: Seats | None = None, *, seat: Seat | None = None, folder: int = 0
    ) -> None:
        self._asked: Final = asked
        self._seats: Final = seats
        self.folder: Final = folder
        self.trust = FIRST_USE if seat is None else seat.trusts
        """By what the seat's server is known."""
        self.invitation = b"" if seat is None else bytes.fromhex(seat.invitation)
        """The secret by which the player came in, and comes back; b"" = none."""
        self._newest = seat
        self._over = False
        self._released = False

    @property
    def seat(self) -> Seat | None:
        """The seat, as long as its match runs."""
        return None if self._over else self._newest

    def resume(self, state: State) -> Resume | None:
        """The request that takes the seat again; None without a token. `state`: what the client
        has seen of the match."""
        if (seat := self._newest) is None:
            return None
        version = seen_version(state, seat.match)
        return Resume(id=0, match=seat.match, token=bytes.fromhex(seat.token), version=version)

    async def keep(
        self, token: bytes, match: Match, addresses: Sequence[Address], name: str
    ) -> None:
        """The server has sent a new token: return when it is on disk. `addresses`: those of the
        server; `name`: what the player is called there."""
        had = self._newest
        if had is not None and had.match != match.id:
            had = None
        self._over = False
        if had is not None:  # the address that it is kept by stays
            addresses = [*dict.fromkeys((had.address, *addresses, *had.others))]
        first, *others = addresses
        self._newest = Seat(
            host=first.host,
            port=first.port,
            others=tuple(others),
            name=name if had is None else had.name,
            asked=self._asked if had is None else had.asked,
            match=match.id,
            table=match.table,
            game=match.game,
            token=token.hex(),
            folder=self.folder,
            trust=self.trust.on_disk(),
            invitation=self.invitation.hex(),
            progress=Progress() if had is None else had.progress,
        )
        if self._seats is not None:
            await self._seats.keep(self._newest)

    async def note(self, progress: Progress) -> None:
        """The player has the turn: return when how far the match is stands on disk."""
        if self._released or self.seat is None or self.seat.progress == progress:
            return
        self._newest = replace(self.seat, progress=progress)
        if self._seats is not None:
            await self._seats.keep(self._newest)

    def match_ended(self, match: str) -> None:
        """Nothing is left to come back to. The token stays in memory: a rematch that begins while
        the line is broken may hold the seat for it."""
        if self._newest is not None and self._newest.match == match:
            self._forget_on_disk()
            self._over = True

    def forget(self) -> None:
        """The seat is given up, or lost."""
        self._forget_on_disk()
        self._newest, self._over = None, False

    def _forget_on_disk(self) -> None:
        if self._newest is not None and self._seats is not None:
            self._seats.forget(self._newest)

    async def release(self) -> None:
        """This client plays the seat no longer; another client may."""
        self._released = True
        if self._seats is not None:
            await self._seats.let_go()
