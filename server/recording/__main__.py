"""`python -P -m server.recording read|write|replay|review`: works on a player's own matches for the
client that has started it (`protocol.recording`).

`read` and `write` convert files of matches; `replay` and `review` take one record as a line of
stdin, then requests. It opens no file and no socket, and ends with its stdin.
"""

import hashlib
import re
import signal
import sys
from contextlib import suppress
from typing import BinaryIO, Final

from protocol.recording import (
    READ,
    REPLAY,
    REVIEW,
    Fault,
    Found,
    FromRecording,
    LastWord,
    Unfit,
    Written,
    tell,
)
from protocol.signing import SIGNED, signed_part
from server.games.registry import GAMES
from server.recording.check import BadRecord
from server.recording.files import Verdict, checked
from server.recording.notation import MatchFault, write
from server.recording.records import MAX_LINE_BYTES, NotARecord, Record, line, read
from server.recording.reel import Reel, replay

_ID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
_ID_DIGITS: Final = 16


def main(does: str) -> None:
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    if does in (REPLAY, REVIEW):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl+C is for the client
        _serve(does, asked, told)
        return
    if does == READ:
        for verdict in checked(asked):
            tell(told, _found(verdict))
    else:
        while written := asked.readline():
            tell(told, _notation(written.removesuffix(b"\n")))
    tell(told, LastWord())


def _serve(does: str, asked: BinaryIO, told: BinaryIO) -> None:
    try:
        reel = Reel(read(asked.readline(MAX_LINE_BYTES + 2).removesuffix(b"\n"), GAMES))
    except (NotARecord, BadRecord) as error:
        tell(told, Unfit(str(error)))
        return
    if does == REPLAY:
        replay(reel, asked, told)
    else:
        from server.recording.reviewing import review  # its pool takes a while to load

        review(reel, asked, told)


def _found(verdict: Verdict) -> FromRecording:
    if isinstance(verdict, MatchFault):
        return Fault(verdict.line, verdict.place, verdict.why)
    return Found(_with_id(verdict.record))


def _with_id(record: Record) -> bytes:
    """The record's line. A match without an id gets the same one whenever it is read, and loses the
    signature that it has without it."""
    fields = record.fields
    match = fields.get("id")
    if not isinstance(match, str) or not _ID.fullmatch(match):
        played = {name: value for name, value in signed_part(fields).items() if name != "id"}
        match = hashlib.sha256(line(played)).hexdigest()[:_ID_DIGITS]
        fields = {name: value for name, value in fields.items() if name != SIGNED} | {"id": match}
    return line(fields).removesuffix(b"\n")


def _notation(written: bytes) -> FromRecording:
    try:
        return Written(write(read(written, GAMES)))
    except (NotARecord, BadRecord) as error:
        return Unfit(str(error))


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):  # the client is gone, or both shall end
        main(sys.argv[1])
