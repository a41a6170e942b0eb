"""What a server writes down of itself: no secrets, no addresses for long, few lines of a flood, and
nothing that is logged harms the one who logs."""

import json
import logging
import os
import re
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from logging.handlers import QueueHandler
from pathlib import Path

import pytest
import structlog

from server.logs import setup
from server.logs.marks import BURST, MOST_PLACES, WINDOW_S, Merging
from server.logs.setup import KEEP_DAYS, MOST_WAITING, LogLines, OwnFile
from tests.stage.own_log import logging_to, own_log

# Lines -------------------------------------------------------------------------------------------

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


def test_what_cannot_be_written_is_counted_and_told_when_it_works_again(tmp_path: Path) -> None:
    """A disk that is full for three lines."""
    disk, waiting = os.open("/dev/full", os.O_WRONLY), threading.Event()
    number = os.dup(disk)
    with logging_to(number), (tmp_path / "log").open("wb") as works:
        log = structlog.get_logger()
        for line in range(3):
            log.info("lost", number=line)
        log.info("as well", what=Shy())
        assert setup._Open.output is not None
        while setup._Open.output.front._lines._lost < 4:
            waiting.wait(0.001)
        os.dup2(works.fileno(), number)
        log.info("kept", odd="\ud800")
    for one in (disk, number):
        os.close(one)
    lost, kept = map(json.loads, (tmp_path / "log").read_text().splitlines())
    assert (lost["event"], lost["lines"], lost["level"]) == ("log lines lost", 4, "warning")
    assert kept["event"] == "kept"


def test_nobody_waits_for_a_reader_who_does_not_read() -> None:
    """A pipe holds 64 kB, and the log 2 000 lines: the rest is lost, and the reader is told."""
    ours, theirs = os.pipe()
    most, content = MOST_WAITING * 3, list[bytes]()
    with logging_to(theirs), os.fdopen(ours, "rb") as pipe:
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
    lines = LogLines(theirs)
    lines._torn = True
    lines.write("whole\n")
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
    assert not any(isinstance(one, QueueHandler) for one in logging.getLogger().handlers)


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


@contextmanager
def to_own_file(path: Path) -> Iterator[Callable[[str], None]]:
    file = OwnFile(path, LogLines())
    try:
        yield lambda line: file.emit(logging.makeLogRecord({"msg": line.rstrip()}))
    finally:
        file.close()


def line(days: float, words: str) -> str:
    at = (NOW - timedelta(days=days)).isoformat()
    return json.dumps({"event": words, "timestamp": at}) + "\n"


def in_folder(folder: Path) -> dict[str, list[str]]:
    """By file, which lines there are."""
    return {
        path.name: re.findall(r'"event": "(\w+)"', path.read_text()) for path in folder.iterdir()
    }


@pytest.mark.parametrize(
    ("older", "newer", "left"),
    [
        (13.9, 6.9, {"log": ["newer", "now"], "log.1": ["older"]}),
        (14.1, 6.9, {"log": ["newer", "now"]}),
        (13.9, 7.1, {"log": ["now"], "log.1": ["newer"]}),
    ],
)
def test_no_line_grows_older_than_two_weeks(
    tmp_path: Path, older: float, newer: float, left: dict[str, list[str]]
) -> None:
    path = tmp_path / "log"
    path.write_text(f"torn by a full dis\n{line(newer, 'newer')}")
    path.chmod(0o644)
    Path(f"{path}.1").write_text(line(older, "older"))
    with to_own_file(path) as writes:
        writes(line(0, "now"))
    assert in_folder(tmp_path) == left
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_it_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "MOST_BYTES", 2000)
    path = tmp_path / "log"
    with to_own_file(path) as writes:
        for number in range(100):
            writes(line(0, str(number)))
            assert sum(one.stat().st_size for one in tmp_path.iterdir()) <= 2000 + 100
    found = in_folder(tmp_path)
    kept = [*found["log.1"], *found["log"]]
    assert len(kept) > 10
    assert kept == [str(number) for number in range(100 - len(kept), 100)]


def test_a_file_that_cannot_be_set_aside_takes_more_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "MOST_BYTES", 200)
    path = tmp_path / "log"
    (tmp_path / "log.1").mkdir()
    path.write_text(line(KEEP_DAYS, "old"))
    with to_own_file(path) as writes:
        for number in range(10):
            writes(line(0, str(number)))
    assert len(path.read_text().splitlines()) == 11
