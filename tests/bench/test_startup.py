"""The client is about as quick to start as an empty Textual app; what is slow is found out."""

from bench.startup import AIM, CLIENT, Program, measure

_SLOW = """
import time
until = time.process_time() + 1
while time.process_time() < until:
    pass
from clocktowers_tui.__main__ import main
main([])
"""


def test_the_client_starts_about_as_quickly_as_an_empty_app() -> None:
    """Other work on the machine stretches one start and not the next: one good run says enough."""
    assert any(measure(5).wall_ratio <= AIM for _ in range(5))


def test_a_slow_start_is_found_out() -> None:
    slow = Program(("-c", _SLOW), CLIENT.words)
    assert measure(1, slow).wall_ratio > AIM
