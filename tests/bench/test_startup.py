"""The client is about as quick to start as an empty Textual app; what is slow is found out."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bench.startup import AIM, CLIENT, Figures, Program, measure

_SLOW = """
import time
until = time.process_time() + 1
while time.process_time() < until:
    pass
from clocktowers_tui.__main__ import main
main([])
"""


@pytest.fixture(scope="module")
def compiled(request: pytest.FixtureRequest) -> Path:
    """Kept from run to run, since to compile costs more than all starts. Python itself finds out
    what has changed since: then the first start is slow, and the next is not."""
    cache = request.config.cache
    assert cache is not None
    return cache.mkdir("startup") / "compiled"


def _together(pairs: Sequence[Figures]) -> Figures:
    return Figures([one.empty[0] for one in pairs], [one.client[0] for one in pairs])


def test_the_client_starts_about_as_quickly_as_an_empty_app(compiled: Path) -> None:
    """Other work on the machine stretches one start and not the next: three good pairs in a row say
    enough."""
    pairs = [measure(1, compiled=compiled) for _ in range(3)]
    while (last := _together(pairs[-3:])).wall_ratio > AIM:
        assert len(pairs) < 16, last
        pairs.append(measure(1, compiled=compiled))


def test_a_slow_start_is_found_out(compiled: Path) -> None:
    slow = Program(("-c", _SLOW), CLIENT.words)
    assert measure(1, slow, compiled).wall_ratio > AIM
