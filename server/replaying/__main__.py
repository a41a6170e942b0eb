"""`python -P -m server.replaying`: replays one record for the client that has started it.

It reads the record as a line of stdin, then requests (`protocol.replaying`), and ends with its
stdin. It opens no file and no socket.
"""

import signal
import sys
from contextlib import suppress
from typing import Any, assert_never

import msgspec

from protocol.pipes import payload, tell
from protocol.replaying import Answered, Asked, Hear, Heard, Opened, Show, Shown, Unfit
from server.games.registry import GAMES
from server.recording.check import BadRecord
from server.recording.records import MAX_LINE_BYTES, NotARecord, Record, read
from server.replaying.reel import Reel


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl+C is for the client
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    line = asked.readline(MAX_LINE_BYTES + 2).removesuffix(b"\n")
    try:
        record = read(line, GAMES)
        reel = Reel(record)
    except (NotARecord, BadRecord) as error:
        tell(told, Unfit(str(error)))
        return
    tell(told, _opened(record, reel))
    read_asked = msgspec.msgpack.Decoder(Asked).decode
    while said := payload(asked):
        wish: Any = read_asked(said)
        tell(told, _answer(reel, wish))


def _opened(record: Record, reel: Reel) -> Opened:
    outcome = record.game.rules.outcome(reel.plies[-1].state)
    seats = [-1 if ply.seat is None else ply.seat for ply in reel.plies[1:]]
    names = [seat["name"] for seat in record.seats]
    return Opened(record.game.rules.id, names, seats, outcome, reel.opens)


def _answer(reel: Reel, wish: Asked) -> Answered:
    match wish:
        case Show(ply=ply, eyes=eyes):
            return Shown(ply, reel.plies[ply].at_ms, reel.view(ply, eyes))
        case Hear(eyes=eyes):
            return Heard(reel.heard(eyes))
        case _:
            assert_never(wish)


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # the client is gone
        main()
