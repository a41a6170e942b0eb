"""The client is about as quick to start as an empty Textual app; what is slow is found out."""

from pathlib import Path

import pytest

from bench.startup import CLIENT, HELD, Program, measure

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


def test_the_client_starts_about_as_quickly_as_an_empty_app(compiled: Path) -> None:
    """Other work on the machine stretches one start and not the next: one good run says enough."""
    assert any(measure(3, compiled=compiled).wall_ratio <= HELD for _ in range(7))


def test_a_slow_start_is_found_out(compiled: Path) -> None:
    slow = Program(("-c", _SLOW), CLIENT.words)
    assert measure(1, slow, compiled).wall_ratio > HELD
