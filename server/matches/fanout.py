"""Sends everything that a match tells its players and watchers.

Laws: a seat is sent its own view and the events addressed to it or to everyone. A watcher is sent
the public view and the events addressed to everyone.
"""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from protocol.changes import News, changed_fields
from protocol.from_server import Ended, Update
from protocol.ids import Seat
from server.games.contract import AnyRules
from server.matches.replay import Course, Step, events_for
from server.matches.wishes import Attach, Lag, Outbox

NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})
"""One for all: an empty dict takes 64 bytes, and every match has several."""


@dataclass(eq=False, slots=True)
class Audience:
    """Those who are shown the same: at a seat, or (`seat` None) all watchers. `since`: the first
    version that a seat was told on its present line; `told`: the newest. `lag`: that of the owner,
    None = it does not count. `delay_ms`: by how much the newest is delayed for them;
    `delayed_until_s`: until when, on the loop's clock. `version`: that of the view which they were
    shown last, None = they are to be shown a whole one; `own`: the part of it that is theirs."""

    seat: Seat | None
    outboxes: tuple[Outbox, ...] = ()
    lag: Lag | None = None
    since: int = 0
    told: int = 0
    delay_ms: int = 0
    delayed_until_s: float = 0.0
    version: int | None = None
    own: Mapping[str, Any] = field(default_factory=lambda: NOTHING)

    def concerned(self, step: Step, actor: Seat | None) -> bool:
        """Whether they acted, or have events of their own."""
        acted = self.seat is not None and self.seat == actor
        return acted or any(events_for(self.seat, some) for some in (step.events, step.undone))


class Fanout:
    """All audiences of a match, and what everybody may see of it.

    Laws: the public part of all views is made once, for nobody in particular, and of it what has
    not changed since the update before is the same object. What has changed is what
    `changed_fields` finds in two whole views; the short way to it, by what the rules say an action
    has touched, gives the same or is not gone.
    """

    __slots__ = ("_audiences", "_delays", "_public")

    def __init__(self, seats: int) -> None:
        self._audiences: Final = (*map(Audience, map(Seat, range(seats))), Audience(None))
        self._delays: Final = Delays()
        self._public: Any = None
        """The newest; None: nobody has come so far."""

    def _at(self, seat: Seat | None) -> Audience:
        return self._audiences[-1 if seat is None else seat]

    def let_in(
        self, course: Course, who: Attach, *first: Struct, ended: Ended | None, now_ms: int
    ) -> None:
        """Send them these, what they have missed as pages, then the view; from now on they get
        every update. An update that is delayed for those who are there is delayed for them, too."""
        seat = who.seat
        delay_ms = 0 if ended is not None else self.delay_left_ms(seat)
        update = Update(
            match=course.header.match,
            version=course.version,
            ply=course.ply,
            view=self._view(course, seat),
            events=[],
            revocable=course.revocable,
            clock=None if course.clocks is None else course.clocks.running(now_ms),
            at_ms=now_ms + delay_ms if course.rules.races else 0,
        )
        last = () if ended is None else (ended,)
        for message in (*first, *course.history(seat, who.since), update, *last):
            self._delays.send(who.outbox, message, delay_ms)
        self.add(who, course.version)

    def add(self, who: Attach, version: int) -> None:
        """Send them everything from now on; they have been told this version."""
        there = self._at(who.seat)
        if who.seat is None or who.beside:
            there.outboxes += (who.outbox,)
        else:
            self.vacate(who.seat)
            there.since = there.told = version
            there.lag, there.outboxes = who.lag, (who.outbox,)

    def vacate(self, seat: Seat) -> None:
        """Send nothing more to anybody at this seat, which has been told nothing so far."""
        there = self._at(seat)
        there.since = there.told = 0
        for outbox in there.outboxes:
            self.unseat(seat, outbox)
        there.lag = None

    def since(self, seat: Seat) -> int:
        """The first version that this seat was told on its present line."""
        return self._at(seat).since

    def told(self, seat: Seat) -> int:
        """The newest version that this seat was told. No answer names a newer version: where
        actions are simultaneous, a version that rises would tell that somebody has acted."""
        return self._at(seat).told

    def unseat(self, seat: Seat | None, outbox: Outbox) -> None:
        """Send this outbox of a seat, or (None) a watcher's, nothing more; unknown outboxes are
        ignored."""
        there = self._at(seat)
        if outbox in there.outboxes:
            self._delays.drop(outbox)
            if outbox == there.outboxes[0]:
                there.lag = None
            there.outboxes = tuple([other for other in there.outboxes if other != outbox])

    def clear(self) -> None:
        """Send nothing more to anybody."""
        for outbox in self.everyone():
            self._delays.drop(outbox)
        for there in self._audiences:
            there.outboxes = ()

    def everyone(self) -> list[Outbox]:
        """All outboxes, seats first."""
        return [outbox for there in self._audiences for outbox in there.outboxes]

    def lags_ms(self) -> tuple[int, ...]:
        """How late the messages of each seat are, as in `Moment`: as late as those of its owner,
        unless a bot plays beside them; empty when all are 0."""
        owners = [None if one.outboxes[1:] else one.lag for one in self._audiences]
        lags_ms = tuple([0 if lag is None else lag() for lag in owners[:-1]])
        return lags_ms if any(lags_ms) else ()

    def delay_left_ms(self, seat: Seat | None) -> int:
        """How long the newest update is still delayed for a seat or (None) for watchers."""
        delay_s = self._at(seat).delayed_until_s - asyncio.get_running_loop().time()
        return max(0, round(delay_s * 1000))

    def say_last(self, message: Struct) -> None:
        """Send everyone the last message, and what was delayed before it, whatever fails with
        that."""
        try:
            self._delays.release()
        finally:
            for outbox in self.everyone():
                outbox(message)

    def _view(self, course: Course, seat: Seat | None) -> Any:
        """The view of a newcomer, who is told what changes in it from now on."""
        rules, state, there = course.rules, course.state, self._at(seat)
        if self._public is None:
            self._public = rules.public(state)
        own = NOTHING if seat is None else rules.own(state, seat)
        there.version, there.own = course.version, own
        return replace(self._public, **own)

    def update(
        self,
        course: Course,
        step: Step,
        now_ms: int,
        *,
        actor: Seat | None = None,
        to_all: bool = False,
    ) -> None:
        """Send each seat its view and watchers the public one, with the events that led to it and
        the number of earlier events that are undone.

        Unless `to_all`, or in a game that refuses stale wishes, only the actor and receivers with
        events of their own are told: where actions are simultaneous, a version that rises would
        tell that somebody has acted. A seat's copy is delayed as the rules say; watchers see it
        when the last seat does. A measured hot path.
        """
        rules, state, version = course.rules, course.state, course.version
        events, undone, to_all = step.events, step.undone, to_all or rules.refuses_stale
        told = [event for to, event in events if to is None]
        secret = len(told) < len(events)
        changes = self._follow(rules, state, told if step.acted else None)
        clock = None if course.clocks is None else course.clocks.running(now_ms)
        races, public, match = rules.races, self._public, course.header.match
        delayed = races and self._delay(rules.delays(state))
        for there in self._audiences:
            seat, outboxes = there.seat, there.outboxes
            if not outboxes or not (to_all or there.concerned(step, actor)):
                if changes:  # which they will have missed
                    there.version = None
                continue
            own = NOTHING if seat is None else rules.own(state, seat)
            mine, before, changed = there.own, there.version, changes
            if before is not None and own != mine:
                changed = dict(changes)
                for name, new in own.items():
                    if new != mine[name]:
                        changed[name] = new
            there.version = there.told = version
            there.own = own
            gone = len(events_for(seat, undone)) if undone else 0
            update = Update(
                match=match,
                version=version,
                ply=course.ply,
                events=events_for(seat, events) if secret else told,
                taken_back=gone,
                revocable=course.revocable,
                clock=clock,
                at_ms=now_ms + there.delay_ms if races else 0,
                changed=None if before is None else changed,
            )
            # After a take-back everybody is sent a whole view.
            news = News(update, None if gone else before, public, own)
            for outbox in outboxes:
                if delayed:
                    self._delays.send(outbox, news, there.delay_ms)
                else:
                    outbox(news)

    def _delay(self, delays_ms: Sequence[int]) -> bool:
        """From now on the news is delayed by so much for each seat. Returns whether anything
        waits."""
        for there in self._audiences:
            there.delay_ms = 0
            if delays_ms:
                there.delay_ms = max(delays_ms) if there.seat is None else delays_ms[there.seat]
                now_s = asyncio.get_running_loop().time()
                there.delayed_until_s = now_s + there.delay_ms / 1000
        return bool(delays_ms or self._delays)

    def _follow(self, rules: AnyRules, state: Any, told: Sequence[Any] | None) -> dict[str, Any]:
        """Make the newest public part. Returns which fields of it have changed. `told`: as in
        `Rules.touched`; None = something else than one action has happened."""
        public, changes = self._public, dict[str, Any]()
        if public is None:
            self._public = rules.public(state)
            return changes
        touched = None if told is None else rules.touched(state, told)
        if touched is None:
            changes = changed_fields(public, rules.public(state))
        else:
            for name, new in touched.items():
                if new != getattr(public, name):
                    changes[name] = new
        self._public = replace(public, **changes)
        return changes


