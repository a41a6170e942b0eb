"""Reads a match written as notation: the record that `notation_writing` made it of.

Law: any lines are read, or raise Unreadable with what is wrong with each of them.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn

from protocol.dealing import SEED_BYTES, commitment
from server.games.contract import Game, Json, RecordError
from server.games.reading import either, quoted, shown, wrong
from server.recording import records
from server.recording.check import dealt
from server.recording.notation_writing import (
    BY_BOT,
    COMMENT,
    END,
    FIELDS,
    LETTERS,
    MOST_DIGITS,
    RESULT,
    VERSION,
)
from server.recording.records import FORMAT, NotARecord, Record

MOST_FAULTS: Final = 20
"""A file that is no notation at all is not told line by line."""
_TAG: Final = re.compile(r"\[([A-Za-z]+)(?=[\s\]])")
_TAGS: Final = {"Game": "game", **FIELDS}
_ORDER: Final[Sequence[str]] = (
    "format",
    "version",
    "game",
    "rules_version",
    "options",
    "seats",
    "setup",
    "id",
    "began",
    "plies",
    "outcome",
    "proof",
)
"""A record's fields, as we write them."""
_NUMBER: Final = re.compile(r"[0-9]+\.")
_AT: Final = re.compile(rf"@([0-9]{{1,{MOST_DIGITS - 3}}})\.([0-9]{{3}})")
_LAGS: Final = re.compile(rf"~([0-9]{{1,{MOST_DIGITS}}}(?:,[0-9]{{1,{MOST_DIGITS}}})*)")


class Fault(NamedTuple):
    """`place`: `setup` or `ply K`, counted from 1 as the moves are."""

    line: int
    place: str
    why: str


class Unreadable(Exception):
    """The lines are no match; all their faults, at least one."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults[0].why)
        self.faults = faults


class Noted(NamedTuple):
    """A record, not yet believed, and the numbers of the lines that its plies stand on."""

    record: Record
    plies: Sequence[int]


def read(lines: Iterable[tuple[int, str]], games: Mapping[str, Game]) -> Noted:
    """One match; `lines` with their numbers, at least one. Raises Unreadable."""
    reading = _Reading(games)
    for number, text in lines:
        reading.take(number, text.strip())
    return reading.finish()


class _Reading:
    """A match of which some lines have been read. Moves are understood at the end, when it is known
    of which game they are."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._games = games
        self._tags: dict[str, list[Json]] = {}
        self._where: dict[str, int] = {}
        self._looked_at = ""
        self._moves: list[tuple[int, list[str]]] = []
        self._faults: list[Fault] = []
        self._first = 0
        self._last = 0
        self._ended = False

    def take(self, number: int, text: str) -> None:
        self._first, self._last = self._first or number, number
        if not text or text.startswith(COMMENT):
            return
        if self._ended:
            self._fault(number, f'nothing but comments must stand after "{END}"', self._newest)
        elif text.startswith("["):
            self._take_tag(number, text)
        elif (words := text.partition(COMMENT)[0].split()) == [END]:
            self._ended = True
        else:
            self._moves.append((number, words))

    @property
    def _newest(self) -> str:
        return f"ply {len(self._moves)}"

    def _fault(self, number: int, why: str, place: str = "setup") -> None:
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(Fault(number, place, why))

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
        try:
            plies = list(self._plies(self._game()))
        except RecordError as error:
            if "Game" in self._where or not self._faults:
                self._fault(self._where.get("Game", self._first), str(error))
        if not self._ended:
            why = f'the match must end with the line "{END}": a part of it is missing'
            self._fault(self._last, why, self._newest)
        if not self._faults:
            fields = self._fields(plies)
        if self._faults:
            raise Unreadable(sorted(self._faults))
        try:
            record = records.of_fields(fields, self._games)
        except NotARecord as error:
            raise Unreadable([Fault(self._first, "setup", str(error))]) from None
        return Noted(record, [number for number, _words in self._moves])

    def _plies(self, game: Game) -> Iterator[dict[str, Json]]:
        seats = self._seats()
        for ply, (number, words) in enumerate(self._moves):
            try:
                yield _ply(words, game, seats)
            except RecordError as error:
                self._fault(number, str(error), f"ply {ply + 1}")

    # What the tags say ---------------------------------------------------------------------------

    def _fields(self, plies: list[dict[str, Json]]) -> dict[str, Json]:
        """Those of the record, in the order in which we write them."""
        found: dict[str, Json] = {}
        for read_tags in (self._head, self._deal, self._result):
            try:
                found |= read_tags()
            except RecordError as error:
                self._fault(self._where.get(self._looked_at, self._first), str(error))
        found["plies"] = plies
        return {name: found[name] for name in _ORDER if name in found}

    def _head(self) -> dict[str, Json]:
        version = self._one("Notation")
        if type(version) is not int or version != VERSION:
            raise wrong("the tag Notation", str(VERSION), version)
        tags = {tag: name for tag, name in _TAGS.items() if tag in self._tags}
        return {
            "format": FORMAT,
            "version": records.VERSION,
            **{name: self._one(tag) for tag, name in tags.items()},
            "seats": [_seat(self._all(letter)) for letter in LETTERS[: self._seats()]],
        }

    def _deal(self) -> dict[str, Json]:
        if "Deal" in self._tags:
            proof = {"proof": self._one("Proof")} if "Proof" in self._tags else {}
            return {"setup": self._one("Deal"), **proof}
        seed = _seed(self._one("Seed"))
        setup = self._dealt(seed)
        if "first_seat" in setup:
            setup["first_seat"] = _seat_of(self._one("First"), self._seats())
        return {"setup": setup, "proof": {"seed": seed.hex(), "sha256": commitment(seed)}}

    def _dealt(self, seed: bytes) -> Json:
        game, seats = self._game(), self._seats()
        options = self._one("Options") if "Options" in self._tags else {}
        if not isinstance(options, dict):
            raise wrong("the tag Options", "an object", options)
        if seats not in game.rules.seats:
            raise RecordError(f"a match must have {either(game.rules.seats)} seats, not {seats}")
        return dealt(game, options, seats, seed)

    def _result(self) -> dict[str, Json]:
        more = self._one("Outcome") if "Outcome" in self._tags else {}
        if not isinstance(more, dict):
            raise wrong("the tag Outcome", "an object", more)
        winners = [_seat_of(letter, self._seats()) for letter in self._all("Winners")]
        said = (self._all("Scores"), winners, self._one("Decided"))
        scores, *others = zip(RESULT, said, strict=True)
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


# One line ----------------------------------------------------------------------------------------


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


def _ply(words: list[str], game: Game, seats: int) -> dict[str, Json]:
    """`12. B play 1m new @17.508 ~0,45`: number, time and lags may be missing."""
    if words and _NUMBER.fullmatch(words[0]):
        words = words[1:]
    lags = _LAGS.fullmatch(words[-1]) if words else None
    words = words[:-1] if lags else words
    at = _AT.fullmatch(words[-1]) if words else None
    words = words[:-1] if at else words
    if not words:
        raise RecordError("a move must have a seat")
    seat = _seat_of(words[0].removesuffix(BY_BOT), seats)
    by = {"by": records.BOT} if words[0].endswith(BY_BOT) else {}
    action = game.notation.action_from_move(words[1:])
    moment: dict[str, Any] = {"at_ms": int(at[1] + at[2])} if at else {}
    if lags:
        moment["lags_ms"] = list(map(int, lags[1].split(",")))
    written = game.notation.action_to_record(game.notation.action_from_record(action))
    return {"seat": seat, "action": written, **by, **moment}
