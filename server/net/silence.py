"""How long a peer has said nothing, and how long it has left a question unanswered.

A line may be quiet because nobody has asked; only what is not answered tells that it is dead.
"""

from typing import Final

from server.config import Limits


class Silence:
    """Of one peer. Time is an argument. `since_s`: when it was heard last. `told`: whether its
    table was told that it is silent."""

    __slots__ = ("_asked_s", "_limits", "_pinged_s", "since_s", "told")

    def __init__(self, limits: Limits, now_s: float) -> None:
        self._limits: Final = limits
        self.since_s = self._pinged_s = now_s
        self._asked_s: float | None = None
        self.told = False

    def heard(self, now_s: float) -> None:
        """The peer has said something."""
        self.since_s, self._asked_s = now_s, None

    def pinged(self, now_s: float) -> None:
        """The peer was asked whether it is there."""
        self._pinged_s = now_s
        if self._asked_s is None:
            self._asked_s = now_s

    def wants_ping(self, now_s: float, *, due: bool) -> bool:
        """Whether it is time to ask. `due`: others wait for this peer's action."""
        limits = self._limits
        every_s = min(limits.ping_s, limits.ping_due_s) if due else limits.ping_s
        return now_s - max(self.since_s, self._pinged_s) > every_s

    def keeps_others_waiting(self, now_s: float) -> bool:
        """Whether a peer whose action is due has been silent, and left a question unanswered, for
        so long that others should be told."""
        if self._asked_s is None or now_s - self._asked_s < self._limits.ping_due_s:
            return False
        return now_s - self.since_s > self._limits.quiet_s
