"""Writes a record as notation, one line a move. NOTATION.md says how; `notation_reading` reads it.

Laws: reading what was written gives the same record, but for lists of legal actions and fields
that RECORDS.md does not name. Whatever a name holds, a line stays a line, and does nothing to a
terminal.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from protocol.dealing import commitment
from server.games.contract import Json, RecordError
from server.games.reading import field_in, object_in, wrong
from server.recording.check import BadRecord, dealt
from server.recording.records import BOT, Record

VERSION: Final = 1
END: Final = "end"
COMMENT: Final = ";"
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The seats, from seat 0 on."""
BY_BOT: Final = "*"
"""Behind the seat's letter: a bot acted in the place of its person."""
_SECOND_MS: Final = 1000


def write(record: Record) -> str:
    """All its lines, each with its end. The record need not have been checked; raises BadRecord
    where there are no words for what stands in it."""
    try:
        tags = [f"[{name} {value}]\n" for name, value in _tags(record)]
    except RecordError as error:
        raise BadRecord("setup", str(error)) from None
    return "".join([*tags, "\n", *_moves(record), END, "\n"])


# Tags --------------------------------------------------------------------------------------------

FIELDS: Final = {"Rules": "rules_version", "Id": "id", "Began": "began", "Options": "options"}
"""Those that say what a field of the record says, and may be missing."""


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    fields = record.fields
    yield "Notation", str(VERSION)
    yield "Game", in_json(record.game.rules.id)
    for tag, name in FIELDS.items():
        if name in fields:
            yield tag, in_json(fields[name])
    for letter, seat in zip(LETTERS, record.seats, strict=False):
        yield letter, _seat(seat)
    yield from _deal(record)
    yield from _result(record)


def in_json(value: Json) -> str:
    """On one line, with every character that is more than a letter, a sign or a blank escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def _seat(value: Json) -> str:
    """Name, kind, level."""
    seat = object_in(value, "a seat")
    known = [field_in(seat, "name", "a seat"), field_in(seat, "kind", "a seat")]
    return " ".join(map(in_json, [*known, *([seat["level"]] if "level" in seat else [])]))


def _deal(record: Record) -> Iterator[tuple[str, str]]:
    """The seed alone, where all that was dealt follows from it."""
    proof, setup = record.fields.get("proof"), record.setup
    seed, first = _seed(proof), setup.get("first_seat")
    if seed is None or not _follows(record, seed, first):
        if "proof" in record.fields:
            yield "Proof", in_json(proof)
        yield "Deal", in_json(setup)
        return
    yield "Seed", in_json(seed.hex())
    if first is not None:
        yield "First", in_json(letter_of(first, len(record.seats)))


def _seed(proof: Json) -> bytes | None:
    """That of a proof as we write it."""
    seed = proof.get("seed") if isinstance(proof, dict) else None
    try:
        found = bytes.fromhex(seed) if isinstance(seed, str) else b""
    except ValueError:
        return None
    return found if proof == {"seed": found.hex(), "sha256": commitment(found)} else None


def _follows(record: Record, seed: bytes, first: Json) -> bool:
    """Whether the setup is what the seed deals, in this program's rules."""
    game, seats = record.game, len(record.seats)
    if record.fields.get("rules_version") != game.rules.rules_version:
        return False
    begins = first is None or (type(first) is int and first in range(seats))
    if seats not in game.rules.seats or not begins:
        return False
    try:
        setup = dealt(game, record.options, seats, seed)
    except RecordError:
        return False
    begun = {"first_seat": first} if "first_seat" in setup else {}
    return in_json({**setup, **begun}) == in_json(record.setup)


def _result(record: Record) -> Iterator[tuple[str, str]]:
    """What every game has in words of its own, what only some have as it stands in the record."""
    outcome = dict(record.outcome)
    scores, winners, decided = (outcome.pop(name, None) for name in RESULT)
    if not isinstance(scores, list) or not isinstance(winners, list):
        raise RecordError("scores and winners in outcome must be lists")
    yield "Scores", " ".join(map(in_json, scores))
    seats = len(record.seats)
    yield "Winners", " ".join(in_json(letter_of(seat, seats)) for seat in winners)
    yield "Decided", in_json(decided)
    if outcome:
        yield "Outcome", in_json(outcome)


RESULT: Final = ("scores", "winners", "decided_by")
"""What the outcome of every game has."""


def letter_of(seat: Any, seats: int) -> str:
    if type(seat) is not int or seat not in range(seats):
        raise wrong("a seat", f"a whole number, 0 to {seats - 1}", seat)
    return LETTERS[seat]


# Moves -------------------------------------------------------------------------------------------


def _moves(record: Record) -> Iterator[str]:
    notation, seats = record.game.notation, len(record.seats)
    for number, ply in enumerate(record.plies):
        try:
            fields = object_in(ply, "the ply")
            letter = letter_of(field_in(fields, "seat", "the ply"), seats)
            action = notation.action_from_record(field_in(fields, "action", "the ply"))
            letter += BY_BOT if fields.get("by") == BOT else ""
            words = [f"{number + 1}.", letter, notation.action_to_move(action), *_moment(fields)]
        except RecordError as error:
            raise BadRecord(f"ply {number}", str(error)) from None
        yield " ".join(words) + "\n"


def _moment(ply: dict[str, Json]) -> Iterator[str]:
    """When it was, in seconds, and the seats' lags in milliseconds."""
    if "at_ms" in ply:
        at_ms = _milliseconds(ply["at_ms"], "at_ms")
        yield f"@{at_ms // _SECOND_MS}.{at_ms % _SECOND_MS:03}"
    lags_ms = ply.get("lags_ms", [])
    if not isinstance(lags_ms, list):
        raise wrong("lags_ms", "a list", lags_ms)
    if lags_ms:
        yield "~" + ",".join(str(_milliseconds(lag_ms, "a lag")) for lag_ms in lags_ms)


def _milliseconds(value: Json, name: str) -> int:
    if type(value) is not int or not 0 <= value < 10**MOST_DIGITS:
        raise wrong(name, f"a whole number of at most {MOST_DIGITS} digits", value)
    return value


MOST_DIGITS: Final = 15
