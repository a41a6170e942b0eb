"""Matches as notation, one line a move: writes a record so, and reads it again (NOTATION.md).

Laws: reading what was written gives the same record, but for comments, a review, lists of legal
actions and fields that RECORDS.md does not name; where it had any of the last two, the signature,
which would be wrong, is left out, too. Whatever a name holds, a line stays a line, and does nothing
to a terminal. Any lines are read, or raise Unreadable with what is wrong with each of them.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn

from protocol.dealing import SEED_BYTES, commitment
from protocol.games.moves import (
    Json,
    RecordError,
    either,
    field_in,
    object_in,
    quoted,
    shown,
    wrong,
)
from protocol.signing import SIGNED, signed_part
from server.games.contract import Game
from server.recording.check import BadRecord, dealt, proven_seed
from server.recording.records import (
    BOT,
    FORMAT,
    MAX_LINE_BYTES,
    VERSION as RECORD_VERSION,
    NotARecord,
    Record,
    of_fields,
)

VERSION: Final = 2
READ: Final = (1, VERSION)
"""The versions that are read; in version 1 a declaration has another order."""
END: Final = "end"
COMMENT: Final = ";"
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The seats, from seat 0 on."""
BY_BOT: Final = "*"
"""Behind the seat's letter: a bot acted in the place of its person."""
MOST_DIGITS: Final = 15
"""Of a number of milliseconds."""
_FIELDS: Final = {
    "Rules": "rules_version",
    "Id": "id",
    "Began": "began",
    "Options": "options",
    "Signed": SIGNED,
}
"""Tags that say what a field of the record says, and may be missing."""
_RESULT: Final = ("scores", "winners", "decided_by")
"""What the outcome of every game has."""
_SECOND_MS: Final = 1000


def write(record: Record) -> str:
    """All its lines, each with its end. The record need not have been checked; raises BadRecord
    where there are no words for what stands in it."""
    try:
        head = [f"[{name} {value}]\n" for name, value in _tags(record)]
    except RecordError as error:
        raise BadRecord("setup", str(error)) from None
    text = "".join([*head, "\n", *_moves(record), END, "\n"])
    if SIGNED in record.fields and not _says(text, record):
        fields = {name: value for name, value in record.fields.items() if name != SIGNED}
        return write(record._replace(fields=fields))
    return text


def _says(text: str, record: Record) -> bool:
    """Whether all of the record that is signed stands there."""
    again = NotationReader({record.game.rules.id: record.game})
    for number, line in enumerate(text.splitlines(), 1):
        again.take(number, line.encode())
    try:
        return signed_part(again.finish().record.fields) == signed_part(record.fields)
    except Unreadable:
        return False


# Writing: tags -----------------------------------------------------------------------------------


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    fields = record.fields
    yield "Notation", str(VERSION)
    yield "Game", in_json(record.game.rules.id)
    for tag, name in _FIELDS.items():
        if name in fields:
            yield tag, in_json(fields[name])
    for letter, seat in zip(LETTERS, record.seats, strict=False):
        yield letter, _seat_written(seat)
    yield from _deal(record)
    yield from _result(record)


def in_json(value: Json) -> str:
    """On one line, with every character that is more than a letter, a sign or a blank escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def _seat_written(value: Json) -> str:
    """Name, kind, level."""
    seat = object_in(value, "a seat")
    known = [field_in(seat, "name", "a seat"), field_in(seat, "kind", "a seat")]
    return " ".join(map(in_json, [*known, *([seat["level"]] if "level" in seat else [])]))


def _deal(record: Record) -> Iterator[tuple[str, str]]:
    """The seed alone, where all that was dealt follows from it."""
    first = record.setup.get("first_seat")
    if (seed := _seed_of(record, first)) is None:
        if "proof" in record.fields:
            yield "Proof", in_json(record.fields["proof"])
        yield "Deal", in_json(record.setup)
        return
    yield "Seed", in_json(seed.hex())
    if first is not None:
        yield "First", in_json(letter_of(first, len(record.seats)))


def _seed_of(record: Record, first: Json) -> bytes | None:
    """That of a proof as we write it, if it deals the setup in this program's rules."""
    game, seats, proof = record.game, len(record.seats), record.fields.get("proof")
    ours = record.fields.get("rules_version") == game.rules.rules_version
    begins = first is None or (type(first) is int and first in range(seats))
    if not ours or not begins or seats not in game.rules.seats:
        return None
    try:
        seed = proven_seed(proof)
        setup = dealt(game, record.options, seats, seed)
    except RecordError:
        return None
    if "first_seat" in setup:
        setup["first_seat"] = first
    written = {"seed": seed.hex(), "sha256": commitment(seed)}
    return seed if proof == written and in_json(setup) == in_json(record.setup) else None


