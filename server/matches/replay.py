"""Rebuilds a match from its journal: the state, and what any seat has been sent so far.

Law: an action that was taken back never touches the state that goes on.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import MatchId, Seat
from server.games.contract import Addressed, Moment, Rules
from server.store.journal import Entry, Header

HISTORY_EVENTS: Final = 200
"""Events on one page of history: about 3 kB of Clocktowers."""

AnyRules = Rules[Any, Any, Any, Any, Any, Any]


def new_header(
    game: str,
    rules: AnyRules,
    *,
    options: Any,
    seats: int,
    seed: bytes,
    match: str,
    table: bytes = b"",
) -> Header:
    """The header of a match that is about to begin."""
    return Header(
        match=MatchId(match),
        game=game,
        rules_version=rules.rules_version,
        options=msgspec.msgpack.encode(options),
        seats=seats,
        seed=seed,
        table=table,
    )


def options_of(header: Header) -> Any:
    """The game's options that the match was begun with."""
    return msgspec.msgpack.decode(header.options, type=VOCABULARIES[header.game].options)


class Step(NamedTuple):
    """After one entry: the state, the new events, and earlier events that are undone."""

    state: Any
    events: list[Addressed[Any]]
    undone: Sequence[Addressed[Any]] = ()


class Page(NamedTuple):
    """Some events for one seat. `version` is reached with the last of them. `taken_back`: how many
    of the events that the seat had before are undone."""

    version: int
    events: list[Any]
    taken_back: int = 0


def replay(rules: AnyRules, header: Header, entries: Sequence[Entry]) -> Iterator[Step]:
    """Yield the deal, then every entry. A step's state may change as the iterator goes on."""
    vocabulary = VOCABULARIES[header.game]
    read_action = msgspec.msgpack.Decoder(vocabulary.action).decode
    before = state = rules.setup(options_of(header), header.seats, header.seed)
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
            events = rules.tick(state, entry.at_ms)
        else:
            at = Moment(entry.at_ms, entry.lags_ms)
            events = rules.apply(state, entry.seat, read_action(entry.action), at)
        yield Step(state, events)


def stands(entries: Sequence[Entry], version: int) -> bool:
    """Whether the entry of this version was not taken back by the next one."""
    return version == len(entries) or not entries[version].takes_back


def newest(rules: AnyRules, header: Header, entries: Sequence[Entry]) -> Step:
    """The last step of the whole journal."""
    for step in replay(rules, header, entries):
        last = step
    return last


def rebuild(rules: AnyRules, header: Header, entries: Sequence[Entry]) -> Any:
    """The state that the whole journal leads to."""
    return newest(rules, header, entries).state


def news(
    rules: AnyRules, header: Header, entries: Sequence[Entry], known: int
) -> Iterator[tuple[int, Step]]:
    """Yield (version, step) after version `known`, without what was done and undone since."""
    for version, (state, events, undone) in enumerate(replay(rules, header, entries)):
        if version > known:
            kept = events if stands(entries, version) else []
            yield version, Step(state, kept, undone if version == known + 1 else [])


def events_for(seat: Seat | None, events: Sequence[Addressed[Any]]) -> list[Any]:
    """The events addressed to this seat, or to a watcher (None)."""
    return [event for to, event in events if to is None or to == seat]


def history(
    rules: AnyRules, header: Header, entries: Sequence[Entry], seat: Seat | None, since: int = -1
) -> Iterator[Page]:
    """What to send to `seat`, which was sent everything up to version `since`; -1 = nothing."""
    page: list[Any] = []
    version = taken_back = 0
    for version, step in news(rules, header, entries, since):
        taken_back += len(events_for(seat, step.undone))
        page += events_for(seat, step.events)
        if len(page) >= HISTORY_EVENTS:
            yield Page(version, page, taken_back)
            page, taken_back = [], 0
    if page or taken_back:
        yield Page(version, page, taken_back)