# What is delayed ---------------------------------------------------------------------------------


class Delays:
    """Messages that wait for some milliseconds, so that all players see them at the same moment.

    Law: nothing overtakes. What is sent to an outbox while a message waits for it waits behind that
    message: whose time it is, the first goes.
    """

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: dict[Outbox, deque[tuple[asyncio.TimerHandle, Struct]]] = {}

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return bool(self._waiting)

    def send(self, outbox: Outbox, message: Struct, delay_ms: int = 0) -> None:
        """Pass the message on after `delay_ms`, and after everything sent to this outbox before."""
        queue = self._waiting.get(outbox)
        if not (queue or delay_ms):
            outbox(message)
            return
        loop = asyncio.get_running_loop()
        due_s = loop.time() + delay_ms / 1000
        if queue:
            due_s = max(due_s, queue[-1][0].when())
        else:
            queue = self._waiting[outbox] = deque()
        queue.append((loop.call_at(due_s, self._pass_on, outbox, queue), message))

    def _pass_on(self, outbox: Outbox, queue: "deque[tuple[asyncio.TimerHandle, Struct]]") -> None:
        outbox(queue.popleft()[1])
        if not queue and self._waiting.get(outbox) is queue:
            del self._waiting[outbox]

    def drop(self, outbox: Outbox) -> list[Struct]:
        """Drop what waits for this outbox, which belongs to nobody any more, and return it."""
        queue = self._waiting.pop(outbox, ())
        for timer, _message in queue:
            timer.cancel()
        return [message for _timer, message in queue]

    def release(self) -> None:
        """Pass everything on now: nobody can gain by seeing it first."""
        while self._waiting:
            outbox = next(iter(self._waiting))
            for message in self.drop(outbox):
                outbox(message)
