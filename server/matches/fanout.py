"""Sends everything that a match tells its players and watchers.

Laws: a seat is sent its own view and the events addressed to it or to everyone. A watcher is sent
the public view and the events addressed to everyone.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from protocol.changes import News, changed_fields
from protocol.from_server import Update
from protocol.ids import Seat, Version
from server.matches.replay import AnyRules, Change, Course, events_for

if TYPE_CHECKING:
    from server.nodes.watching import Crowd

Outbox: TypeAlias = Callable[[Struct], None]
"""Takes a message for one peer (or bot); never blocks, never raises."""
Lag: TypeAlias = Callable[[], int]
"""Returns how many milliseconds a peer's messages are late, as measured so far and capped."""


class Aside(Struct, frozen=True):
    """For one of a crowd alone, by their own outbox. `message` None: this was all that they had
    missed, and from now on they are shown what the others are."""

    outbox: Outbox
    message: Struct | None


class Fanout:
    """The outboxes at each seat, and those of the watchers, of which a crowd has one."""

    def __init__(self, seats: int) -> None:
        self._seats: list[tuple[Outbox, ...]] = [()] * seats
        self._since = [0] * seats
        self._told = [0] * seats
        self._lags: dict[Outbox, Lag] = {}
        self._watchers: list[Outbox] = []
        self._views = Views(seats)
        self._holding = Holding()
        self._held_until_s: Sequence[float] = (0.0,) * seats

    def seat(
        self, seat: Seat, outbox: Outbox | None, version: int = 0, lag: Lag | None = None
    ) -> None:
        """Give the seat to this outbox alone, which has been told this version."""
        self._since[seat] = self._told[seat] = version
        for former in self._seats[seat]:
            self.unseat(seat, former)
        if outbox is not None:
            self._seats[seat] = (outbox,)
            if lag is not None:
                self._lags[outbox] = lag

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
            self._lags.pop(outbox, None)
        self._seats[seat] = tuple(other for other in self._seats[seat] if other != outbox)

    def lags_ms(self) -> tuple[int, ...]:
        """How late the messages of each seat are, as in `Moment`: as late as those of its newest
        outbox, and a bot's are not; empty when all are 0."""
        newest = [self._lags.get(outboxes[-1]) if outboxes else None for outboxes in self._seats]
        lags_ms = tuple(0 if lag is None else lag() for lag in newest)
        return lags_ms if any(lags_ms) else ()

    def watch(self, outbox: Outbox, crowd: "Crowd | None" = None) -> None:
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
        self._lags.clear()
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
        self, outbox: Outbox, messages: Iterable[Struct], hold_ms: int, crowd: "Crowd | None" = None
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

    def view(self, course: Course, seat: Seat | None) -> Any:
        """The view of a newcomer, who is told what changes in it from now on."""
        number = len(self._seats) if seat is None else seat
        return self._views.first(course.rules, course.state, course.version, number).view()

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
        version = course.version
        clock = None if course.clocks is None else course.clocks.running(now_ms)
        told, secret = [], False
        for to, event in events:
            if to is None:
                told.append(event)
            else:
                secret = True
        everybody = (*self._seats, tuple(self._watchers)) if self._watchers else self._seats
        numbers, receivers = list[int](), list[tuple[tuple[Outbox, ...], list[Any], int, int]]()
        for number, outboxes in enumerate(everybody):
            if not outboxes:
                continue
            seat = Seat(number) if number < len(self._seats) else None
            theirs = events_for(seat, events) if secret else told
            gone = len(events_for(seat, undone)) if undone else 0
            if not (to_all or theirs or gone or (seat is not None and seat == actor)):
                continue
            if seat is None:
                hold_ms = max(holds, default=0)
            else:
                hold_ms = holds[number] if holds else 0
                self._told[seat] = version
            numbers.append(number)
            receivers.append((outboxes, theirs, gone, hold_ms))
        seen = self._views.show(rules, state, version, told if change.acted else None, numbers)
        held = races and bool(holds or self._holding)
        for one, (view, before, changed) in zip(receivers, seen, strict=True):
            outboxes, theirs, gone, hold_ms = one
            update = Update(
                match=course.header.match,
                version=version,
                ply=course.ply,
                events=theirs,
                taken_back=gone,
                revocable=course.revocable,
                clock=clock,
                at_ms=now_ms + hold_ms if races else 0,
                changed=changed,
            )
            news = News(update, before, view.public, view.own)
            for outbox in outboxes:
                if held:
                    self._holding.send(outbox, news, hold_ms)
                else:
                    outbox(news)


# Views ------------------------------------------------------------------------------------------

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class Seen(Struct, frozen=True, gc=False):
    """What some were shown at `version`: a view is the `public` part with the fields of `own` in
    their place."""

    version: int
    public: Any
    own: Mapping[str, Any]

    def view(self) -> Any:
        """The whole of it."""
        return replace(self.public, **self.own)


