"""Is a match record true? Every ply legal, the deal complete, the outcome and the proof right.

The record is replayed through the game's own rules. Whatever a record holds, it is right or raises
BadRecord with the first thing that is wrong.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from protocol.dealing import commitment
from protocol.ids import Seat
from server.games.contract import BEGINNING, Game, Json, Moment, RecordError, run_clock
from server.games.reading import cut, field_in, shown
from server.recording.records import KINDS, Record

_HEX: Final = re.compile(r"[0-9a-fA-F]{64}", re.ASCII)


class BadRecord(Exception):
    """A record's first fault. `place` is `setup`, `ply K` (from 0) or `outcome`."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")
        self.place = place
        self.why = why


def check(record: Record) -> None:
    """Replay a record. Raises BadRecord with the first thing that is wrong."""
    state, at = _fresh(record), BEGINNING
    for number, ply in enumerate(record.plies):
        try:
            at = _replay(record.game, state, ply, at.at_ms, len(record.seats))
        except RecordError as error:
            raise BadRecord(f"ply {number}", str(error)) from None
    _check_outcome(record, state)


def _fresh(record: Record) -> Any:
    """The state before the first ply, complete and as the proof deals it."""
    rules, notation = record.game.rules, record.game.notation
    seats = len(record.seats)
    try:
        _check_seats(record.seats, rules.seats)
        options = notation.options_from_record(record.options)
        if (wrong := rules.check_options(options, seats)) is not None:
            raise RecordError(f"option {wrong} is not {notation.allowed(wrong, seats)}")
        state = notation.setup_from_record(record.setup, options, seats)
        if "proof" in record.fields:
            seed = _proven_seed(record.fields["proof"])
            if not notation.same_deal(state, rules.setup(options, seats, seed)):
                raise RecordError("the proof's seed gives another deal")
    except RecordError as error:
        raise BadRecord("setup", str(error)) from None
    return state


def _check_seats(seats: list[Json], allowed: Sequence[int]) -> None:
    if len(seats) not in allowed:
        raise RecordError(f"a match has {_either(allowed)} seats, not {len(seats)}")
    for number, seat in enumerate(seats):
        if not isinstance(seat, dict):
            raise RecordError(f"seat {number} is not an object")
        if not isinstance(seat.get("name"), str):
            raise RecordError(f"seat {number} has no name")
        if seat.get("kind") not in KINDS:
            raise RecordError(f"seat {number} is of no kind ({_either(KINDS)})")


def _proven_seed(proof: Json) -> bytes:
    """The seed out of a proof whose two halves fit each other."""
    halves = [proof.get(name) for name in ("seed", "sha256")] if isinstance(proof, dict) else []
    texts = [half for half in halves if isinstance(half, str) and _HEX.fullmatch(half)]
    if len(texts) != 2:
        raise RecordError("the proof is not a seed and a sha256 of 64 hexadecimal digits each")
    seed = bytes.fromhex(texts[0])
    if commitment(seed) != texts[1].lower():
        raise RecordError("the proof's sha256 is not that of its seed")
    return seed


def _replay(game: Game, state: Any, ply: Json, last_ms: int, seats: int) -> Moment:
    """Check one ply and make it. When that was; `last_ms` is when the one before it was."""
    if not isinstance(ply, dict):
        raise RecordError("not an object")
    at = _moment(ply, last_ms, seats)
    run_clock(game.rules, state, at.at_ms)
    acting = game.rules.to_act(state)
    if not acting:
        over = game.rules.outcome(state) is not None
        raise RecordError("the match is over before it" if over else "nobody can act before it")
    seat = field_in(ply, "seat", "the ply")
    if type(seat) is not int or seat not in acting:
        raise RecordError(f"it is the turn of seat {_either(acting)}, not of {shown(seat)}")
    if "legal" in ply:
        _check_legal(game, state, Seat(seat), ply["legal"])
    action = game.notation.action_from_record(field_in(ply, "action", "the ply"))
    refusal = game.rules.refuse(state, Seat(seat), action)
    if refusal is not None:
        raise RecordError(game.notation.describe(refusal))
    game.rules.apply(state, Seat(seat), action, at)
    return at


def _moment(ply: dict[str, Json], last_ms: int, seats: int) -> Moment:
    """When the ply was made; games in which time plays no part do without."""
    at_ms, lags_ms = ply.get("at_ms", last_ms), ply.get("lags_ms", [])
    if type(at_ms) is not int:
        raise RecordError(f"at_ms is no integer: {shown(at_ms)}")
    if at_ms < last_ms:
        raise RecordError(f"at_ms is {shown(at_ms)}, before what had happened at {last_ms}")
    if not isinstance(lags_ms, list) or not all(type(lag) is int and lag >= 0 for lag in lags_ms):
        raise RecordError("lags_ms is not a list of integers from 0 on")
    if lags_ms and len(lags_ms) != seats:
        raise RecordError(f"lags_ms has {len(lags_ms)} numbers for {seats} seats")
    return Moment(at_ms, tuple(lags_ms))


def _check_legal(game: Game, state: Any, seat: Seat, given: Json) -> None:
    """The listed actions are the legal ones: in any order, each once."""
    if not isinstance(given, list):
        raise RecordError("legal is not a list")
    legal = dict.fromkeys(game.rules.legal_actions(state, seat))
    for value in given:
        action = game.notation.action_from_record(value)
        if action not in legal:
            raise RecordError(f"legal lists {_written(game, action)}, which is not legal or twice")
        del legal[action]
    for action in legal:
        raise RecordError(f"legal lacks {_written(game, action)}")


def _written(game: Game, action: Any) -> str:
    return cut(json.dumps(game.notation.action_to_record(action)))


def _let_the_clock_end_it(game: Game, state: Any) -> None:
    """Where nobody acts any more, the clock still runs out."""
    while game.rules.outcome(state) is None and (due_ms := game.rules.deadline(state)) is not None:
        game.rules.tick(state, due_ms)


def _check_outcome(record: Record, state: Any) -> None:
    _let_the_clock_end_it(record.game, state)
    outcome = record.game.rules.outcome(state)
    if outcome is None:
        raise BadRecord("outcome", "the match is not over after the last ply")
    for name, value in record.game.notation.outcome_to_record(outcome).items():
        if not _same(value, record.outcome.get(name)):
            found = "" if name in record.outcome else "is missing, it "
            raise BadRecord("outcome", f"{name} {found}should be {json.dumps(value)}")


def _same(expected: Json, given: Json) -> bool:
    """Equal as JSON: true is not 1, 1.0 is not 1; objects may hold more than is expected."""
    if type(expected) is not type(given):
        return False
    if isinstance(expected, list):
        return len(expected) == len(given) and all(map(_same, expected, given))
    if isinstance(expected, dict):
        return all(name in given and _same(expected[name], given[name]) for name in expected)
    return bool(expected == given)


def _either(values: Sequence[Any]) -> str:
    return " or ".join(map(str, values))
