"""Whom a match tells what its table has to know. A match knows no tables."""

from typing import Any, Protocol

from protocol.ids import Seat


class Attendant(Protocol):
    """Called in the match's task; must neither block nor raise."""

    def ended(self, outcome: Any | None) -> None:
        """The match is over, None = aborted; said once, and not of what was over before `run`."""

    def took_back(self, seat: Seat) -> None:
        """This seat's newest action stands no more, and everybody has been sent so."""

    def timed_out(self, seat: Seat) -> bool:
        """The time of the seat to act is up; whether somebody else plays it now."""

    def disk_fails(self, fails: bool) -> None:
        """The journal has failed for long (True), or works again."""
