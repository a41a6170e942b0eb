"""The record of a match that people played, out of what the journal has of it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from protocol.games.registry import GAMES as VOCABULARIES
from server.games.contract import Game, Json, Moment
from server.matches.replay import newest, options_of, stands
from server.recording.records import BEGAN, PERSON, Occupant, Recording
from server.store.journal import Entry, Header


class Beginning(NamedTuple):
    """Who sat at the table then, by seat; and when that was, in seconds since 1970, 0 = unknown."""

    sat: Sequence[Occupant]
    at: int = 0


def record_of(
    game: Game, header: Header, began: Beginning, entries: Sequence[Entry]
) -> dict[str, Json] | None:
    """The whole record as a JSON object; None of a match that has no outcome. What was taken back
    is not in it. A ply that a bot did in a person's place says so."""
    rules, options = game.rules, options_of(header)
    outcome = rules.outcome(newest(rules, header, entries).state)
    if outcome is None:
        return None
    read_action = msgspec.msgpack.Decoder(VOCABULARIES[header.game].action).decode
    fresh = rules.setup(options, header.seats, header.seed)
    recording = Recording(game, options, began.sat, fresh, header.seed)
    people = {seat for seat, one in enumerate(began.sat) if one.kind == PERSON}
    for version, entry in enumerate(entries, 1):
        if entry.seat is not None and not entry.takes_back and stands(entries, version):
            at = Moment(entry.at_ms, entry.lags_ms)
            stands_in = entry.by_bot and entry.seat in people
            recording.add(entry.seat, read_action(entry.action), at=at, by_bot=stands_in)
    when = datetime.fromtimestamp(began.at, UTC).strftime(BEGAN) if began.at else None
    return recording.finish(outcome, header.match, when)