def _result(record: Record) -> Iterator[tuple[str, str]]:
    """What every game has in words of its own, what only some have as it stands in the record."""
    outcome = dict(record.outcome)
    scores, winners, decided = (outcome.pop(name, None) for name in _RESULT)
    if not isinstance(scores, list) or not isinstance(winners, list):
        raise RecordError("scores and winners in outcome must be lists")
    yield "Scores", " ".join(map(in_json, scores))
    seats = len(record.seats)
    yield "Winners", " ".join(in_json(letter_of(seat, seats)) for seat in winners)
    yield "Decided", in_json(decided)
    if outcome:
        yield "Outcome", in_json(outcome)


def letter_of(seat: Any, seats: int) -> str:
    if type(seat) is not int or seat not in range(seats):
        raise wrong("a seat", f"a whole number, 0 to {seats - 1}", seat)
    return LETTERS[seat]


# Writing: moves ----------------------------------------------------------------------------------


def _moves(record: Record) -> Iterator[str]:
    notation, seats = record.game.notation, len(record.seats)
    for number, ply in enumerate(record.plies):
        try:
            fields = object_in(ply, "the ply")
            letter = letter_of(field_in(fields, "seat", "the ply"), seats)
            action = notation.moves.from_record(field_in(fields, "action", "the ply"))
            letter += BY_BOT if fields.get("by") == BOT else ""
            words = [f"{number + 1}.", letter, notation.moves.to_line(action), *_moment(fields)]
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


# Reading -----------------------------------------------------------------------------------------

MAX_NOTATION_LINE_BYTES: Final = 1 << 16
"""A deal, the longest that a line says, has 4 kB."""
_BOM: Final = "\ufeff"
"""Editors of some systems put this mark before the first line."""
MOST_FAULTS: Final = 20
"""A file that is no notation at all is not told line by line."""
_TAG: Final = re.compile(r"\[([A-Za-z]+)(?=[\s\]])")
_TAGS: Final = {"Game": "game", **_FIELDS}
_ORDER: Final = (
    *("format", "version", "game", "rules_version", "options", "seats"),
    *("setup", "id", "began", "plies", "outcome", "proof", SIGNED),
)
"""A record's fields, as we write them."""
_PLY: Final = re.compile(
    r"(?:[0-9]+\.(?: |$))?(?P<seat>\S*?)(?P<bot>\*?)(?P<words>(?: \S+)*?)"
    rf"(?: @(?P<s>[0-9]{{1,{MOST_DIGITS - 3}}})\.(?P<ms>[0-9]{{3}}))?"
    rf"(?: ~(?P<lags>[0-9]{{1,{MOST_DIGITS}}}(?:,[0-9]{{1,{MOST_DIGITS}}})*))?"
)
"""`12. B play 1m new @17.508 ~0,45`: number, time and lags may be missing."""


def text_of(line: bytes) -> str:
    """What a line says, which need not be one of notation."""
    return line[:MAX_NOTATION_LINE_BYTES].decode("utf-8", "replace").removeprefix(_BOM).strip()


class MatchFault(NamedTuple):
    """What is wrong with a match in a file. `line`: where, from 1 on. `place`: `setup`, `ply K`,
    counted from 1 in notation and from 0 in records, `outcome` or `signed`. `unread`: what stands
    there is no record at all."""

    line: int
    place: str
    why: str
    unread: bool = True


class Unreadable(Exception):
    """The lines are no match; all their faults, at least one."""

    def __init__(self, faults: Sequence[MatchFault]) -> None:
        super().__init__(faults[0].why)
        self.faults = faults


