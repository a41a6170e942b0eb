"""Checks a match record: every ply is legal, the deal complete, the outcome, the proof and the
signature right.

The record is replayed through the game's own rules. Any record is either right, or raises BadRecord
with the first thing that is wrong.
"""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from protocol.dealing import commitment
from protocol.games.moves import (
    Json,
    RecordError,
    cut,
    either,
    field_in,
    list_in,
    object_in,
    quoted,
    shown,
    wrong,
)
from protocol.ids import Seat
from protocol.signing import SIGNED, signer
from server.games.contract import BEGINNING, Game, Moment, run_clock
from server.recording.records import BEGAN, BOT, KINDS, Record

_MOST_WRITTEN: Final = 120
"""Letters of an action or of a part of an outcome; real ones are mostly shorter."""
_HEX: Final = re.compile(r"[0-9a-fA-F]{64}", re.ASCII)
_LATEST_MS: Final = 1 << 53
"""Far beyond any match; times that are added to this still fit into a frame's 64 bits."""


class BadRecord(Exception):
    """A record's first fault. `place` is `setup`, `ply K` (from 0), `outcome` or `signed`."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")
        self.place = place
        self.why = why


def check(record: Record, *, by_mail: bool = False) -> None:
    """Replay a record. `by_mail`: the match may go on. Raises BadRecord with the first thing that
    is wrong."""
    try:
        _check(record, by_mail)
    except BadRecord as error:
        raise BadRecord(error.place, error.why + _other_rules(record)) from None


def _other_rules(record: Record) -> str:
    """A hint where a fault may come of rules that have changed since."""
    ours, theirs = record.game.rules.rules_version, record.fields.get("rules_version")
    if type(theirs) is not int or theirs == ours:
        return ""
    return f" (the record has rules_version {shown(theirs)}, this program plays {ours})"


def _check(record: Record, by_mail: bool) -> None:
    state, at = fresh(record), BEGINNING
    for number, ply in enumerate(record.plies):
        try:
            at = _replay(record.game, state, ply, at.at_ms, len(record.seats))
        except RecordError as error:
            raise BadRecord(f"ply {number}", str(error)) from None
    if not (by_mail and record.outcome == {} and record.game.rules.outcome(state) is None):
        _check_outcome(record, state)
    try:
        signer(record.fields)
    except ValueError as error:
        raise BadRecord(SIGNED, str(error)) from None


def fresh(record: Record) -> Any:
    """The state before the first ply, complete and as the proof deals it. Raises BadRecord."""
    rules, notation = record.game.rules, record.game.notation
    seats = len(record.seats)
    try:
        _check_seats(record.seats, rules.seats)
        if "began" in record.fields:
            _check_beginning(record.fields["began"])
        options = _options(record.game, record.options, seats)
        state = notation.setup_from_record(record.setup, options, seats)
        if "proof" in record.fields:
            seed = proven_seed(record.fields["proof"])
            if not notation.same_deal(state, rules.setup(options, seats, seed)):
                raise RecordError("setup must be what the proof's seed deals, and is another deal")
    except RecordError as error:
        raise BadRecord("setup", str(error)) from None
    return state


def _check_seats(seats: list[Json], allowed: Sequence[int]) -> None:
    if len(seats) not in allowed:
        raise RecordError(f"a match must have {either(allowed)} seats, not {len(seats)}")
    for number, value in enumerate(seats):
        where = f"seat {number}"
        seat = object_in(value, where)
        if not isinstance(name := field_in(seat, "name", where), str):
            raise wrong(f"name of {where}", "a string", name)
        if (kind := field_in(seat, "kind", where)) not in KINDS:
            raise wrong(f"kind of {where}", quoted(KINDS), kind)


def _check_beginning(began: Json) -> None:
    """It is a time, written as we write it."""
    with suppress(TypeError, ValueError):
        if datetime.strptime(began, BEGAN).strftime(BEGAN) == began:
            return
    raise wrong("began", "a time like 2026-11-23T19:30:00Z", began)


def dealt(game: Game, options: dict[str, Json], seats: int, seed: bytes) -> Json:
    """The setup that this seed deals. Raises RecordError for options that the game has not."""
    state = game.rules.setup(_options(game, options, seats), seats, seed)
    return game.notation.setup_to_record(state)


def _options(game: Game, written: dict[str, Json], seats: int) -> Any:
    options = game.notation.options_from_record(written)
    if (unfit := game.rules.check_options(options, seats)) is not None:
        raise RecordError(f"option {unfit} must be {game.notation.allowed(unfit, seats)}")
    return options


def proven_seed(proof: Json) -> bytes:
    """The seed out of a proof whose two halves fit each other."""
    halves = [proof.get(name) for name in ("seed", "sha256")] if isinstance(proof, dict) else []
    texts = [half for half in halves if isinstance(half, str) and _HEX.fullmatch(half)]
    if len(texts) != 2:
        raise RecordError("proof must have a seed and a sha256 of 64 hexadecimal digits each")
    seed = bytes.fromhex(texts[0])
    if commitment(seed) != texts[1].lower():
        raise RecordError(f"sha256 in proof must be that of its seed, {commitment(seed)}")
    return seed


def _replay(game: Game, state: Any, ply: Json, last_ms: int, seats: int) -> Moment:
    """Check one ply and make it. When that was; `last_ms` is when the one before it was."""
    fields = object_in(ply, "the ply")
    at = _moment(fields, last_ms, seats)
    run_clock(game.rules, state, at.at_ms)
    acting = game.rules.to_act(state)
    if not acting:
        over = game.rules.outcome(state) is not None
        why = "the match is over before it" if over else "nobody can act at that time"
        raise RecordError(f"there must be no such ply: {why}")
    seat = field_in(fields, "seat", "the ply")
    if type(seat) is not int or seat not in acting:
        raise wrong("seat", f"{either(acting)}, which may act now", seat)
    if (by := fields.get("by", BOT)) != BOT:
        raise wrong("by", f'"{BOT}"', by)
    if "legal" in fields:
        _check_legal(game, state, Seat(seat), list_in(fields, "legal", "the ply"))
    action = game.notation.moves.from_record(field_in(fields, "action", "the ply"))
    refusal = game.rules.refuse(state, Seat(seat), action)
    if refusal is not None:
        raise RecordError(f"the action is refused: {game.notation.describe(refusal)}")
    game.rules.advance(state, Seat(seat), action, at)
    return at


def _moment(ply: dict[str, Json], last_ms: int, seats: int) -> Moment:
    """When the ply was made; games in which time plays no part do without."""
    at_ms, lags_ms = ply.get("at_ms", last_ms), ply.get("lags_ms", [])
    if type(at_ms) is not int:
        raise wrong("at_ms", "a whole number", at_ms)
    if at_ms < last_ms:
        raise wrong("at_ms", f"{last_ms}, the time of the ply before, or more", at_ms)
    if at_ms > _LATEST_MS:
        raise wrong("at_ms", f"{_LATEST_MS} or less", at_ms)
    if not isinstance(lags_ms, list) or not all(type(lag) is int and lag >= 0 for lag in lags_ms):
        raise RecordError("lags_ms must be a list of whole numbers, 0 or more")
    if lags_ms and len(lags_ms) != seats:
        raise RecordError(f"lags_ms must have {seats} numbers, one a seat, not {len(lags_ms)}")
    return Moment(at_ms, tuple(lags_ms))


def _check_legal(game: Game, state: Any, seat: Seat, given: list[Json]) -> None:
    """Check that the listed actions are the legal ones, in any order, each once."""
    legal = dict.fromkeys(game.rules.legal_actions(state, seat), False)
    for number, value in enumerate(given):
        try:
            action = game.notation.moves.from_record(value)
        except RecordError as error:
            raise RecordError(f"entry {number} of legal: {error}") from None
        if legal.get(action, True):
            why = "twice" if action in legal else "which is not legal"
            raise RecordError(f"legal must not list {_written(game, action)}, {why}")
        legal[action] = True
    for action, listed in legal.items():
        if not listed:
            raise RecordError(f"legal must list {_written(game, action)}, which is legal")


def _written(game: Game, action: Any) -> str:
    return cut(json.dumps(game.notation.moves.to_record(action)), _MOST_WRITTEN)


def lost(record: Record, state: Any) -> bool:
    """Whether a seat then lost the match because it had no days left, or its player went."""
    rules, late = record.game.rules, record.outcome.get("late")
    if rules.races or type(late) is not int or not 0 <= late < len(record.seats) > 1:
        return False
    if rules.outcome(state) is not None:
        return False
    gone = record.outcome.get("decided_by") == "left"
    rules.lose(state, Seat(late) if gone else rules.to_act(state)[0], gone)
    return True


def _check_outcome(record: Record, state: Any) -> None:
    rules = record.game.rules
    run_clock(rules, state)  # it may end the match after the last ply
    lost(record, state)
    outcome = rules.outcome(state)
    if outcome is None:
        raise BadRecord("outcome", "the plies must go on until the match is over, and it is not")
    try:
        _must_equal(record.game.notation.outcome_to_record(outcome), record.outcome, "outcome")
    except RecordError as error:
        raise BadRecord("outcome", str(error)) from None


def _must_equal(expected: Json, given: Json, where: str) -> None:
    """Equal as JSON: true is not 1, 1.0 is not 1; objects may hold more than is expected."""
    if isinstance(expected, dict):
        fields = object_in(given, where)
        for name, value in expected.items():
            _must_equal(value, field_in(fields, name, where), f"{name} in {where}")
    elif isinstance(expected, list) and isinstance(given, list):
        if len(expected) != len(given):
            whole = cut(json.dumps(expected), _MOST_WRITTEN)
            raise RecordError(f"{where} must be {whole}, not a list of {len(given)}")
        for number, (value, found) in enumerate(zip(expected, given, strict=True)):
            _must_equal(value, found, f"entry {number} of {where}")
    elif type(expected) is not type(given) or expected != given:
        raise wrong(where, cut(json.dumps(expected), _MOST_WRITTEN), given)
