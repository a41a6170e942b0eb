"""Whole boards of every game are drawn as their files have them, and those in ASCII are ASCII.

After a wanted change of looks `python -m tests.games.NAME.goldens` writes them.
"""

from pathlib import Path

import pytest

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.arranging import SHELL_ROWS
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spans import Span
from tests.stage.golden_boards import Golden, Goldens
from tests.stage.own_files import of_every_game

OF: dict[str, Goldens] = dict(zip(FACES, of_every_game("goldens", "GOLDENS"), strict=True))
BOARDS = {game: goldens.boards() for game, goldens in OF.items()}
EACH = [(game, name) for game, boards in BOARDS.items() for name in boards]


def text(game: str, name: str) -> str:
    return OF[game].text(BOARDS[game][name])


@pytest.mark.parametrize(("game", "name"), EACH)
def test_golden(game: str, name: str) -> None:
    assert text(game, name) == OF[game].kept(name)


@pytest.mark.parametrize("game", OF)
def test_no_golden_without_a_test(game: str) -> None:
    assert OF[game].names() == set(BOARDS[game]) != set()


@pytest.mark.parametrize(("game", "name"), [each for each in EACH if "ascii" in each[1]])
def test_ascii_is_ascii_but_for_what_is_foreign(game: str, name: str) -> None:
    others = {char for char in text(game, name) if not char.isascii()}
    assert others <= set(OF[game].foreign)


def test_what_looks_otherwise_or_is_left_out_would_be_noticed(tmp_path: Path) -> None:
    def goldens(**signs: str) -> Goldens:
        boards = {name: Golden(sign, 1, 1 + SHELL_ROWS) for name, sign in signs.items()}
        sets = dict.fromkeys(GlyphSet)
        return Goldens(tmp_path, lambda: boards, lambda sign, *_: [[Span(sign)]], sets)

    before, after = goldens(one="a", two="b"), goldens(one="c")
    before.write()
    assert before.text(before.boards()["one"]) == before.kept("one") == "a\n"
    assert after.text(after.boards()["one"]) != after.kept("one")
    assert after.names() != set(after.boards())
    after.write()
    assert after.names() == {"one"} and after.kept("one") == "c\n"
