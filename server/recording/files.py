"""Files of matches, as records or as notation: each match in turn, checked.

Laws: whatever a file holds, every match gets its verdict and nothing is raised but what the file
itself raises; no more than one match is held at a time.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from server.games.registry import GAMES
from server.recording import notation_reading, records
from server.recording.check import BadRecord, check
from server.recording.notation_reading import MOST_FAULTS, Noted, Unreadable
from server.recording.notation_writing import COMMENT
from server.recording.records import MAX_LINE_BYTES, NotARecord, Record

NOTATION: Final = b"[Notation"
"""What the first line of a match in notation begins with."""
MAX_NOTATION_LINE_BYTES: Final = 1 << 16
"""A deal, the longest that a line says, has 4 kB."""
_MOST_COMMENTS: Final = 1000
"""Lines before the first match, which say nothing of what the file is."""
_MOST_STRANGE: Final = 1000
"""Lines that are no record, after which the file is none of records."""
_BOM: Final = "\ufeff"


class Right(NamedTuple):
    """`line`: where the match begins. `record`: checked."""

    line: int
    record: Record


class Wrong(NamedTuple):
    """`place`: `setup`, `ply K` or `outcome`. `unread`: what stands there is no record at all."""

    line: int
    place: str
    why: str
    unread: bool


Verdict: TypeAlias = Right | Wrong


def checked(file: BinaryIO) -> Iterator[Verdict]:
    """One for each match, or more for one in notation with several wrong lines. Raises OSError."""
    lines = enumerate(_lines(file), 1)
    before = []
    for number, line in lines:
        before.append((number, line))
        if not _says_nothing(line) or number == _MOST_COMMENTS:
            break
    again = chain(before, lines)
    if before and _text(before[-1][1]).startswith(NOTATION.decode()):
        yield from _in_notation(again)
    else:
        yield from _in_records(again)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines without their ends. A line that is too long is cut just past the limit."""
    while line := file.readline(MAX_LINE_BYTES + 2):
        rest = line
        while not rest.endswith(b"\n") and (rest := file.readline(MAX_LINE_BYTES)):
            pass
        yield line.removesuffix(b"\n")


# A record a line ---------------------------------------------------------------------------------


def _in_records(lines: Iterable[tuple[int, bytes]]) -> Iterator[Verdict]:
    """A file of which no line is a record, such as a picture, is told once, not line by line."""
    held: list[Verdict] = []
    verdicts = (_of_line(number, line) for number, line in lines)
    for verdict in verdicts:
        held.append(verdict)
        if isinstance(verdict, Right) or not verdict.unread:
            yield from held
            yield from verdicts
            return
        if len(held) == _MOST_STRANGE:
            break
    first = next(iter(held), None)
    if isinstance(first, Wrong) and len(held) > 1:
        yield first._replace(why=f"this is no file of matches: {first.why}")
    else:
        yield from held


def _of_line(number: int, line: bytes) -> Verdict:
    try:
        record = records.read(line, GAMES)
    except NotARecord as error:
        return Wrong(number, "setup", str(error), unread=True)
    return _verdict(number, Noted(record, ()))


def _verdict(number: int, noted: Noted) -> Verdict:
    try:
        check(noted.record)
    except BadRecord as error:
        ply, line, place = error.place.removeprefix("ply "), number, error.place
        if noted.plies and ply.isdigit():
            line, place = noted.plies[int(ply)], f"ply {int(ply) + 1}"
        return Wrong(line, place, error.why, unread=False)
    except Exception as error:
        # A bug of ours, but a user who checks a thousand records must hear about the other 999.
        why = f"the verifier failed here, please report it: {error!r}"
        return Wrong(number, "setup", why, unread=False)
    return Right(number, noted.record)


# Notation ----------------------------------------------------------------------------------------


def _in_notation(lines: Iterable[tuple[int, bytes]]) -> Iterator[Verdict]:
    """Each match begins with its tag Notation; blank lines and comments may stand before it."""
    match = _Match()
    for number, line in lines:
        if line.startswith(NOTATION) and match.begun:
            yield from match.verdicts()
            match = _Match()
        if match.begun or not _says_nothing(line):
            match.take(number, line)
    if match.begun:
        yield from match.verdicts()


def _says_nothing(line: bytes) -> bool:
    text = _text(line[:MAX_NOTATION_LINE_BYTES])
    return not text or text.startswith(COMMENT)


def _text(line: bytes) -> str:
    """Editors of some systems put a mark before the first line."""
    return line.decode("utf-8", "replace").removeprefix(_BOM).strip()


class _Match:
    """The lines of a match. Those that cannot be read are told, and are not there any more."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, str]] = []
        self._faults: list[Wrong] = []
        self._bytes = 0

    @property
    def begun(self) -> bool:
        return bool(self.lines or self._faults)

    def take(self, number: int, line: bytes) -> None:
        if len(line) > MAX_NOTATION_LINE_BYTES:
            self._fault(number, f"the line must not be longer than {MAX_NOTATION_LINE_BYTES} bytes")
            line = b""
        self._bytes += len(line)
        if self._bytes > MAX_LINE_BYTES:
            self._fault(number, f"the match must not be longer than {MAX_LINE_BYTES} bytes")
            return
        try:
            self.lines.append((number, line.decode("utf-8").removeprefix(_BOM)))
        except UnicodeDecodeError as error:
            self._fault(number, f"the line must be UTF-8, and byte {error.start} is not")

    def _fault(self, number: int, why: str) -> None:
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(Wrong(number, "setup", why, unread=True))

    def verdicts(self) -> Iterator[Verdict]:
        try:
            noted = notation_reading.read(self.lines or [(1, "")], GAMES)
        except Unreadable as error:
            faults = [Wrong(*fault, unread=True) for fault in error.faults]
            yield from sorted([*self._faults, *faults])
            return
        if self._faults:
            yield from self._faults
        else:
            yield _verdict(self.lines[0][0], noted)
