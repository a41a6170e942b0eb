"""The words of a game are read when they are looked at, and not before."""

import subprocess
import sys

LOOK = (
    "import sys, clocktowers_tui.app.app, protocol.games.registry as words;"
    " {then}; print(*sys.modules)"
)
PACKAGES = {f"protocol.games.{game}" for game in ("clocktowers", "wild_wild_pattern")}


def read(then: str) -> set[str]:
    """The packages that are read by the client's start and what follows it."""
    run = [sys.executable, "-P", "-c", LOOK.format(then=then)]
    told = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    return PACKAGES & set(told.split())


def test_a_start_reads_the_words_of_no_game() -> None:
    assert read("list(words.GAMES), 'clocktowers' in words.GAMES") == set()
    assert read("words.GAMES['clocktowers']") == {"protocol.games.clocktowers"}
