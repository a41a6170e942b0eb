"""The process that reads and writes files of matches for this player: the rules are the server's.

Each function waits for it: call it in a thread where somebody looks at a screen.
"""

import subprocess
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO, BinaryIO, Final

import msgspec

from clocktowers_tui.net.piped import program
from protocol.recording import (
    READ,
    WRITE,
    Converted,
    Fault,
    Found,
    LastWord,
    Unfit,
    Written,
    payload,
)

PROGRAM: Final = program("server.recording")
_read: Final = msgspec.msgpack.Decoder(Converted).decode


class NotConverted(Exception):
    """The process failed."""


def matches_in(file: BinaryIO) -> Generator[Found | Fault, None, None]:
    """Every match of a file of records or of notation, checked. The file is open, and nothing has
    been read of it yet. Raises NotConverted."""
    with _said(READ, file) as answers:
        for answer in answers:
            if isinstance(answer, Found | Fault):
                yield answer


def as_notation(records: Iterable[bytes]) -> Iterator[str | Unfit]:
    """Each of these lines as notation, or what is wrong with it. Raises NotConverted."""
    with TemporaryFile() as file:
        file.writelines(line + b"\n" for line in records)
        file.seek(0)
        with _said(WRITE, file) as answers:
            for answer in answers:
                if isinstance(answer, Unfit):
                    yield answer
                elif isinstance(answer, Written):
                    yield answer.text


@contextmanager
def _said(does: str, file: BinaryIO) -> Iterator[Iterator[Converted]]:
    """What the process says of this file; afterwards there is no process."""
    try:
        process = subprocess.Popen(
            [*PROGRAM, does], stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        raise NotConverted from None
    assert process.stdout is not None
    try:
        yield _answers(process.stdout)
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def _answers(output: IO[bytes]) -> Iterator[Converted]:
    try:
        while said := payload(output):
            answer: Converted = _read(said)
            if isinstance(answer, LastWord):
                return
            yield answer
    except (OSError, msgspec.DecodeError, ValueError):
        pass
    raise NotConverted
