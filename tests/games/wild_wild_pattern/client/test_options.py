"""The form offers what the server accepts, and says where practice belongs."""

import msgspec
import pytest

from clocktowers_tui.config.settings import Draft
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.wild_wild_pattern.options import option_fields, options_in_words
from clocktowers_tui.new_table.drafts import drafted, options_of
from protocol.games.registry import GAMES, LEVELS
from protocol.games.wild_wild_pattern import Options
from server.games.registry import GAMES as SERVED

FACE = FACES["wild_wild_pattern"]


def test_every_option_has_a_row_and_the_defaults_are_the_servers() -> None:
    fields = option_fields()
    assert [field.name for field in fields] == list(Options.__struct_fields__)
    default = Options(**{field.name: field.values[0][0] for field in fields})
    assert msgspec.to_builtins(default) == msgspec.to_builtins(Options())


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_what_the_form_gives_is_accepted(seats: int) -> None:
    rules = SERVED["wild_wild_pattern"].rules
    for field in option_fields(seats):
        for value, _words in field.values:
            draft = Draft(seats=seats, options={field.name: value})
            options = msgspec.convert(options_of(draft, FACE), Options)
            assert rules.check_options(options, seats) is None, (field.name, value)


def test_alone_there_is_practice_and_nothing_else() -> None:
    """Whatever was chosen before, with the preset that says so."""
    draft = Draft(seats=1, preset="vivo", options={"practice": "off"})
    asked = drafted(draft, FACE, LEVELS, solo=True)
    values = {**GAMES[FACE.game].presets[asked.preset], **asked.options}
    assert (asked.seats, values["practice"], values["mode"]) == (1, "on", "saloon")
    many = drafted(Draft(seats=4, options={"practice": "on"}), FACE, LEVELS, solo=True)
    assert "practice" not in many.options


def test_what_differs_in_words() -> None:
    assert options_in_words({}) == "Saloon! The richest above $3 wins"
    assert options_in_words({"mode": "vivo"}) == "Vivo o Morto! The poorest go out"
    assert options_in_words({"mode": "of a newer server"}) == "Saloon! The richest above $3 wins"
    said = options_in_words({"practice": "on", "race_limit_s": 0})
    assert said == (
        "Saloon! The richest above $3 wins; A race lasts: until somebody shoots; "
        "Practice without hurry: on"
    )