class Noted(NamedTuple):
    """A record, not yet believed; where it begins, and the numbers of the lines that its plies
    stand on."""

    line: int
    record: Record
    plies: Sequence[int] = ()


class NotationReader:
    """A match of which some lines have been read. Moves are understood at the end, when it is known
    of which game they are."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._games = games
        self._tags: dict[str, list[Json]] = {}
        self._where: dict[str, int] = {}
        self._looked_at = ""
        self._moves: list[tuple[int, str]] = []
        self._faults: list[MatchFault] = []
        self._first = 0
        self._last = 0
        self._bytes = 0
        self._ended = False

    @property
    def begun(self) -> bool:
        return bool(self._first)

    def take(self, number: int, line: bytes) -> None:
        """The next line, without its end. `number`: which it is of its file."""
        self._first, self._last = self._first or number, number
        self._bytes += len(line)
        if len(line) > MAX_NOTATION_LINE_BYTES:
            self._fault(number, f"the line must not be longer than {MAX_NOTATION_LINE_BYTES} bytes")
        elif self._bytes > MAX_LINE_BYTES:
            self._fault(number, f"the match must not be longer than {MAX_LINE_BYTES} bytes")
        else:
            try:
                self._take(number, line.decode("utf-8").removeprefix(_BOM).strip())
            except UnicodeDecodeError as error:
                self._fault(number, f"the line must be UTF-8, and byte {error.start} is not")

    def _take(self, number: int, text: str) -> None:
        if not text or text.startswith(COMMENT):
            return
        if self._ended:
            self._fault(number, f'nothing but comments must stand after "{END}"', self._newest)
        elif text.startswith("["):
            self._take_tag(number, text)
        elif (move := " ".join(text.partition(COMMENT)[0].split())) == END:
            self._ended = True
        else:
            self._moves.append((number, move))

    @property
    def _newest(self) -> str:
        return f"ply {len(self._moves)}"

    def _fault(self, number: int, why: str, place: str = "setup") -> None:
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(MatchFault(number, place, why))

    def _take_tag(self, number: int, text: str) -> None:
        try:
            name, values = _tag(text)
        except RecordError as error:
            self._fault(number, str(error))
            return
        if name in self._tags:
            self._fault(number, f"the tag {name} must not stand twice")
        self._tags[name], self._where[name] = values, number

    def finish(self) -> Noted:
        """The match, of which all lines are taken. Raises Unreadable."""
        fields: dict[str, Json] = {}
        for part in (self._played, self._head, self._deal, self._result):
            try:
                fields |= {} if self._faults else part()
            except RecordError as error:
                self._fault(self._where.get(self._looked_at, self._first), str(error))
        if not self._ended:
            why = f'the match must end with the line "{END}": a part of it is missing'
            self._fault(self._last, why, self._newest)
        if self._faults:
            raise Unreadable(sorted(self._faults))
        try:
            record = of_fields({key: fields[key] for key in _ORDER if key in fields}, self._games)
        except NotARecord as error:
            raise Unreadable([MatchFault(self._first, "setup", str(error))]) from None
        return Noted(self._first, record, [number for number, _text in self._moves])

    def _played(self) -> dict[str, Json]:
        game, seats, plies = self._game(), self._seats(), list[Json]()
        for number, (at, text) in enumerate(self._moves, 1):
            try:
                plies.append(_ply(text, game, seats))
            except RecordError as error:
                self._fault(at, str(error), f"ply {number}")
        return {"plies": plies}

    # What the tags say ---------------------------------------------------------------------------

    def _head(self) -> dict[str, Json]:
        version = self._one("Notation")
        if type(version) is not int or version not in READ:
            raise wrong("the tag Notation", either(READ), version)
        tags = {tag: name for tag, name in _TAGS.items() if tag in self._tags}
        return {
            "format": FORMAT,
            "version": RECORD_VERSION,
            **{name: self._one(tag) for tag, name in tags.items()},
            "seats": [_seat(self._all(letter)) for letter in LETTERS[: self._seats()]],
        }

    def _deal(self) -> dict[str, Json]:
        if "Deal" in self._tags:
            proof = {"proof": self._one("Proof")} if "Proof" in self._tags else {}
            return {"setup": self._one("Deal"), **proof}
        seed, game, seats = _seed(self._one("Seed")), self._game(), self._seats()
        options = self._object("Options")
        if seats not in game.rules.seats:
            raise RecordError(f"a match must have {either(game.rules.seats)} seats, not {seats}")
        setup = dealt(game, options, seats, seed)
        if "first_seat" in setup:
            setup["first_seat"] = _seat_of(self._one("First"), seats)
        return {"setup": setup, "proof": {"seed": seed.hex(), "sha256": commitment(seed)}}

    def _result(self) -> dict[str, Json]:
        more = self._object("Outcome")
        winners = [_seat_of(letter, self._seats()) for letter in self._all("Winners")]
        said = (self._all("Scores"), winners, self._one("Decided"))
        scores, *others = (each for each in zip(_RESULT, said, strict=True) if each[1] is not None)
        return {"outcome": dict([scores, *more.items(), *others])}

    def _game(self) -> Game:
        name = self._one("Game")
        game = self._games.get(name) if isinstance(name, str) else None
        if game is None:
            raise wrong("the tag Game", quoted(self._games), name)
        return game

    def _seats(self) -> int:
        """As many as there are letters from A on."""
        return next((n for n, letter in enumerate(LETTERS) if letter not in self._tags), 26)

    def _object(self, tag: str) -> dict[str, Json]:
        """Empty where there is no such tag."""
        return object_in(self._one(tag) if tag in self._tags else {}, f"the tag {tag}")

    def _all(self, tag: str) -> list[Json]:
        self._looked_at = tag
        if tag not in self._tags:
            raise RecordError(f"the match must have the tag {tag}")
        return self._tags[tag]

    def _one(self, tag: str) -> Json:
        values = self._all(tag)
        if len(values) != 1:
            raise RecordError(f"the tag {tag} must have one value, not {len(values)}")
        return values[0]


# Reading: one line --------------------------------------------------------------------------------


def _tag(text: str) -> tuple[str, list[Json]]:
    """`[Name VALUE VALUE]`: values are JSON."""
    found = _TAG.match(text)
    if found is None:
        raise RecordError(f"a tag must be [Name VALUE], not {shown(text)}")
    values, at = [], _after_blanks(text, found.end())
    while text[at : at + 1] != "]":
        value, at = _value(text, at)
        values.append(value)
        at = _after_blanks(text, at)
    rest = text[at + 1 :].strip()
    if rest and not rest.startswith(COMMENT):
        raise RecordError(f"nothing must stand after a tag, and there is {shown(rest)}")
    return found[1], values


def _after_blanks(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at


def _value(text: str, at: int) -> tuple[Json, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):  # half a character is a ValueError, too
        raise RecordError(f"a tag's values must be JSON, not {shown(text[at:])}") from None
    return value, end


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant)


def _seat(values: list[Json]) -> dict[str, Json]:
    if len(values) not in (2, 3):
        raise RecordError(f"a seat must have a name, a kind and maybe a level: {len(values)} given")
    return dict(zip(("name", "kind", "level"), values, strict=False))


def _seed(value: Json) -> bytes:
    if isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{2 * SEED_BYTES}}}", value):
        return bytes.fromhex(value)
    raise wrong("the tag Seed", f"{2 * SEED_BYTES} hexadecimal digits", value)


def _seat_of(letter: Json, seats: int) -> int:
    if isinstance(letter, str) and len(letter) == 1 and letter in LETTERS[:seats]:
        return LETTERS.index(letter)
    raise wrong("a seat", either(LETTERS[:seats]) if seats else "a letter that has a tag", letter)


def _ply(text: str, game: Game, seats: int) -> dict[str, Json]:
    """Of a line whose words have one blank between them."""
    found = _PLY.fullmatch(text)
    if found is None or not found["seat"]:
        raise RecordError("a move must have a seat")
    seat = _seat_of(found["seat"], seats)
    notation = game.notation
    action = notation.moves.from_line(found["words"].split())
    ply: dict[str, Json] = {"seat": seat, "action": notation.moves.to_record(action)}
    if found["bot"]:
        ply["by"] = BOT
    if found["ms"]:
        ply["at_ms"] = int(found["s"] + found["ms"])
    if found["lags"]:
        ply["lags_ms"] = list(map(int, found["lags"].split(",")))
    return ply
