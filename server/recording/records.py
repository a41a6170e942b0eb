"""Match records: reads and writes the envelope around each game's own notation, and makes one of a
journal's entries.

Laws: nothing here opens a file. Any line is read as a Record or raises NotARecord. Unknown fields
are left alone. If an object has a key twice, the last value counts.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from protocol.dealing import commitment
from protocol.games.moves import Json, RecordError, field_in, list_in, object_in, quoted, wrong
from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import Seat
from protocol.recording import from_field
from protocol.signing import COMMENTS, MOST_COMMENT, REVIEW, signed
from server.games.contract import Game, Moment
from server.matches.replay import newest, read_options, stands
from server.store.journal import Entry, Header

FORMAT: Final = "clocktowers-record"
VERSION: Final = 1
PERSON: Final = "human"
BOT: Final = "bot"
KINDS: Final = (PERSON, BOT)
BEGAN: Final = "%Y-%m-%dT%H:%M:%SZ"
"""When a match began."""
MAX_LINE_BYTES: Final = 4 << 20
"""The longest match with all its legal actions listed stays well below a quarter of this."""

_ITSELF: Final = "the record"


class NotARecord(Exception):
    """A line that is not JSON, or not of this format and version; the text says why."""


class Occupant(NamedTuple):
    """The person or bot in a seat. `kind`: one of KINDS. `level`: a bot's."""

    name: str
    kind: str
    level: str | None = None


class Record(NamedTuple):
    """An envelope of the right shape; what is inside is not yet believed."""

    game: Game
    options: dict[str, Json]
    seats: list[Json]
    setup: dict[str, Json]
    plies: list[Json]
    outcome: dict[str, Json]
    """Empty where the match goes on, by mail."""
    fields: dict[str, Json]
    """The whole object, with the fields that may be missing."""


# Reading -----------------------------------------------------------------------------------------


def read(line: bytes, games: Mapping[str, Game]) -> Record:
    """The record on one line of a file. Raises NotARecord."""
    return of_fields(_object(line), games)


def of_fields(fields: dict[str, Json], games: Mapping[str, Game]) -> Record:
    """The record that this object is. Raises NotARecord."""
    try:
        if fields.get("format") != FORMAT:
            raise wrong("format", quoted([FORMAT]), fields.get("format"))
        version, name = (field_in(fields, field, _ITSELF) for field in ("version", "game"))
        if type(version) is not int or version != VERSION:
            raise wrong("version", str(VERSION), version)
        game = games.get(name) if isinstance(name, str) else None
        if game is None:
            raise wrong("game", quoted(games), name)
        setup, outcome = (
            object_in(field_in(fields, field, _ITSELF), field) for field in ("setup", "outcome")
        )
        options = object_in(fields.get("options", {}), "options")
        seats, plies = (list_in(fields, field, _ITSELF) for field in ("seats", "plies"))
    except RecordError as error:
        raise NotARecord(str(error)) from None
    return Record(game, options, seats, setup, plies, outcome, fields)


def _object(line: bytes) -> dict[str, Json]:
    if len(line) > MAX_LINE_BYTES:
        raise NotARecord(f"the line must not be longer than {MAX_LINE_BYTES} bytes")
    try:
        return msgspec.json.decode(line, type=dict[str, Json])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotARecord(f"the line must be a JSON object: {error}") from None


# Writing -----------------------------------------------------------------------------------------


