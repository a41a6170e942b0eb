"""The project gets no heavier than it is: `python -m tests.architecture.weight` says of what."""

import re
from pathlib import Path

import pytest

from tests.architecture import one_move
from tests.architecture.weight import ROOT, doubled, figures, type_names

MOST = {
    "code lines of the server": 18_882,
    "files of server and protocol": 192,
    "code lines of the client": 30_276,
    "files of the client": 204,
    "doubled names of server and protocol": 0,
    "lines of tests": 71_523,
    "lines of bench": 3_946,
    "lines of bench/README.md": 200,
}
A_MOVE = {"clocktowers": (13, 60), "architetti_attenti": (16, 70), "wild_wild_pattern": (17, 145)}
"""Of each game the files and calls. A change that needs more makes room elsewhere, or says in its
commit why it may."""


def test_no_figure_has_grown() -> None:
    found = figures()
    assert found.keys() == MOST.keys()
    assert not {name: figure for name, figure in found.items() if figure > MOST[name]}


@pytest.mark.parametrize("game", A_MOVE)
def test_a_move_takes_no_longer_way(game: str) -> None:
    """CONTRIBUTING's page names the files, one by one."""
    moved, (most_files, most_calls) = one_move.count(game), A_MOVE[game]
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("**The way of a move**")[2]
    page = page.partition("## The rooms")[0]
    named = set(re.findall(r"[`/]([a-z_]+\.py)`", page))
    assert not {Path(file).name for file in moved.files} - named
    assert len(moved.files) <= most_files and moved.calls <= most_calls


def test_a_name_in_two_files_is_found(tmp_path: Path) -> None:
    assert [*type_names("class A1b: ...\nPair = tuple[int, int]\nSIZE = 3\n_Own = int\n")] == [
        "A1b",
        "Pair",
    ]
    for package in ("server", "protocol"):
        for room in ("", "games"):
            folder = tmp_path / package / room
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "one.py").write_text(f"class {room.title()}Line:\n    pass\n")
    assert doubled(tmp_path) == {"Line": ["server/one", "protocol/one"]}
