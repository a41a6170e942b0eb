"""A match as its entries make it: replayed from a journal, kept in memory while it is played, and
how far it has come.

Nothing here waits. Laws: the same entries give the same course, whether they came as the match was
played or out of the journal; an action that was taken back never touches the state that goes on.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from protocol.codec import encode
from protocol.errors import Refusal, RefusalCode
from protocol.from_server import History
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import Key, Seat, Version
from protocol.table import Clock
from server.games.contract import Addressed, AnyRules, Moment
from server.matches.clocks import Clocks, Paused, never_paused
from server.store.journal import GONE, STILL, Entry, Header

HISTORY_EVENTS: Final = 200
"""Events on one page of history: about 3 kB of Clocktowers."""


# Most tables and matches have the options of a preset, and share them.


@lru_cache(maxsize=64)
def pack_options(options: Any) -> bytes:
    return msgspec.msgpack.encode(options)


@lru_cache(maxsize=64)
def read_options(game: str, options: bytes) -> Any:
    return msgspec.msgpack.decode(options, type=VOCABULARIES[game].options)


class Step(Struct):
    """After one entry: the state, the new events, and earlier events that are undone. `acted`: it
    is an action, and these are its events."""

    state: Any
    events: Sequence[Addressed[Any]]
    undone: Sequence[Addressed[Any]] = ()
    acted: bool = False


def replay(rules: AnyRules, header: Header, entries: Sequence[Entry]) -> Iterator[Step]:
    """Yield the deal, then every entry. A step's state may change as the iterator goes on."""
    read_action = msgspec.msgpack.Decoder(VOCABULARIES[header.game].action).decode
    options = read_options(header.game, header.options)
    before = state = rules.setup(options, header.seats, header.seed)
    events = rules.opening(state)
    yield Step(state, events)
    for version, entry in enumerate(entries, 1):
        if entry.takes_back:
            state = before
            yield Step(state, [], events)
            continue
        before = state
        if not stands(entries, version):
            state = rules.copy(state)
        if entry.seat is None:
            events = ticked(rules, state, entry)
        else:
            action = read_action(entry.action)
            events = rules.apply(state, entry.seat, action, Moment(entry.at_ms, entry.lags_ms))
        yield Step(state, events)


def ticked(rules: AnyRules, state: Any, entry: Entry) -> list[Addressed[Any]]:
    """What the clock does by this entry of its own."""
    if entry.key == STILL:
        return []
    if rules.races:
        return rules.tick(state, entry.at_ms)
    gone = entry.key.startswith(GONE)
    rules.lose(state, Seat(entry.key[-1]) if gone else rules.to_act(state)[0], gone)
    return []


def stands(entries: Sequence[Entry], version: int) -> bool:
    """Whether the entry of this version was not taken back by the next one."""
    return version == len(entries) or not entries[version].takes_back


def newest(rules: AnyRules, header: Header, entries: Sequence[Entry]) -> Step:
    """The last step of the whole journal."""
    [last] = deque(replay(rules, header, entries), maxlen=1)
    return last


def news(
    rules: AnyRules, header: Header, entries: Sequence[Entry], known: int
) -> Iterator[tuple[int, Step]]:
    """Yield (version, step) after version `known`, without what was done and undone since."""
    for version, step in enumerate(replay(rules, header, entries)):
        if version > known:
            kept = step.events if stands(entries, version) else []
            yield version, Step(step.state, kept, step.undone if version == known + 1 else [])


def events_for(seat: Seat | None, events: Sequence[Addressed[Any]]) -> list[Any]:
    """The events addressed to this seat, or to a watcher (None)."""
    return [event for to, event in events if to is None or to == seat]


# In memory ---------------------------------------------------------------------------------------

_MOST_ACTIONS: Final = 4096
"""So many stand once in memory, however many matches have them; Clocktowers has 887."""
_actions: Final[list[bytes]] = []
"""These, in the order in which they came."""
_numbers: Final[dict[bytes, int]] = {}
"""Where each of them stands."""
_Row: TypeAlias = tuple[Seat | None, Key, int, int | bytes, tuple[int, ...]]
_MANY: Final = b"\xdd"
"""Begins an array in msgpack; its length in four bytes follows."""


class Entries:
    """All entries of a match as rows of bytes: a thousand matches stand here at once, and 110
    entries take 2 kB instead of 20 kB as objects. `rows`: in msgpack, one after the other; an
    action is its number there, or itself where it has none."""

    __slots__ = ("_count", "rows")

    def __init__(self) -> None:
        self.rows = bytearray()
        self._count = 0

    def append(self, entry: Entry) -> None:
        action = entry.action
        if (number := _numbers.get(action)) is None and len(_actions) < _MOST_ACTIONS:
            number = _numbers[action] = len(_actions)
            _actions.append(action)
        short = action if number is None else number
        self.rows += encode((entry.seat, entry.key, entry.at_ms, short, entry.lags_ms))
        self._count += 1

    def __iter__(self) -> Iterator[Entry]:
        for seat, key, at_ms, short, lags_ms in self._decoded():
            action = short if isinstance(short, bytes) else _actions[short]
            yield Entry(seat, key, at_ms, action, lags_ms)

    def _decoded(self) -> list[_Row]:
        return _decode(_MANY + self._count.to_bytes(4, "big") + self.rows)

    def find(self, seat: Seat, key: Key) -> Version | None:
        """The version as which this seat's entry with this key was kept, or None."""
        if self.rows.find(encode((seat, key))[1:]) >= 0:  # as they stand in a row; or it is chance
            for version, row in enumerate(self._decoded(), 1):
                if row[:2] == (seat, key):
                    return Version(version)
        return None