class Recording:
    """Collects a record, ply by ply."""

    def __init__(
        self, game: Game, options: Any, occupants: Sequence[Occupant], fresh: Any, seed: bytes
    ) -> None:
        """`fresh`: the state that `rules.setup` made from `seed`, before the first action."""
        notation = game.notation
        self._game = game
        self._plies: list[Json] = []
        self._head: dict[str, Json] = {
            "format": FORMAT,
            "version": VERSION,
            "game": game.rules.id,
            "rules_version": game.rules.rules_version,
            "options": notation.options_to_record(options),
            "seats": [
                {name: value for name, value in occupant._asdict().items() if value is not None}
                for occupant in occupants
            ],
            "setup": notation.setup_to_record(fresh),
        }
        self._proof = {"seed": seed.hex(), "sha256": commitment(seed)}

    def add(
        self,
        seat: int,
        action: Any,
        *,
        legal: Sequence[Any] | None = None,
        at: Moment | None = None,
        by_bot: bool = False,
    ) -> None:
        """Add a ply. `legal`: all actions that were legal before it. `at`: when it happened, in
        games where time plays a part. `by_bot`: a bot did it in the place of the seat's person."""
        written = self._game.notation.moves.to_record
        ply: dict[str, Json] = {"seat": seat, "action": written(action)}
        if by_bot:
            ply["by"] = BOT
        if at is not None:
            ply["at_ms"] = at.at_ms
            if any(at.lags_ms):
                ply["lags_ms"] = list(at.lags_ms)
        if legal is not None:
            ply["legal"] = [written(choice) for choice in legal]
        self._plies.append(ply)

    def finish(
        self, outcome: Any, match_id: str | None = None, began: str | None = None
    ) -> dict[str, Json]:
        """The whole record as a JSON object; without an id two equal matches are equal bytes.
        `outcome`: None where the match goes on. `began`: as `BEGAN` has it."""
        known = {"id": match_id, "began": began}
        return {
            **self._head,
            **{name: value for name, value in known.items() if value is not None},
            "plies": self._plies,
            "outcome": {} if outcome is None else self._game.notation.outcome_to_record(outcome),
            "proof": self._proof,
        }


def line(record: dict[str, Json]) -> bytes:
    """A record as a file has it: one line of UTF-8, with its end."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode() + b"\n"


# The record of a match that people played, out of what the journal has of it.


class Beginning(NamedTuple):
    """Who sat at the table then, by seat; and when that was, in seconds since 1970, 0 = unknown."""

    sat: Sequence[Occupant]
    at: int = 0


def record_of(
    game: Game, header: Header, began: Beginning, entries: Sequence[Entry], key: bytes = b""
) -> dict[str, Json] | None:
    """The whole record as a JSON object; None of a match that has no outcome. What was taken back
    is not in it. A ply that a bot did in a person's place says so. `key`: signs it
    (`protocol.signing`); b"" = nobody does."""
    rules, options = game.rules, read_options(header.game, header.options)
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
    record = recording.finish(outcome, header.match, when)
    return signed(record, key) if key else record


# What the players of a match say of it later, each for themselves, and all of it beside the record.


_MAX_UNPACKED: Final = 512 * 1024
_Figure: TypeAlias = Annotated[int, Meta(ge=-(1 << 53), le=1 << 53)] | str | bool | None
_Fields: TypeAlias = dict[str, _Figure | list[_Figure]]


class _Judgement(Struct, frozen=True):
    """The field `review`, so far as that nothing in it can do harm: who reads it looks closer."""

    version: int
    decisions: list[dict[str, _Figure | _Fields | list[_Figure | _Fields]]]


class _Said(Struct, frozen=True, omit_defaults=True):
    comments: dict[Annotated[int, Meta(ge=0)], Annotated[str, Meta(max_length=MOST_COMMENT)]] = {}
    review: _Judgement | None = None


def read_said(packed: bytes, entries: int) -> _Said | None:
    """As in `Annotate`, of a match with so many entries, at least one for each ply; None where it
    has something else, or too much."""
    unpacking = zlib.decompressobj()
    try:
        said = msgspec.json.decode(unpacking.decompress(packed, _MAX_UNPACKED), type=_Said)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    most = max(len(said.review.decisions) if said.review else 0, *said.comments, 0)
    return said if unpacking.eof and most <= entries else None


def with_said(record: dict[str, Json], said: Mapping[Seat, bytes], entries: int) -> Json:
    """The record, and beside it what nobody signs: each comment with the name of who says it, and
    of the reviews that this program can read the one that judges most. `said`: as in `Annotate`, by
    seat, of a match with so many `entries`."""
    names = [seat["name"] for seat in record["seats"]]
    plies = {(ply, one["seat"]) for ply, one in enumerate(record["plies"], 1)}
    read = [(names[at], one) for at, kept in said.items() if (one := read_said(kept, entries))]
    comments = {f"{ply} {name}": text for name, one in read for ply, text in one.comments.items()}
    reviews = [msgspec.to_builtins(one.review) for _name, one in read]
    judging = {len(plies & from_field(one, len(names)).keys()): one for one in reversed(reviews)}
    judging[0] = None
    fields = {COMMENTS: comments, REVIEW: judging[max(judging)]}
    return record | {field: told for field, told in fields.items() if told}