class Views:
    """What everybody was shown last, by the number of their seat; watchers are numbered behind all
    seats. A measured hot path.

    Laws: the public part of all views is made once, for nobody in particular, and of it what has
    not changed since the update before is the same object. What has changed is what
    `changed_fields` finds in two whole views; the short way to it, by what the rules say an action
    has touched, gives the same or is not gone.
    """

    __slots__ = ("_public", "_seen", "_version")

    def __init__(self, seats: int) -> None:
        self._public: Any = None
        self._version: int | None = None
        self._seen: list[Seen | None] = [None] * (seats + 1)

    def first(self, rules: AnyRules, state: Any, version: Version, number: int) -> Seen:
        """Show it to those who come."""
        if self._version is None:
            self._public, self._version = rules.view(state, None), version
        own = NOTHING if number == len(self._seen) - 1 else rules.own(state, Seat(number))
        self._seen[number] = seen = Seen(version, self._public, own)
        return seen

    def show(
        self,
        rules: AnyRules,
        state: Any,
        version: Version,
        told: Sequence[Any] | None,
        numbers: Sequence[int],
    ) -> list[tuple[Seen, int | None, dict[str, Any] | None]]:
        """Show these the newest version: what they see, the version that they were shown before,
        and the fields that have changed since; None: they were shown none. `told`: what everybody
        is told of the one action since the version before; None = more has happened."""
        public, known = self._public, self._version
        changes: dict[str, Any] = {}
        if public is None:
            self._public = rules.view(state, None)
        else:
            one = told if known == version - 1 else None
            touched = None if one is None else rules.touched(state, one)
            if touched is None:
                changes = changed_fields(public, rules.view(state, None))
            else:
                for name, new in touched.items():
                    if new != getattr(public, name):
                        changes[name] = new
            self._public = replace(public, **changes)
        self._version, watchers, shown = version, len(self._seen) - 1, []
        changed: dict[str, Any] | None
        for number in numbers:
            own = NOTHING if number == watchers else rules.own(state, Seat(number))
            before, seen = self._seen[number], Seen(version, self._public, own)
            if before is None:
                changed = None
            elif before.version != known:
                changed = changed_fields(before.view(), seen.view())
            else:
                changed = dict(changes)
                for name, new in own.items():
                    if new != before.own[name]:
                        changed[name] = new
                    elif name in changed:
                        del changed[name]
            self._seen[number] = seen
            shown.append((seen, None if before is None else before.version, changed))
        return shown


# What is held back -------------------------------------------------------------------------------


class Holding:
    """Holds messages back for some milliseconds, so that all players see them at the same moment:
    the queues of all outboxes for which something is held back.

    Law: nothing overtakes. What is sent to an outbox while a message is held back for it waits
    behind that message.
    """

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: dict[Outbox, _Queue] = {}

    def __bool__(self) -> bool:
        """Whether anything is held back."""
        return bool(self._waiting)

    def send(self, outbox: Outbox, message: Struct, hold_ms: int = 0) -> None:
        """Pass the message on after `hold_ms`, and after everything sent to this outbox before."""
        queue = self._waiting.get(outbox) if self._waiting else None
        if queue is None:
            if not hold_ms:
                outbox(message)
                return
            queue = self._waiting[outbox] = _Queue()
        queue.put(message, hold_ms)
        if queue.timer is None:
            self._arm(outbox, queue)

    def _arm(self, outbox: Outbox, queue: "_Queue") -> None:
        loop = asyncio.get_running_loop()
        queue.timer = loop.call_at(queue.next_s, self._let_go, outbox, queue)

    def _let_go(self, outbox: Outbox, queue: "_Queue") -> None:
        """Pass on everything that is due."""
        queue.timer, due_s = None, queue.next_s
        while queue.held and queue.next_s <= due_s:
            outbox(queue.held.popleft()[1])
        if queue.held:
            self._arm(outbox, queue)
        elif self._waiting.get(outbox) is queue:
            del self._waiting[outbox]

    def forget(self, outbox: Outbox) -> None:
        """Drop what is held back for this outbox: it belongs to nobody any more."""
        if (queue := self._waiting.pop(outbox, None)) is not None:
            queue.drop()

    def release(self) -> None:
        """Pass everything on now: nobody can gain by seeing it first."""
        while self._waiting:
            outbox, queue = self._waiting.popitem()
            for message in queue.drop():
                outbox(message)


class _Queue:
    """One outbox: (due in the loop's seconds, message), in the order in which they go."""

    __slots__ = ("held", "timer")

    def __init__(self) -> None:
        self.held: deque[tuple[float, Struct]] = deque()
        self.timer: asyncio.TimerHandle | None = None

    @property
    def next_s(self) -> float:
        return self.held[0][0]

    def put(self, message: Struct, hold_ms: int) -> None:
        due_s = asyncio.get_running_loop().time() + hold_ms / 1000
        self.held.append((max(due_s, self.held[-1][0]) if self.held else due_s, message))

    def drop(self) -> list[Struct]:
        """Empty the queue. Returns what it held."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        messages = [message for _due_s, message in self.held]
        self.held.clear()
        return messages
