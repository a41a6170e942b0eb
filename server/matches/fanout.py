"""Sends everything that a match tells its players and watchers.

Law: a seat is sent its own view and the events addressed to it or to everyone. A watcher is sent
the public view and the events addressed to everyone.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from protocol.clock import Running
from protocol.from_server import Update
from protocol.ids import Seat
from server.games.contract import Addressed
from server.matches.holding import Holding
from server.matches.ports import Outbox
from server.matches.replay import AnyRules, events_for


class Fanout:
    """The outboxes at each seat, and those of the watchers."""

    __slots__ = ("_held_until_s", "_holding", "_seats", "_since", "_told", "_watchers")

    def __init__(self, seats: int) -> None:
        self._seats: list[tuple[Outbox, ...]] = [()] * seats
        self._since = [0] * seats
        self._told = [0] * seats
        self._watchers: list[Outbox] = []
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

    def watch(self, outbox: Outbox) -> None:
        """Send this outbox the public view."""
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

    def send(self, outbox: Outbox, messages: Iterable[Struct], hold_ms: int) -> None:
        """Send to an outbox that has no seat here yet."""
        for message in messages:
            self._holding.send(outbox, message, hold_ms)

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
        rules: AnyRules,
        state: Any,
        events: Sequence[Addressed[Any]],
        match: str,
        version: int,
        ply: int,
        *,
        to_all: bool,
        actor: Seat | None = None,
        undone: Sequence[Addressed[Any]] = (),
        revocable: Seat | None = None,
        clock: Running | None = None,
        at_ms: int | None = None,
        holds: Sequence[int] = (),
    ) -> None:
        """Send each seat its view and watchers the public one, with the events that led to it and
        the number of earlier events that are `undone`.

        Unless `to_all`, only the actor and receivers with events of their own are told: that
        something happened may be a secret, too.

        `holds`: by how many milliseconds each seat's copy is held back, as the rules say; watchers
        see it when the last seat does.
        """
        if holds:
            now_s = asyncio.get_running_loop().time()
            self._held_until_s = [now_s + hold_ms / 1000 for hold_ms in holds]
        # A measured hot path, so written out: a function made in here would have its annotations
        # worked out with every move, which alone takes as long as encoding an update.
        for number, outboxes in enumerate(self._seats):
            if not outboxes:
                continue
            seat, hold_ms = Seat(number), holds[number] if holds else 0
            theirs = events_for(seat, events)
            gone = len(events_for(seat, undone)) if undone else 0
            if to_all or theirs or gone or seat == actor:
                self._told[number] = version
                update = Update(
                    match=match,
                    version=version,
                    ply=ply,
                    view=rules.view(state, seat),
                    events=theirs,
                    taken_back=gone,
                    revocable=revocable,
                    clock=clock,
                    at_ms=0 if at_ms is None else at_ms + hold_ms,
                )
                for outbox in outboxes:
                    self._holding.send(outbox, update, hold_ms)
        if not self._watchers:
            return
        public = events_for(None, events)
        gone, hold_ms = len(events_for(None, undone)), max(holds, default=0)
        if to_all or public or gone:
            update = Update(
                match=match,
                version=version,
                ply=ply,
                view=rules.view(state, None),
                events=public,
                taken_back=gone,
                revocable=revocable,
                clock=clock,
                at_ms=0 if at_ms is None else at_ms + hold_ms,
            )
            for outbox in list(self._watchers):
                self._holding.send(outbox, update, hold_ms)
