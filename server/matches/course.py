"""How far a match has come: its state, and everything else that follows from its entries.

Nothing here waits. Law: the same entries give the same course, whether they came as the match was
played or out of the journal.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from protocol.clock import Clock
from protocol.ids import Seat, Version
from protocol.refusal import Refusal, RefusalCode
from server.games.contract import Addressed, Moment
from server.matches.clocks import Clocks
from server.matches.inbox import Wish
from server.matches.replay import AnyRules, newest, news, rebuild, replay
from server.matches.take_backs import TakeBacks
from server.store.journal import Entry, Header


class Change(Struct, frozen=True):
    """What an entry changed: new events, and events that are undone. `acted`: it is one action, and
    these are its events."""

    events: Sequence[Addressed[Any]]
    undone: Sequence[Addressed[Any]] = ()
    acted: bool = False


class Course:
    """Where the match stands. `state` is None before the deal. `clocked`: whether the players have
    clocks."""

    __slots__ = (
        "_clock",
        "_take_backs",
        "clocked",
        "clocks",
        "header",
        "ply",
        "rules",
        "state",
        "version",
    )

    def __init__(self, rules: AnyRules, header: Header, clock: Clock | None = None) -> None:
        self.rules: Final = rules
        self.header: Final = header
        self._clock: Final = clock
        self.clocked: Final = clock is not None
        self.state: Any = None
        self._start()

    def _start(self) -> None:
        self.version, self.ply = Version(0), 0
        self._take_backs = TakeBacks()
        self.clocks = Clocks(self._clock, self.header.seats)

    def deal(self) -> None:
        """Set the match up from its header."""
        self.state = rebuild(self.rules, self.header, ())
        self.clocks.note(0, self.rules.to_act(self.state))

    @property
    def revocable(self) -> Seat | None:
        """The seat that may take its newest action back."""
        return self._take_backs.owner

    def refuse(self, wish: Wish, *, over: bool) -> Refusal | None:
        """Why this wish is impossible now, or None. `over`: the match has ended."""
        if wish.version != self.version and self.rules.refuses_stale and not over:
            return Refusal(RefusalCode.STALE, {"version": self.version})
        if wish.action is not None:
            return self.rules.refuse(self.state, wish.seat, wish.action)
        return Refusal(RefusalCode.MATCH_OVER) if over else self._refuse_take_back(wish)

    def _refuse_take_back(self, wish: Wish) -> Refusal | None:
        if (refusal := self._take_backs.refuse(wish.seat)) is not None:
            return refusal
        in_time = self.clocks.bears_take_back(wish.at.at_ms)
        return None if in_time else Refusal(RefusalCode.TIME_UP)

    # After an entry was kept --------------------------------------------------------------------

    def play(self, entry: Entry, seat: Seat, action: Any) -> Change:
        """Apply a seat's action."""
        events = self.rules.apply(self.state, seat, action, Moment(entry.at_ms, entry.lags_ms))
        self._count(entry)
        return Change(events, acted=True)

    def tick(self, entry: Entry) -> Change:
        """Apply an entry of the clock."""
        events = self.rules.tick(self.state, entry.at_ms)
        self._count(entry)
        return Change(events)

    def take_back(self, entry: Entry, entries: Sequence[Entry]) -> Change:
        """Replay what still stands, so that nothing of the undone action is left in the state.

        `entries`: the whole journal, with `entry` as the last one.
        """
        self.state, _, undone = newest(self.rules, self.header, entries)
        self._count(entry)
        return Change((), undone)

    def restore(self, entries: Sequence[Entry]) -> None:
        """Replace everything by what the journal has."""
        self._start()
        steps = replay(self.rules, self.header, entries)
        self.state = next(steps).state
        self.clocks.note(0, self.rules.to_act(self.state))
        for entry, step in zip(entries, steps, strict=True):
            self.state = step.state
            self._count(entry)

    def reload(self, entries: Sequence[Entry]) -> Change:
        """`restore` from a journal that may have more entries. Returns what is new since before."""
        known = self.version
        self.restore(entries)
        fresh = [step for _, step in news(self.rules, self.header, entries, known)]
        return Change(
            [event for step in fresh for event in step.events],
            [event for step in fresh for event in step.undone],
        )

    def _count(self, entry: Entry) -> None:
        self.version = Version(self.version + 1)
        if entry.seat is not None:
            self.ply += -1 if entry.takes_back else 1
        self._take_backs.note(entry, self.rules.revocable(self.state))
        if self.clocked:
            acting = self.rules.to_act(self.state)
            self.clocks.note(entry.at_ms, acting, takes_back=entry.takes_back)
