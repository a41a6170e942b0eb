"""Reviews a record: has worker processes judge each decision of its match.

There are as many workers as processors, and they end with this process.
"""

import multiprocessing
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, BinaryIO, Final

import msgspec

from protocol.ids import Seat
from protocol.recording import Begun, Finding, LastWord, Review, payload, tell
from server.bots.brains import prepare
from server.recording.reel import Decision, Reel, decisions, judged, known, races

_NICE: Final = 5
"""A match that is played meanwhile goes first."""


def review(reel: Reel, asked: BinaryIO, told: BinaryIO) -> None:
    """Tell the client all findings that it does not know, and end when it closes its end."""
    wish = msgspec.msgpack.decode(payload(asked), type=Review)
    threading.Thread(target=_end_with, args=(asked,), daemon=True).start()
    os.nice(_NICE)
    rules, names = reel.game.rules, reel.names
    last = reel.plies[-1].state
    outcome: Any = rules.outcome(last)
    seats = sorted(map(Seat, range(len(names))), key=lambda seat: seat != wish.seat)
    raced = [one for seat in seats for one in races(reel, seat)]
    found = [one for seat in seats for one in decisions(reel, seat)]
    both = sorted((one.ply, one.seat) for some in (raced, found) for one in some)
    plies, by = [ply for ply, _seat in both], [seat for _ply, seat in both]
    scores, winners = list(outcome.scores), list(outcome.winners)
    view = rules.view(last, None)
    tell(told, Begun(rules.id, names, scores, winners, plies, view, outcome, by))
    had = {*wish.known}
    there = [said for one in found if (said := known(reel, one)) is not None]
    at_once: list[Finding] = [*raced, *there]
    for each in [each for each in at_once if (each.ply, each.seat) not in had]:
        tell(told, each)
    had |= {(each.ply, each.seat) for each in there}
    if found := [one for one in found if (one.ply, one.seat) not in had]:
        _judge(found, told)
    tell(told, LastWord())


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
