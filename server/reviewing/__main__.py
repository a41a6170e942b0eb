"""`python -P -m server.reviewing`: reviews one record for the client that has started it.

It reads the record as a line of stdin and a request (`protocol.reviewing`), and ends with its
stdin, or when all is said. It opens no file and no socket; as many workers as there are processors
judge, and end with it.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from typing import Any, BinaryIO, Final

import msgspec

from protocol.ids import Seat
from protocol.pipes import payload, tell
from protocol.replaying import Unfit
from protocol.reviewing import Begun, Done, Review
from server.bots.worker import prepare
from server.games.registry import GAMES
from server.recording.check import BadRecord
from server.recording.records import MAX_LINE_BYTES, NotARecord, read
from server.replaying.reel import Reel
from server.reviewing.deciding import Decision, decisions, judged, races

_NICE: Final = 5
"""A match that is played meanwhile goes first."""


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
    wish = msgspec.msgpack.decode(payload(asked), type=Review)
    threading.Thread(target=_end_with, args=(asked,), daemon=True).start()
    os.nice(_NICE)
    _review(reel, wish, [seat["name"] for seat in record.seats], told)


def _review(reel: Reel, wish: Review, names: list[str], told: BinaryIO) -> None:
    rules = reel.game.rules
    outcome: Any = rules.outcome(reel.plies[-1].state)
    seats = sorted(map(Seat, range(len(names))), key=lambda seat: seat != wish.seat)
    raced = [one for seat in seats for one in races(reel, seat)]
    found = list[Decision]()
    if reel.game.judge is not None:
        found += [one for seat in seats for one in decisions(reel, seat)]
    plies = sorted([*(one.ply for one in raced), *(one.ply for one in found)])
    tell(told, Begun(rules.id, names, list(outcome.scores), list(outcome.winners), plies))
    known = {*wish.known}
    for one in [one for one in raced if (one.ply, one.seat) not in known]:
        tell(told, one)
    if found := [one for one in found if (one.ply, one.seat) not in known]:
        _judge(found, told)
    tell(told, Done())


def _judge(found: Sequence[Decision], told: BinaryIO) -> None:
    # spawn: as for bots, nothing of this process goes into a worker.
    context = multiprocessing.get_context("spawn")
    workers = max(1, min(os.cpu_count() or 1, len(found)))
    with ProcessPoolExecutor(workers, mp_context=context, initializer=prepare) as pool:
        for done in as_completed([pool.submit(judged, one) for one in found]):
            tell(told, done.result())


def _end_with(asked: BinaryIO) -> None:
    """The client has closed its end, or is gone: nobody waits for more. Workers notice."""
    while os.read(asked.fileno(), 1):  # not `asked.read`, whose lock would be held at the end
        pass
    os._exit(0)


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # the client is gone
        main()
