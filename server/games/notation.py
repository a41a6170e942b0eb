"""How a game is written: in match records as JSON, and in notation as a line a move.

A table of `Way`s says how the game's actions are called and what fields they have; what is written
and what is read follows from it. Laws: what was written is read back; readers look at every type
(`True` is not 1, 1.0 is not 1), leave alone fields that they do not know, and raise a RecordError
for everything that is wrong.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from enum import EnumType
from itertools import islice
from typing import Any, Final, NamedTuple

from msgspec import Struct, ValidationError, convert, json, structs

from protocol.errors import Refusal, RefusalCode
from server.games.reading import (
    Json,
    RecordError,
    field_in,
    named_in,
    object_in,
    quoted,
    whole_number,
    wrong,
)

# Actions -----------------------------------------------------------------------------------------

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


# All of a game -----------------------------------------------------------------------------------

_SENTENCES: Final[dict[str, str]] = {
    RefusalCode.MATCH_OVER: "the match is over before this action",
    RefusalCode.NOT_YOUR_TURN: "it is another seat's turn",
}


def first_seats(option: str, seats: int) -> str:
    """The values of the option `first_seat`: by lot, or one of the seats."""
    return "none or 0" if seats == 1 else f"none or 0 to {seats - 1}"


def as_they_are(words: Sequence[str]) -> Sequence[str]:
    """Version 1 of notation had these words, too."""
    return words


class Notation(NamedTuple):
    """A game in match records and in notation."""

    ways: Sequence[Way]
    options: type[Struct]
    rules: Sequence[str]
    """The options that a record always has; the others belong to the table."""
    setup_to_record: Callable[[Any], Json]
    """The deal of a state that is fresh from `setup`."""
    setup_from_record: Callable[[Json, Any, int], Any]
    """From a record's deal, options and the number of seats: a fresh state. Checks that the deal is
    complete."""
    sentences: Mapping[str, str]
    """Refusal code → a sentence with its parameters."""
    says: Mapping[str, tuple[str, Callable[[Any], object]]] = {}
    """Word in a sentence → the parameter that it tells of, and how."""
    unusual: Sequence[str] = ()
    """The options that a record has when they are not the default."""
    values: Mapping[str, tuple[Container[Any], str]] = {}
    """Option that is no enum → its values, and how a record's reader is told of them."""
    allowed: Callable[[str, int], str] = first_seats
    """The values that an option may have with this number of seats, in English and as typed at a
    shell, and why there are no others; for every option that `check_options` names and every
    option that is no enum."""
    renewed: Callable[[Sequence[str]], Sequence[str]] = as_they_are
    """The words of a move in version 1 of notation → its words today."""

    def options_to_record(self, options: Any) -> Json:
        """Those that change the rules."""
        written, defaults = plain(options), plain(self.options())
        unusual = [name for name in self.unusual if written[name] != defaults[name]]
        return {name: written[name] for name in (*self.rules, *unusual)}

    def options_from_record(self, value: Json) -> Any:
        """Missing options are the defaults."""
        fields, found = object_in(value, "options"), {}
        known = {field.name: field.type for field in structs.fields(self.options)}
        for name in (*self.rules, *self.unusual):
            if name in fields:
                found[name] = self._option(name, known[name], fields[name])
        return self.options(**found)

    def _option(self, name: str, kind: Any, value: Json) -> Any:
        values, told = (kind, quoted(kind)) if isinstance(kind, EnumType) else self.values[name]
        try:
            found = convert(value, kind)
        except ValidationError:
            found = None
        if found is None or found not in values:
            raise wrong(f"option {name}", told, value)
        return found

    def same_deal(self, state: Any, dealt: Any) -> bool:
        """Whether two fresh states have the same deal; the check of a proof. No record says whether
        the table chose who begins."""
        one, other = self.setup_to_record(state), self.setup_to_record(dealt)
        return {**one, "first_seat": None} == {**other, "first_seat": None}

    def outcome_to_record(self, outcome: Any) -> Json:
        return plain(outcome)

    def action_to_record(self, action: Any) -> Json:
        way = self._way(action)
        record = {"do": way.word}
        for field, value in zip(way.fields, way.apart(action), strict=True):
            if value is not field.missing:
                record[field.name] = field.write(value)
        return record

    def _called(self, word: object) -> Way | None:
        return next((way for way in self.ways if way.word == word), None)

    def action_from_record(self, value: Json) -> Any:
        fields = object_in(value, "action")
        word = field_in(fields, "do", "action")
        way = self._called(word)
        if way is None:
            raise wrong("do in action", quoted(way.word for way in self.ways), word)
        return (way.make or way.kind)(*[field.of(fields) for field in way.fields])

    def action_to_move(self, action: Any) -> str:
        """The words of its line, with a blank between them."""
        way, record = self._way(action), self.action_to_record(action)
        words = [
            field.say(record[field.name]) if field.name in record else NOTHING
            for field in way.fields
        ]
        while words and words[-1] == NOTHING:
            words.pop()
        return " ".join([way.word, *words])

    def action_from_move(self, words: Sequence[str]) -> Any:
        """From the words of its line."""
        word, *rest = self.renewed(words) or [""]
        way = self._called(word)
        if way is None or len(rest) + 1 not in [len(line.split()) for line in way.lines]:
            lines = [line for way in self.ways for line in way.lines]
            raise RecordError(f"the move must be {quoted(lines)}")
        said, record = iter(rest), {"do": word}
        for field in way.fields:
            text = " ".join(islice(said, len(field.words)))
            if text and text != NOTHING:
                record[field.name] = field.hear(text)
        return self.action_from_record(record)

    def _way(self, action: Any) -> Way:
        return next(way for way in self.ways if way.kind is type(action))

    def describe(self, refusal: Refusal) -> str:
        """A refusal in English, for people who read verifier output and logs."""
        sentence = {**_SENTENCES, **self.sentences}.get(refusal.code)
        if sentence is None:
            return refusal.code.replace("_", " ")
        told = {
            word: say(refusal.params[param])
            for word, (param, say) in self.says.items()
            if param in refusal.params
        }
        return sentence.format_map({**refusal.params, **told})


def plain(value: Any) -> Json:
    """As JSON has it."""
    return json.decode(json.encode(value))
