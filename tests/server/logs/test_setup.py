"""What logs never hold, and that nothing that is logged harms the one who logs."""

import io
import json
import logging
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from server.logs import setup
from server.logs.output import MOST_WAITING, Descriptor
from tests.stage.own_log import Memory, logging_to, own_log

SECRET = "the-hidden-seed"


def hold_a_secret() -> None:
    secret = "-".join(("the", "hidden", "seed"))
    raise ValueError(f"a word of {len(secret)}")


def log_what_goes_wrong() -> None:
    try:
        hold_a_secret()
    except ValueError:
        structlog.get_logger().exception("match aborted", match="m1")


@pytest.fixture
def logs_as_before() -> Iterator[None]:
    before = structlog.get_config()
    yield
    structlog.configure(**before)


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


@pytest.mark.parametrize(
    "processors",
    [
        [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer()],
        [
            structlog.dev.ConsoleRenderer(
                exception_formatter=structlog.dev.RichTracebackFormatter(show_locals=True)
            )
        ],
    ],
)
def test_structlogs_own_way_would_tell_it(
    logs_as_before: None, processors: list[structlog.typing.Processor]
) -> None:
    out = io.StringIO()
    structlog.configure(processors=processors, logger_factory=structlog.WriteLoggerFactory(out))
    log_what_goes_wrong()
    assert SECRET in out.getvalue()


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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no such device")
def test_structlogs_own_way_would_raise(logs_as_before: None) -> None:
    with Path("/dev/full").open("w") as full:
        structlog.configure(
            processors=[structlog.processors.JSONRenderer()],
            wrapper_class=structlog.BoundLogger,
            logger_factory=structlog.WriteLoggerFactory(full),
        )
        with pytest.raises(OSError):
            structlog.get_logger().info("match over")
        with pytest.raises(RuntimeError):
            structlog.get_logger().info("match over", what=Shy())
        os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())


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


def test_the_level_can_change() -> None:
    with own_log() as log:
        structlog.get_logger().debug("one")
        assert not setup.wants_debug()
        setup.set_level("debug")
        structlog.get_logger().debug("two")
        assert setup.wants_debug()
        told = log.told()
    assert "two" in told and "one" not in told
