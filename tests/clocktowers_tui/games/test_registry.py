"""Every game of the protocol has a face."""

from clocktowers_tui.games.registry import ALL_ACTIONS, FACES, title_of
from clocktowers_tui.keys.actions import Context
from protocol.games.registry import GAMES


def test_every_game_has_a_face_of_its_name() -> None:
    assert set(FACES) == set(GAMES)
    assert all(face.game == name for name, face in FACES.items())


def test_presets_are_those_of_the_protocol() -> None:
    for name, face in FACES.items():
        assert [preset for preset, _ in face.presets()] == list(GAMES[name].presets)


def test_keys_and_title_have_words() -> None:
    for face in FACES.values():
        rows = face.answers_to()
        assert title_of(face.game) != face.game and rows
        assert all(actions and words for actions, words in rows)


def test_a_game_s_own_actions_live_on_its_board() -> None:
    for face in FACES.values():
        assert set(face.actions) <= set(ALL_ACTIONS)
        assert {action.context for action in face.actions} == {Context.BOARD}
