"""A match out of its journal: the state, and what any seat has been sent so far."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import MatchId, Seat
from server.games.contract import Addressed, Rules
from server.store.journal import Entry, Header

HISTORY_EVENTS: Final = 200
"""Events on one page of history: about 3 kB of Clocktowers."""

AnyRules = Rules[Any, Any, Any, Any, Any, Any]


def new_header(
    game: str, rules: AnyRules, options: Any, seats: int, seed: bytes, match: str
) -> Header:
    """What the journal keeps of a match that is about to begin."""
    return Header(
        match=MatchId(match),
        game=game,
        rules_version=rules.rules_version,
        options=msgspec.msgpack.encode(options),
        seats=seats,
        seed=seed,
    )


def replay(
    rules: AnyRules, header: Header, entries: Sequence[Entry]
) -> Iterator[tuple[Any, list[Addressed[Any]]]]:
    """The state and the events after the deal, then after each entry.

    It is the same state object every time; it changes as the iterator goes on.
    """
    vocabulary = VOCABULARIES[header.game]
    options = msgspec.msgpack.decode(header.options, type=vocabulary.options)
    read_action = msgspec.msgpack.Decoder(vocabulary.action).decode
    state = rules.setup(options, header.seats, header.seed)
    yield state, rules.opening(state)
    for entry in entries:
        if entry.seat is None:
            yield state, rules.tick(state, entry.at_ms)
        else:
            yield state, rules.apply(state, entry.seat, read_action(entry.action), entry.at_ms)


def rebuild(rules: AnyRules, header: Header, entries: Sequence[Entry]) -> Any:
    """The state that the whole journal leads to."""
    for state, _events in replay(rules, header, entries):
        last = state
    return last


def events_for(seat: Seat | None, events: Sequence[Addressed[Any]]) -> list[Any]:
    """What of `events` is addressed to this seat, or to a spectator (None)."""
    return [event for to, event in events if to is None or to == seat]


def history(
    rules: AnyRules, header: Header, entries: Sequence[Entry], seat: Seat | None, since: int = -1
) -> Iterator[tuple[int, list[Any]]]:
    """Pages (version reached, events) of what `seat` was sent after version `since`; -1 = all."""
    page: list[Any] = []
    version = 0
    for version, (_state, events) in enumerate(replay(rules, header, entries)):
        if version <= since:
            continue
        page += events_for(seat, events)
        if len(page) >= HISTORY_EVENTS:
            yield version, page
            page = []
    if page:
        yield version, page
