"""How a game is written in match records: its moves, options, deals and outcomes.

Laws: as those of `protocol.games.moves`.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from enum import EnumType
from typing import Any, NamedTuple

from msgspec import ValidationError, convert, json, structs

from protocol.errors import Refusal
from protocol.games.moves import Json, Moves, either, object_in, quoted, wrong
from protocol.games.registry import Vocabulary


def first_seats(option: str, seats: int) -> str:
    """The values of the option `first_seat`: by lot, or one of the seats."""
    return "none or 0" if seats == 1 else f"none or 0 to {seats - 1}"


class Notation(NamedTuple):
    """A game, of which `words` are said, in match records and in notation."""

    words: Vocabulary
    setup_to_record: Callable[[Any], Json]
    """The deal of a state that is fresh from `setup`."""
    setup_from_record: Callable[[Json, Any, int], Any]
    """From a record's deal, options and the number of seats: a fresh state. Checks that the deal is
    complete."""
    rules: Sequence[str] = ()
    """The options that a record always has; the others belong to the table."""
    names: Mapping[str, Callable[[Any], str]] = {}
    """Parameter of a refusal → how a record calls what it is; without one it stands as it is."""
    unusual: Sequence[str] = ()
    """The options that a record has when they are not the default."""
    values: Mapping[str, tuple[Container[Any], str]] = {}
    """Option that is no enum → its values, and how a record's reader is told of them."""
    allowed: Callable[[str, int], str] = first_seats
    """The values that an option may have with this number of seats, in English and as typed at a
    shell, and why there are no others; for every option that `check_options` names and every
    option that is no enum."""

    @property
    def moves(self) -> Moves:
        return self.words.moves

    def options_to_record(self, options: Any) -> Json:
        """Those that change the rules."""
        written, defaults = plain(options), plain(self.words.options())
        unusual = [name for name in self.unusual if written[name] != defaults[name]]
        return {name: written[name] for name in (*self.rules, *unusual)}

    def options_from_record(self, value: Json) -> Any:
        """Missing options are the defaults."""
        fields, found = object_in(value, "options"), {}
        known = {field.name: field.type for field in structs.fields(self.words.options)}
        for name in (*self.rules, *self.unusual):
            if name in fields:
                found[name] = self._option(name, known[name], fields[name])
        return self.words.options(**found)

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

    def describe(self, refusal: Refusal) -> str:
        """A refusal for people who read what a verifier says: its code in words, and behind it its
        parameters, called and counted as in records."""
        told = [f"{name} {self._called(name, value)}" for name, value in refusal.params.items()]
        said = refusal.code.replace("_", " ")
        return f"{said} ({', '.join(told)})" if told else said

    def _called(self, name: str, value: Any) -> str:
        call = self.names.get(name, str)
        return either(map(call, value)) if isinstance(value, list | tuple) else call(value)


def plain(value: Any) -> Json:
    """As JSON has it."""
    return json.decode(json.encode(value))
