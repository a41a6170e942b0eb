"""Files of matches, as records or as notation: each match in turn, checked.

Laws: whatever a file holds, every match gets its verdict and nothing is raised but what the file
itself raises; no more than one match is held at a time.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import BinaryIO, Final, TypeAlias

from server.games.registry import GAMES
from server.recording import records
from server.recording.check import BadRecord, check
from server.recording.notation import (
    COMMENT,
    MatchFault,
    NotationReader,
    Noted,
    Unreadable,
    text_of,
)
from server.recording.records import MAX_LINE_BYTES, NotARecord

NOTATION: Final = b"[Notation"
"""What the first line of a match in notation begins with."""
_MOST_COMMENTS: Final = 1000
"""Lines before the first match, which say nothing of what the file is."""
_MOST_STRANGE: Final = 1000
"""Lines that are no record, after which the file is none of records."""

Verdict: TypeAlias = Noted | MatchFault
"""A match that is right, or what is wrong with it."""


def checked(file: BinaryIO) -> Iterator[Verdict]:
    """One for each match, or more for one in notation with several wrong lines. Raises OSError."""
    lines = enumerate(_lines(file), 1)
    before = []
    for number, line in lines:
        before.append((number, line))
        if not _says_nothing(line) or number == _MOST_COMMENTS:
            break
    noted = before and text_of(before[-1][1]).startswith(NOTATION.decode())
    yield from (_in_notation if noted else _in_records)(chain(before, lines))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines without their ends. A line that is too long is cut just past the limit."""
    while line := file.readline(MAX_LINE_BYTES + 2):
        rest = line
        while not rest.endswith(b"\n") and (rest := file.readline(MAX_LINE_BYTES)):
            pass
        yield line.removesuffix(b"\n")


def _says_nothing(line: bytes) -> bool:
    text = text_of(line)
    return not text or text.startswith(COMMENT)


def _in_records(lines: Iterable[tuple[int, bytes]]) -> Iterator[Verdict]:
    """A record a line. A file of which no line is a record, such as a picture, is told once, not
    line by line."""
    verdicts, strange = (_of_line(*line) for line in lines), list[MatchFault]()
    for verdict in islice(verdicts, _MOST_STRANGE):
        if isinstance(verdict, Noted) or not verdict.unread:
            yield from chain(strange, (verdict,), verdicts)
            return
        strange.append(verdict)
    if len(strange) > 1:
        first = strange[0]
        strange = [first._replace(why=f"this is no file of matches: {first.why}")]
    yield from strange


def _of_line(number: int, line: bytes) -> Verdict:
    try:
        return _verdict(Noted(number, records.read(line, GAMES)))
    except NotARecord as error:
        return MatchFault(number, "setup", str(error))


def _in_notation(lines: Iterable[tuple[int, bytes]]) -> Iterator[Verdict]:
    """Each match begins with its tag Notation; blank lines and comments may stand before it."""
    match = NotationReader(GAMES)
    for number, line in lines:
        if line.startswith(NOTATION) and match.begun:
            yield from _finished(match)
            match = NotationReader(GAMES)
        if match.begun or not _says_nothing(line):
            match.take(number, line)
    if match.begun:
        yield from _finished(match)


def _finished(match: NotationReader) -> Iterator[Verdict]:
    try:
        yield _verdict(match.finish())
    except Unreadable as error:
        yield from error.faults


def _verdict(noted: Noted) -> Verdict:
    try:
        check(noted.record)
    except BadRecord as error:
        ply, line, place = error.place.removeprefix("ply "), noted.line, error.place
        if noted.plies and ply.isdigit():
            line, place = noted.plies[int(ply)], f"ply {int(ply) + 1}"
        return MatchFault(line, place, error.why, unread=False)
    except Exception as error:
        # A bug of ours, but a user who checks a thousand records must hear about the other 999.
        why = f"the verifier failed here, please report it: {error!r}"
        return MatchFault(noted.line, "setup", why, unread=False)
    return noted
