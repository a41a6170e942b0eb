"""The server's registry and the protocol's name the same games for the same tables."""

from protocol.games.registry import GAMES as VOCABULARIES
from server.games.registry import GAMES


def test_both_registries_agree() -> None:
    assert set(GAMES) == set(VOCABULARIES)
    for name, game in GAMES.items():
        assert game.rules.id == name == VOCABULARIES[name].id
        assert game.rules.seats == VOCABULARIES[name].seats


def test_default_options_and_presets_are_possible_everywhere() -> None:
    for name, game in GAMES.items():
        vocabulary = VOCABULARIES[name]
        for preset in ({}, *vocabulary.presets.values()):
            for seats in game.rules.seats:
                assert game.rules.check_options(vocabulary.options(**preset), seats) is None
