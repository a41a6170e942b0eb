"""A flood from one place is a few lines and a number; everything else stands there."""

import pytest
import structlog

from server.logs.merging import BURST, MOST_PLACES, WINDOW_S, Merging


class Log:
    def __init__(self) -> None:
        self.now_s = 0.0
        self.told: list[tuple[str, int]] = []
        self.merging = Merging(
            lambda _event, **what: self.told.append((what["block"], what["lines"])),
            lambda: self.now_s,
        )

    def passes(self, method: str = "info", event: str = "came", **values: str) -> bool:
        try:
            self.merging(None, method, {"event": event, **values})
        except structlog.DropEvent:
            return False
        return True


def test_a_flood_is_a_few_lines_and_a_number() -> None:
    log = Log()
    passed = [log.passes(address=f"192.0.2.{n % 250}") for n in range(1000)]
    assert sum(passed) == BURST
    assert all(passed[:BURST])
    assert log.passes(address="198.51.100.1"), "another place"
    assert log.passes(event="gone", address="192.0.2.1"), "other words"
    assert all(log.passes("error", address="192.0.2.1") for _ in range(100))
    assert all(log.passes(event="match over") for _ in range(100))
    assert log.told == []
    log.now_s += WINDOW_S
    assert log.passes(address="192.0.2.1")
    assert log.told == [("192.0.2.0/24", 1000 - BURST)]


def test_a_flood_from_everywhere_is_bounded() -> None:
    log = Log()
    passed = sum(log.passes(address=f"2001:db8:{n:x}::1") for n in range(3 * MOST_PLACES))
    assert passed == MOST_PLACES + BURST
    log.merging.finish()
    assert log.told == [("elsewhere", 2 * MOST_PLACES - BURST)]


@pytest.mark.parametrize("method", ["debug", "warning"])
def test_who_asks_for_everything_gets_it(method: str) -> None:
    log = Log()
    assert all(log.passes(method, address="192.0.2.1") for _ in range(100))
