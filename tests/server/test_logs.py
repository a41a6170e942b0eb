"""What logs never hold: the values that were in reach when something went wrong."""

import errno
import io
from collections.abc import Iterator

import pytest
import structlog

from server.logs import to_stream

SECRET = "the-hidden-seed"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def hold_a_secret() -> None:
    secret = "-".join(("the", "hidden", "seed"))
    raise ValueError(f"a word of {len(secret)}")


def log_what_goes_wrong() -> None:
    try:
        hold_a_secret()
    except ValueError:
        structlog.get_logger().exception("match aborted", match="m1")


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_a_traceback_tells_where_but_no_values(stream: type[io.StringIO]) -> None:
    out = stream()
    to_stream(out, "info")
    log_what_goes_wrong()
    assert "match aborted" in out.getvalue()
    assert "hold_a_secret" in out.getvalue()
    assert "a word of 15" in out.getvalue()
    assert SECRET not in out.getvalue()


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
def test_structlogs_own_way_would_tell_it(processors: list[structlog.typing.Processor]) -> None:
    out = io.StringIO()
    structlog.configure(processors=processors, logger_factory=structlog.WriteLoggerFactory(out))
    log_what_goes_wrong()
    assert SECRET in out.getvalue()


class Gone(io.StringIO):
    """A closed pipe, or a full disk."""

    def write(self, text: str, /) -> int:
        raise BrokenPipeError

    def flush(self) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_log_that_cannot_be_written_harms_nobody() -> None:
    """Log calls stand in a match's own code: an error there would end the match."""
    to_stream(Gone(), "info")
    log_what_goes_wrong()
    to_stream(out := io.StringIO(), "info")
    log_what_goes_wrong()
    assert "match aborted" in out.getvalue()
