"""How a game is written in match records: its moves, options, deals and outcomes.

Laws: as those of `protocol.games.moves`.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from enum import EnumType
from typing import Any, Final, NamedTuple

from msgspec import ValidationError, convert, json, structs

from protocol.errors import Refusal, RefusalCode
from protocol.games.moves import Json, Moves, object_in, quoted, wrong
from protocol.games.registry import Vocabulary

_SENTENCES: Final[dict[str, str]] = {
    RefusalCode.MATCH_OVER: "the match is over before this action",
    RefusalCode.NOT_YOUR_TURN: "it is another seat's turn",
}


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
    sentences: Mapping[str, str] = {}
    """Refusal code → a sentence with its parameters; without one the code itself is one."""
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
