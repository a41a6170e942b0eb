"""Where a client is at its server: what to ask for to be there again on another line.

Law: the token of a seat is known to nobody but this module and the disk.
"""

from typing import Final

import msgspec

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.link import Answer
from clocktowers_tui.net.seats import Seat, Seats
from protocol.from_client import Join, Leave, ListTables, Request, Resume, Watch
from protocol.from_server import (
    AtTable,
    Done,
    Ended,
    History,
    LeftTable,
    Listing,
    Refused,
    SeatToken,
    Started,
    Update,
)


class Whereabouts:
    """Overhears all that is said on a line. `name`: the player's there; `asked`: the one that was
    asked for; `seats`: where tokens are kept,
    None = nowhere but here; `seat`: the one that shall be taken again; `folder`: of the server, if
    it is one's own."""

    def __init__(
        self,
        address: Address,
        name: str,
        seats: Seats | None,
        seat: Seat | None = None,
        folder: int = 0,
        asked: str = "",
    ) -> None:
        self._address: Final = address
        self._name: Final = name
        self._asked: Final = asked
        self._seats: Final = seats
        self._seat = seat
        self._over = False
        self._folder: Final = folder
        self._table: AtTable | None = None
        self._listed: ListTables | None = None
        self._started: Started | None = None
        self._version: int | None = None

    @property
    def table(self) -> str:
        """The code of the table where one is, or ""."""
        return self._table.info.table if self._table is not None else ""

    @property
    def seat(self) -> Seat | None:
        """That in a running match, with its newest token."""
        return None if self._over else self._seat

    @property
    def resuming(self) -> Resume | None:
        """The request that takes the seat of a running match again."""
        return None if self.seat is None else self._resume(self.seat)

    def _resume(self, seat: Seat) -> Resume:
        token = bytes.fromhex(seat.token)
        return Resume(id=0, match=seat.match, token=token, version=self._version)

    def ways_back(self) -> list[Request]:
        """The first that is fulfilled leads to where one was, or as near as can be."""
        if (resuming := self.resuming) is not None:
            return [resuming]
        if self._table is None:
            return []
        match = self._started.match if self._started is not None else ""
        watch = Watch(id=0, table=self.table, match=match, version=self._version)
        if self._table.seat is None:
            return [watch]
        join = Join(id=0, table=self.table)
        ways: list[Request] = [msgspec.structs.replace(join, seat=self._table.seat), join, watch]
        # A server that fell meanwhile holds the seat for who has its token.
        return [self._resume(self._seat), *ways] if self._seat is not None else ways

    def way_to_lobby(self) -> ListTables | None:
        """The page that was looked at last, when one is in the lobby."""
        return self._listed if self._table is None else None

    # What is said -------------------------------------------------------------------------------

    def asked(self, wish: Request, answer: Answer) -> None:
        """A request has been answered."""
        match wish, answer:
            case Leave(), Done():
                self._leave()
            case Resume(), Refused():
                self.forget()
            case ListTables(), Listing():
                self._listed = wish

    def heard(self, message: msgspec.Struct) -> bool:
        """The server says something; True for what is nobody else's business."""
        match message:
            case SeatToken():
                self._keep(message)
                return True
            case AtTable():
                self._table = message
            case LeftTable():
                self._leave()
            case Started():
                if self._started is None or self._started.match != message.match:
                    self._version = None
                self._started = message
            case Update(match=match, version=version) | History(match=match, version=version):
                if self._started is not None and match == self._started.match:
                    self._version = version
            case Ended(match=match) if self._seat is not None and match == self._seat.match:
                self._forget_on_disk()
                self._over = True
        return False

    def _leave(self) -> None:
        self._table = self._started = self._version = None
        self.forget()

    def _keep(self, message: SeatToken) -> None:
        started, before = self._started, self._seat
        if started is None or started.match != message.match:
            return
        had = before if before is not None and before.match == message.match else None
        self._seat = Seat(
            host=self._address.host,
            port=self._address.port,
            name=self._name if had is None else had.name,
            asked=self._asked if had is None else had.asked,
            match=message.match,
            table=started.table,
            game=started.game,
            token=message.token.hex(),
            folder=self._folder,
        )
        self._over = False
        if self._seats is not None:
            self._seats.keep(self._seat)

    def forget(self) -> None:
        """There is no seat to come back to."""
        self._forget_on_disk()
        self._seat, self._over = None, False

    def _forget_on_disk(self) -> None:
        if self._seat is not None and self._seats is not None:
            self._seats.forget(self._seat)

    def release(self) -> None:
        """Nobody plays the seat here any more; another client may."""
        if self._seats is not None:
            self._seats.release()