_decode: Final = msgspec.msgpack.Decoder(list[_Row]).decode


# How far it has come -----------------------------------------------------------------------------

MAX_TAKE_BACKS: Final = 100
"""Per seat and match: each costs two entries of the journal and a replay of it."""


@dataclass(eq=False, slots=True)
class Course:
    """Where the match stands. `state` is None before the deal, `clocks` where players have none.
    `ply`: actions that stand; `revocable`: the seat that may take its newest action back.

    Law: only the newest entry of the journal is ever taken back. Any later entry rules that out,
    also another seat's take-back.
    """

    rules: AnyRules
    header: Header
    clock: Clock | None = None
    paused: Paused = never_paused
    state: Any = None
    version: Version = field(init=False)
    ply: int = 0
    revocable: Seat | None = None
    clocks: Clocks | None = field(init=False)
    entries: Entries = field(init=False, default_factory=Entries)
    _could: int = 0
    """A bit for each seat that could take an action back, and has not."""

    def __post_init__(self) -> None:
        self.version = Version(0)
        self.clocks = None
        if self.clock is not None:
            self.clocks = Clocks(self.clock, self.header.seats, self.paused)

    def refuse_take_back(self, seat: Seat, at_ms: int) -> Refusal | None:
        """Why this seat may not take its newest action back at that time, or None."""
        if self.revocable is None:
            if not self._could & 1 << seat:
                return Refusal(RefusalCode.NOTHING_TO_TAKE_BACK)
            acted = [one.seat for one in self.entries if one.seat is not None]
            return Refusal(RefusalCode.TOO_LATE, {"seat": acted[-1]})
        if self.revocable != seat:
            return Refusal(RefusalCode.NOT_YOURS)
        taken_back = sum(one.takes_back and one.seat == seat for one in self.entries)
        if taken_back >= MAX_TAKE_BACKS:
            return Refusal(RefusalCode.TOO_MANY_TAKE_BACKS, {"limit": MAX_TAKE_BACKS})
        in_time = self.clocks is None or self.clocks.bears_take_back(at_ms)
        return None if in_time else Refusal(RefusalCode.TIME_UP)

    def history(self, seat: Seat | None, since: int) -> Iterator[History]:
        """What to send to `seat`, which was sent everything up to version `since`; -1 = nothing."""
        if since >= self.version:
            return
        steps: Iterable[tuple[int, Step]]
        entries = tuple(self.entries)
        if self.version == 0:  # all come at once when a match begins, so it is not dealt again
            steps = [(0, Step(None, self.rules.opening(self.state)))]
        else:
            steps = news(self.rules, self.header, entries, since)
        bots = {n for n, one in enumerate(entries, 1) if one.by_bot and one.seat == seat}
        page = History(match=self.header.match, version=0, events=[], taken_back=0)
        for version, step in steps:
            events = page.events + events_for(seat, step.events)
            of_step = range(len(page.events), len(events))
            page = replace(
                page,
                version=version,
                events=events,
                by_bot=[*page.by_bot, *of_step] if version in bots else page.by_bot,
                taken_back=page.taken_back + len(events_for(seat, step.undone)),
            )
            if len(page.events) >= HISTORY_EVENTS:
                yield page
                page = replace(page, events=[], taken_back=0, by_bot=[])
        if page.events or page.taken_back:
            yield page

    # After an entry was kept --------------------------------------------------------------------

    def apply(self, entry: Entry, action: Any = None) -> Step:
        """`action`: that of the entry, as the rules want it."""
        if entry.seat is None:
            step = Step(self.state, ticked(self.rules, self.state, entry))
        elif entry.action:
            at = Moment(entry.at_ms, entry.lags_ms)
            events = self.rules.apply(self.state, entry.seat, action, at)
            step = Step(self.state, events, acted=True)
        else:
            # What still stands is replayed, so that nothing of the undone action is left.
            step = newest(self.rules, self.header, (*self.entries, entry))
            self.state = step.state
        self._count(entry)
        return step

    def dealt(self, entries: Sequence[Entry] = ()) -> "Course":
        """Another one, set up from the header, which has come as far as these entries."""
        course = Course(self.rules, self.header, self.clock, self.paused)
        steps = replay(self.rules, self.header, entries)
        course.state = next(steps).state
        if course.clocks is not None:
            course.clocks.note(0, self.rules.to_act(course.state))
        for entry, step in zip(entries, steps, strict=True):
            course.state = step.state
            course._count(entry)
        return course

    def since(self, known: Version) -> Step:
        """What is new since that version."""
        entries = tuple(self.entries)
        fresh = [step for _, step in news(self.rules, self.header, entries, known)]
        return Step(
            self.state,
            [event for step in fresh for event in step.events],
            [event for step in fresh for event in step.undone],
        )

    def _count(self, entry: Entry) -> None:
        self.version = Version(self.version + 1)
        self.entries.append(entry)
        self.revocable = None
        if (seat := entry.seat) is not None:
            if entry.action:
                self.ply += 1
                self.revocable = self.rules.revocable(self.state)
                if self.revocable is not None:
                    self._could |= 1 << self.revocable
            else:
                self.ply -= 1
                self._could &= ~(1 << seat)
        if self.clocks is not None:
            acting = self.rules.to_act(self.state)
            self.clocks.note(entry.at_ms, acting, takes_back=entry.takes_back)
