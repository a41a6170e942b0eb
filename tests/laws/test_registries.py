"""Server and protocol name the same games for the same tables."""

from collections.abc import Mapping
from typing import Any

import msgspec

from protocol.games.registry import GAMES as VOCABULARIES
from server.games.registry import GAMES


def test_both_registries_agree() -> None:
    assert set(GAMES) == set(VOCABULARIES)
    for name, game in GAMES.items():
        assert game.rules.id == name == VOCABULARIES[name].id
        assert game.rules.seats == VOCABULARIES[name].seats
        assert tuple(game.bots) == VOCABULARIES[name].levels


def test_every_number_of_seats_has_a_preset_and_every_preset_a_table() -> None:
    """Practice is for few, and alone there is nothing else."""
    for name, game in GAMES.items():
        kind = VOCABULARIES[name].options
        presets = {key: msgspec.convert(sets, kind) for key, sets in _presets(name)}
        fits = {
            (key, seats)
            for key, options in presets.items()
            for seats in game.rules.seats
            if game.rules.check_options(options, seats) is None
        }
        assert {seats for _, seats in fits} == set(game.rules.seats)
        assert {key for key, _ in fits} == set(presets)
        assert ("", max(game.rules.seats)) in fits, "the default is for a full table"


def _presets(game: str) -> list[tuple[str, Mapping[str, Any]]]:
    return [("", {}), *VOCABULARIES[game].presets.items()]
