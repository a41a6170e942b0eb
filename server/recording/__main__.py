"""`python -P -m server.recording WORD`: works on a player's own matches for the client that has
started it (`protocol.recording`).

`read` and `write` convert files of matches; the others take one record as a line of stdin, or say
how a match begins, then requests. It opens no file and no socket, and ends with its stdin.
"""

import hashlib
import re
import signal
import sys
from contextlib import suppress
from secrets import token_bytes
from typing import BinaryIO, Final

import msgspec

from protocol.recording import (
    BEGIN,
    MOVE,
    READ,
    REPLAY,
    REVIEW,
    Fault,
    Found,
    FromRecording,
    LastWord,
    NewByMail,
    Unfit,
    Written,
    tell,
)
from protocol.signing import SIGNED, signed_part
from server.games.registry import GAMES
from server.recording.check import BadRecord
from server.recording.files import Verdict, checked
from server.recording.notation import MatchFault, write
from server.recording.records import (
    MAX_LINE_BYTES,
    NotARecord,
    Occupant,
    Record,
    Recording,
    line,
    read,
)
from server.recording.reel import Reel, replay

_ID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
_ID_DIGITS: Final = 16


def main(does: str) -> None:
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    if does in (REPLAY, MOVE, BEGIN, REVIEW):
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
        written = asked.readline(MAX_LINE_BYTES + 2).removesuffix(b"\n")
        record = read(_begun(written) if does == BEGIN else written, GAMES)
        reel = Reel(record, by_mail=does in (MOVE, BEGIN))
    except (NotARecord, BadRecord) as error:
        tell(told, Unfit(str(error)))
        return
    if does == REVIEW:
        from server.recording.reviewing import review  # its pool takes a while to load

        review(reel, asked, told)
    else:
        replay(reel, asked, told)


def _begun(asked: bytes) -> bytes:
    """The line of a match that goes by mail, before its first ply. `asked`: a `NewByMail`."""
    wish = msgspec.json.decode(asked, type=NewByMail)
    game, seed, sat = GAMES[wish.game], token_bytes(), [Occupant(*seat) for seat in wish.seats]
    options = msgspec.convert(wish.options, game.rules.words.options)
    dealt = game.rules.setup(options, len(sat), seed)
    return line(Recording(game, options, sat, dealt, seed).finish(None, began=wish.began))


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
