"""Sends everything that a match tells its players and watchers.

Laws: a seat is sent its own view and the events addressed to it or to everyone. A watcher is sent
the public view and the events addressed to everyone.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from protocol.changes import note
from protocol.from_server import Update
from protocol.ids import Seat
from server.matches.course import Change, Course
from server.matches.holding import Holding
from server.matches.ports import Aside, Crowd, Outbox
from server.matches.replay import events_for
from server.matches.views import Views


class Fanout:
    """The outboxes at each seat, and those of the watchers, of which a crowd has one."""

    __slots__ = ("_held_until_s", "_holding", "_seats", "_since", "_told", "_views", "_watchers")

    def __init__(self, seats: int) -> None:
        self._seats: list[tuple[Outbox, ...]] = [()] * seats
        self._since = [0] * seats
        self._told = [0] * seats
        self._watchers: list[Outbox] = []
        self._views = Views(seats)
        self._holding = Holding()
        self._held_until_s: Sequence[float] = (0.0,) * seats

    def seat(self, seat: Seat, outbox: Outbox | None, version: int = 0) -> None:
        """Give the seat to this outbox alone, which has been told this version."""
        self._since[seat] = self._told[seat] = version
        for former in self._seats[seat]:
            self._holding.forget(former)
        self._seats[seat] = () if outbox is None else (outbox,)

    def since(self, seat: Seat) -> int:
        """The first version that this seat was told on its present line."""
        return self._since[seat]

    def told(self, seat: Seat) -> int:
        """The newest version that this seat was told. No answer names a newer version: where
        actions are simultaneous, a version that rises would tell that somebody has acted."""
        return self._told[seat]

    def sit_beside(self, seat: Seat, outbox: Outbox) -> None:
        """Send `outbox` the same as that seat: a bot plays, the owner watches."""
        self._seats[seat] += (outbox,)

    def unseat(self, seat: Seat, outbox: Outbox) -> None:
        """Send this outbox nothing more; unknown outboxes are ignored."""
        if outbox in self._seats[seat]:
            self._holding.forget(outbox)
        self._seats[seat] = tuple(other for other in self._seats[seat] if other != outbox)

    def watch(self, outbox: Outbox, crowd: Crowd | None = None) -> None:
        """Send this outbox the public view, or let it hear with this crowd."""
        if crowd is not None:
            self._holding.send(crowd.show, Aside(outbox, None))
            outbox = crowd.show
        if crowd is None or outbox not in self._watchers:
            self._watchers.append(outbox)

    def unwatch(self, outbox: Outbox) -> None:
        """Undo `watch`; unknown outboxes are ignored."""
        if outbox in self._watchers:
            self._holding.forget(outbox)
            self._watchers.remove(outbox)

    def clear(self) -> None:
        """Send nothing more to anybody."""
        for outbox in self.everyone():
            self._holding.forget(outbox)
        self._seats = [()] * len(self._seats)
        self._watchers.clear()

    def everyone(self) -> Iterator[Outbox]:
        """All outboxes, seats first."""
        yield from [outbox for outboxes in self._seats for outbox in outboxes]
        yield from list(self._watchers)

    def held_ms(self, seat: Seat | None) -> int:
        """How long the newest update is still held back from a seat or (None) from watchers."""
        until_s = max(self._held_until_s) if seat is None else self._held_until_s[seat]
        return max(0, round((until_s - asyncio.get_running_loop().time()) * 1000))

    def send(
        self, outbox: Outbox, messages: Iterable[Struct], hold_ms: int, crowd: Crowd | None = None
    ) -> None:
        """Send to an outbox that has no seat here yet, behind what is held back for its crowd."""
        for message in messages:
            if crowd is None:
                self._holding.send(outbox, message, hold_ms)
            else:
                self._holding.send(crowd.show, Aside(outbox, message), hold_ms)

    def say(self, message: Struct) -> None:
        """Send everyone the same message, in which everything must be public."""
        for outbox in self.everyone():
            self._holding.send(outbox, message)

    def say_last(self, message: Struct) -> None:
        """Send everyone the last message, and what was held back before it."""
        self._holding.release()
        self.say(message)

    def cut_short(self, message: Struct) -> None:
        """`say_last` after an error of ours, which may have to do with what is held back: the
        message itself goes out all the same."""
        outboxes = list(self.everyone())
        try:
            self._holding.release()
        finally:
            self.clear()
            for outbox in outboxes:
                outbox(message)

    def update(
        self,
        course: Course,
        change: Change,
        now_ms: int,
        *,
        actor: Seat | None = None,
        to_all: bool = False,
    ) -> None:
        """Send each seat its view and watchers the public one, with the events that led to it and
        the number of earlier events that are undone.

        Unless `to_all`, or in a game that refuses stale wishes, only the actor and receivers with
        events of their own are told: where actions are simultaneous, a version that rises would
        tell that somebody has acted. A seat's copy is held back as the rules say; watchers see it
        when the last seat does.
        """
        rules, state, events, undone = course.rules, course.state, change.events, change.undone
        races = rules.races
        if holds := rules.holds(state) if races else ():
            now_s = asyncio.get_running_loop().time()
            self._held_until_s = [now_s + hold_ms / 1000 for hold_ms in holds]
        to_all = to_all or rules.refuses_stale
        match, version, ply = course.header.match, course.version, course.ply
        revocable = course.revocable
        clock = course.clocks.running(now_ms) if course.clocked else None
        told = events_for(None, events)
        held = races and bool(holds or self._holding)
        public = self._views.public(rules, state, version, told if change.acted else None)
        # A measured hot path, so no function is made in here: its annotations would be worked out
        # with every move, which alone takes as long as encoding an update.
        everybody = (*self._seats, tuple(self._watchers)) if self._watchers else self._seats
        for number, outboxes in enumerate(everybody):
            if not outboxes:
                continue
            if number == len(self._seats):
                seat, hold_ms = None, max(holds, default=0)
            else:
                seat, hold_ms = Seat(number), holds[number] if holds else 0
            theirs = told if len(told) == len(events) else events_for(seat, events)
            gone = len(events_for(seat, undone)) if undone else 0
            if not (to_all or theirs or gone or (seat is not None and seat == actor)):
                continue
            if seat is not None:
                self._told[seat] = version
            seen = public if seat is None else self._views.of(seat, rules.own(state, seat), public)
            view, before, changed = seen
            update = Update(
                match=match,
                version=version,
                ply=ply,
                view=view,
                events=theirs,
                taken_back=gone,
                revocable=revocable,
                clock=clock,
                at_ms=now_ms + hold_ms if races else 0,
            )
            if before is not None:
                note(before, update, changed)
            for outbox in outboxes:
                if held:
                    self._holding.send(outbox, update, hold_ms)
                else:
                    outbox(update)
