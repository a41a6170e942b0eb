"""A game's moves as a table: what each is called, and what fields it has; and readers of fields.

From the table follow the moves of a record (JSON), the words of a line (notation), and what is
typed in plain mode, written and read. Laws: what was written is read back; readers look at every
type (`True` is not 1, 1.0 is not 1), leave alone fields that they do not know, and raise a
RecordError that says what must stand there for everything that is wrong.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from math import isfinite
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct, structs

Json: TypeAlias = Any
"""A value as `json.loads` returns it, not yet validated."""


Named = TypeVar("Named")


class RecordError(Exception):
    """A part of a record is invalid; the text, for the middle of a sentence, says why."""


_SHOWN: Final = 60


def shown(value: Json) -> str:
    """What stands there, as JSON in characters that do nothing to a terminal; an object or a list
    is only called that. It is cut short, because a record may hold anything."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, float) and not isfinite(value):
        return "a number too large to be read"
    return cut(json.dumps(value))


def cut(text: str, length: int = _SHOWN) -> str:
    """Its beginning, if it is long."""
    return text if len(text) <= length else f"{text[:length]}..."


def either(values: Iterable[Any]) -> str:
    """`1, 2 or 3`."""
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}" if others else last


def quoted(names: Iterable[str]) -> str:
    """`"on" or "off"`, as a record has them."""
    return either(map(json.dumps, names))


def wrong(what: str, wanted: str, found: Json) -> RecordError:
    return RecordError(f"{what} must be {wanted}, not {shown(found)}")


def field_in(fields: dict[str, Json], name: str, where: str) -> Json:
    """What stands under this name, which must be there."""
    if name not in fields:
        raise RecordError(f'{where} must have the field "{name}"')
    return fields[name]


def object_in(value: Json, name: str) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise wrong(name, "an object", value)
    return value


def list_in(fields: dict[str, Json], name: str, where: str) -> list[Json]:
    value = field_in(fields, name, where)
    if not isinstance(value, list):
        raise wrong(f"{name} in {where}", "a list", value)
    return value


def whole_number(value: Json, what: str, lowest: int, highest: int | None = None) -> int:
    """A whole number between two bounds, both included."""
    if type(value) is not int or value < lowest or (highest is not None and value > highest):
        most = "or more" if highest is None else f"to {highest}"
        raise wrong(what, f"a whole number, {lowest} {most}", value)
    return value


def named_in(value: Json, known: Mapping[str, Named], what: str, wanted: str = "") -> Named:
    """What a name stands for; `wanted`: what may stand there, where it is not simply the names."""
    found = known.get(value) if isinstance(value, str) else None
    if found is None:
        raise wrong(what, wanted or quoted(known), value)
    return found


def pieces_in(
    fields: dict[str, Json],
    name: str,
    where: str,
    count: int,
    piece: str,
    names: Sequence[str],
    wanted: str = "",
) -> bytes:
    """So many cards or tiles (`piece`), which have these names, "" for none. `wanted`: see
    `named_in`."""
    value = list_in(fields, name, where)
    if len(value) != count:
        raise RecordError(f"{name} in {where} must have {count} {piece}s, not {len(value)}")
    known = {each: byte for byte, each in enumerate(names) if each}
    what = f"a {piece} of {name} in {where}"
    return bytes(named_in(each, known, what, wanted) for each in value)


def first_seat_in(fields: dict[str, Json], seats: int) -> int:
    """The seat that begins, in the setup of a record."""
    first = field_in(fields, "first_seat", "setup")
    return whole_number(first, "first_seat in setup", 0, seats - 1)


def needs_all(cards: Sequence[str], box: Sequence[str], where: str) -> None:
    """These are what the box has, in any order; `where`: where they stand."""
    lacking, spare = Counter(box) - Counter(cards), Counter(cards) - Counter(box)
    if lacking or spare:
        over = "".join(f", and {name} is there too often" for name in sorted(spare)[:1])
        raise RecordError(f"{where} must be the whole box: {min(lacking)} is missing{over}")


# The table of moves ------------------------------------------------------------------------------


NEEDED: Final = object()
NOTHING: Final = "-"
"""In a line it holds the place of a field that a record would leave out."""
_MOST_DIGITS: Final = 9


class Field(NamedTuple):
    """A field of an action. `write` and `read` turn it into JSON and back, `say` and `hear` turn
    that JSON into words of a line and back; `read` and `hear` raise a RecordError. `shown`: what
    stands in the line, word by word. `missing`: the value that a record leaves out."""

    name: str
    write: Callable[[Any], Json]
    read: Callable[[Json], Any]
    say: Callable[[Json], str] = str
    hear: Callable[[str], Json] = str
    shown: Sequence[str] = ()
    missing: Any = NEEDED

    def of(self, fields: dict[str, Json]) -> Any:
        """Its value in an action's record."""
        if self.missing is NEEDED:
            return self.read(field_in(fields, self.name, "action"))
        value = fields.get(self.name, self.missing)
        return value if value is self.missing else self.read(value)

    @property
    def words(self) -> Sequence[str]:
        return self.shown or (self.name.upper(),)


