"""What a server writes down of itself: no secrets, no addresses for long, few lines of a flood, and
nothing that is logged harms the one who logs."""

import json
import logging
import os
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import structlog

from server.logs import own_file, setup
from server.logs.merging import BURST, MOST_PLACES, WINDOW_S, Merging
from server.logs.output import MOST_WAITING, Descriptor
from server.logs.own_file import KEEP_WHOLE_DAYS, OwnFile
from tests.stage.own_log import Memory, logging_to, own_log

# Lines --------------------------------------------------------------------------------------------

SECRET = "the-hidden-seed"


def hold_a_secret() -> None:
    secret = "-".join(("the", "hidden", "seed"))
    raise ValueError(f"a word of {len(secret)}")


def log_what_goes_wrong() -> None:
    try:
        hold_a_secret()
    except ValueError:
        structlog.get_logger().exception("match aborted", match="m1")


@pytest.mark.parametrize("colours", [False, True])
def test_a_traceback_tells_where_but_no_values(colours: bool) -> None:
    with own_log(colours=colours) as log:
        log_what_goes_wrong()
        told = log.told()
    assert "match aborted" in told
    assert "hold_a_secret" in told
    assert "a word of 15" in told
    assert SECRET not in told
    assert ("\x1b" in told) is colours


class Shy:
    """A value that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


class Full(Memory):
    """A disk that is full for three lines."""

    refusals = 3

    def write(self, line: bytes) -> None:
        if self.refusals:
            self.refusals -= 1
            raise OSError("No space left on device")
        super().write(line)


def test_what_cannot_be_written_is_counted_and_told_when_it_works_again() -> None:
    with logging_to(disk := Full()):
        log = structlog.get_logger()
        for number in range(3):
            log.info("lost", number=number)
        log.info("as well", what=Shy())
        log.info("kept", odd="\ud800")
        lost, kept = (json.loads(line) for line in disk.told().splitlines())
    assert (lost["event"], lost["lines"], lost["level"]) == ("log lines lost", 4, "warning")
    assert kept["event"] == "kept"


def test_nobody_waits_for_a_reader_who_does_not_read() -> None:
    """A pipe holds 64 kB, and the log 2 000 lines: the rest is lost, and the reader is told."""
    ours, theirs = os.pipe()
    most, content = MOST_WAITING * 3, list[bytes]()
    with logging_to(Descriptor(theirs)), os.fdopen(ours, "rb") as pipe:
        for number in range(most):
            structlog.get_logger().warning("a line", number=number, filling="x" * 100)
        reader = threading.Thread(target=lambda: content.append(pipe.read()))
        reader.start()
        setup.close()
        os.close(theirs)
        reader.join()
    lines = [json.loads(line) for line in content[0].splitlines()]
    lost = [line["lines"] for line in lines if line["event"] == "log lines lost"]
    assert lost
    assert len(lines) - len(lost) + sum(lost) == most


def test_a_line_that_broke_off_spoils_no_other() -> None:
    """As on a disk that fills up in the middle of it."""
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    sink = Descriptor(theirs)
    sink._torn = True
    sink.write(b"whole\n")
    assert os.read(ours, 100) == b"\nwhole\n"
    for end in (ours, theirs):
        os.close(end)


def test_what_a_library_logs_has_our_form() -> None:
    library = logging.getLogger("psycopg")
    with own_log() as log:
        library.warning("error ignored terminating %r", "a pipeline")
        library.info("nothing")
        said = [json.loads(line) for line in log.told().splitlines()]
    assert [(one["library"], one["why"], one["level"]) for one in said] == [
        ("psycopg", "error ignored terminating 'a pipeline'", "warning")
    ]
    assert setup._LIBRARIES not in logging.getLogger().handlers


# Floods -------------------------------------------------------------------------------------------


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


# The file that is ours ----------------------------------------------------------------------------

NOW = datetime.now(UTC)


def line(days: float, address: str) -> bytes:
    at = (NOW - timedelta(days=days)).isoformat()
    return json.dumps({"event": "came", "timestamp": at, "address": address}).encode() + b"\n"


def addresses(path: Path) -> list[str]:
    return [json.loads(one)["address"] for one in path.read_bytes().splitlines()]


def test_an_old_address_is_cut_to_its_block(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    old, young = KEEP_WHOLE_DAYS + 0.1, KEEP_WHOLE_DAYS - 0.1
    path.write_bytes(
        line(old, "192.0.2.77")
        + line(old, "2001:db8:1:2::3")
        + line(old, "::ffff:192.0.2.77")
        + line(old, "")
        + b"torn by a full dis\n"
        + line(young, "192.0.2.77")
    )
    path.chmod(0o644)
    file = OwnFile(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    cut = ["192.0.2.0/24", "2001:db8:1::/48", "192.0.2.0/24", "", "192.0.2.77"]
    assert addresses(path) == cut
    file.write(line(0, "198.51.100.9"))
    assert addresses(path) == [*cut, "198.51.100.9"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["server.log"]


def test_it_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_file, "MOST_BYTES", 2000)
    path = tmp_path / "server.log"
    file = OwnFile(path)
    for number in range(100):
        file.write(line(0, f"192.0.2.{number}"))
        assert path.stat().st_size <= 2000 + 100
    kept = addresses(path)
    assert kept == [f"192.0.2.{number}" for number in range(100 - len(kept), 100)]
