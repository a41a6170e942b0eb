"""A game's moves as a table: what each is called, and what fields it has.

From the table follow the moves of a record (JSON), the words of a line (notation), and what is
typed in plain mode, written and read. Laws: what was written is read back; readers look at every
type (`True` is not 1, 1.0 is not 1), leave alone fields that they do not know, and raise a
RecordError for everything that is wrong.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from msgspec import Struct, structs

from protocol.games.reading import (
    Json,
    RecordError,
    field_in,
    named_in,
    object_in,
    quoted,
    whole_number,
    wrong,
)

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