def named(name: str, names: Sequence[str], wanted: str = "") -> Field:
    """A number with a name, the same in JSON and in a line. `names`: "" where there is none;
    `wanted`: see `named_in`."""
    known = {each: number for number, each in enumerate(names) if each}
    where = f"{name} in action"
    return Field(name, names.__getitem__, lambda value: named_in(value, known, where, wanted))


def counted(name: str, lowest: int = 0, highest: int | None = None, none: str = "") -> Field:
    """A number: in JSON from `lowest` on, in a line from 1 on. `none`: the word for None, null in
    JSON."""
    off = 1 - lowest

    def read(value: Json) -> int | None:
        if none and value is None:
            return None
        return whole_number(value, f"{name} in action", lowest, highest)

    def hear(word: str) -> Json:
        if none and word == none:
            return None
        number = int(word) if word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS else 0
        if number < 1 or (highest is not None and number > highest + off):
            most = "or more" if highest is None else f"to {highest + off}"
            raise wrong(name, f"a whole number, 1 {most}", word)
        return number - off

    def say(value: Json) -> str:
        return none if value is None else str(value + off)

    return Field(name, lambda value: value, read, say, hear)


def flag(name: str) -> Field:
    """True or, left out, False; in a line its name, or nothing."""

    def read(value: Json) -> bool:
        if type(value) is not bool:
            raise wrong(f"{name} in action", "true or false", value)
        return value

    def hear(word: str) -> Json:
        return word == name or word

    return Field(name, bool, read, lambda value: name, hear, (name,), missing=False)


class Way(NamedTuple):
    """An action, called as on the wire. `apart` and `make`: between the action and the values of
    its fields, where those are not the struct's own."""

    kind: type[Struct]
    fields: Sequence[Field] = ()
    apart: Callable[[Any], Sequence[Any]] = structs.astuple
    make: Callable[..., Any] | None = None

    @property
    def word(self) -> str:
        return str(self.kind.__struct_config__.tag)

    @property
    def lines(self) -> list[str]:
        """What a line can say, from that with the fewest words to that with the most."""
        words, found = [self.word], list[str]()
        for field in self.fields:
            if field.missing is not NEEDED:
                found.append(" ".join(words))
            words += field.words
        return [*found, " ".join(words)]


def as_they_are(words: Sequence[str]) -> Sequence[str]:
    """Version 1 of notation had these words, too."""
    return words


class Moves(NamedTuple):
    """All moves of a game. `renewed`: the words of a move in version 1 of notation → its words
    today."""

    ways: Sequence[Way]
    renewed: Callable[[Sequence[str]], Sequence[str]] = as_they_are

    def field(self, name: str) -> Field:
        return next(field for way in self.ways for field in way.fields if field.name == name)

    def said(self, **fields: Field) -> "Moves":
        """The same moves with these fields said in another way."""
        ways = (
            way._replace(fields=[fields.get(field.name, field) for field in way.fields])
            for way in self.ways
        )
        return self._replace(ways=(*ways,))

    def to_record(self, action: Any) -> Json:
        way = self._way(action)
        record = {"do": way.word}
        for field, value in zip(way.fields, way.apart(action), strict=True):
            if value is not field.missing:
                record[field.name] = field.write(value)
        return record

    def called(self, word: object) -> Way | None:
        """By its name."""
        return next((way for way in self.ways if way.word == word), None)

    def from_record(self, value: Json) -> Any:
        fields = object_in(value, "action")
        word = field_in(fields, "do", "action")
        way = self.called(word)
        if way is None:
            raise wrong("do in action", quoted(way.word for way in self.ways), word)
        return (way.make or way.kind)(*[field.of(fields) for field in way.fields])

    def to_line(self, action: Any) -> str:
        """The words of its line, with a blank between them."""
        way, record = self._way(action), self.to_record(action)
        words = [
            field.say(record[field.name]) if field.name in record else NOTHING
            for field in way.fields
        ]
        while words and words[-1] == NOTHING:
            words.pop()
        return " ".join([way.word, *words])

    def from_line(self, words: Sequence[str]) -> Any:
        """From the words of its line."""
        word, *rest = self.renewed(words) or [""]
        way = self.called(word)
        if way is None or len(rest) + 1 not in [len(line.split()) for line in way.lines]:
            lines = [line for way in self.ways for line in way.lines]
            raise RecordError(f"the move must be {quoted(lines)}")
        said, record = iter(rest), {"do": word}
        for field in way.fields:
            text = " ".join(islice(said, len(field.words)))
            if text and text != NOTHING:
                record[field.name] = field.hear(text)
        return self.from_record(record)

    def _way(self, action: Any) -> Way:
        return next(way for way in self.ways if way.kind is type(action))
