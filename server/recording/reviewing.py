"""Reviews a record: lists the decisions of its match, and has worker processes judge each.

As many workers as there are processors judge, and end with this process.

Law: a judgement is made of what the seat was sent by then, of what it did and of the ply's number,
and of nothing else.
"""

import multiprocessing
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from random import Random
from typing import Any, BinaryIO, Final, NamedTuple

import msgspec

from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import Seat
from protocol.recording import Begun, Judged, LastWord, Raced, Review, Weighed, payload, tell
from server.bots.brains import prepare
from server.games.registry import GAMES
from server.recording.reel import Reel

_NICE: Final = 5
"""A match that is played meanwhile goes first."""


class Decision(NamedTuple):
    """What a worker judges; in msgpack where it is of the game. `events`: all that the seat was
    told before. `by_bot`: as in `Judged`."""

    game: str
    seat: int
    ply: int
    view: bytes
    events: bytes
    action: bytes
    by_bot: bool


def decisions(reel: Reel, seat: Seat) -> Iterator[Decision]:
    """Every ply at which the seat had a choice, in order."""
    rules = reel.game.rules
    told, heard = list[Any](), reel.heard(seat)
    for number, ply in enumerate(reel.plies):
        if number and ply.seat == seat:
            before = reel.plies[number - 1].state
            if len(rules.legal_actions(before, seat)) > 1:
                parts = (rules.view(before, seat), told, ply.action)
                view, events, action = map(msgspec.msgpack.encode, parts)
                yield Decision(rules.id, seat, number, view, events, action, ply.by_bot)
        told += heard[number]


def races(reel: Reel, seat: Seat) -> Iterator[Raced]:
    """Every card with which the seat could shoot, in order; none of a game in turns. A card is a
    bot's whose time ended after a bot's action and before one of the person."""
    if reel.game.chances is not None:
        for chance in reel.game.chances(reel.plies, seat):
            newest = next(
                (ply for ply in reel.plies[chance.number :: -1] if ply.seat == seat), None
            )
            by_bot = newest is not None and newest.by_bot
            yield Raced(chance.number, seat, *chance[1:], by_bot=by_bot)


def judged(one: Decision, seed: int = 0) -> Judged:
    """For a worker process. Another `seed` gives other random numbers: what is found should be the
    same (`bench.review`)."""
    words, judge = VOCABULARIES[one.game], GAMES[one.game].judge
    assert judge is not None
    view = msgspec.msgpack.decode(one.view, type=words.view)
    events = msgspec.msgpack.decode(one.events, type=list[words.event])  # type: ignore[name-defined]
    action = msgspec.msgpack.decode(one.action, type=words.action)
    found = judge(view, events, action, Random(f"review {one.seat} {one.ply} {seed or ''}"))
    played, better = Weighed(*found.played), Weighed(*found.better)
    return Judged(
        one.ply,
        one.seat,
        view,
        action,
        found.best,
        played,
        better,
        found.lost,
        found.error,
        found.in_points,
        one.by_bot,
    )


def review(reel: Reel, asked: BinaryIO, told: BinaryIO) -> None:
    """Tell the client all findings that it does not know, and end when it closes its end."""
    wish = msgspec.msgpack.decode(payload(asked), type=Review)
    threading.Thread(target=_end_with, args=(asked,), daemon=True).start()
    os.nice(_NICE)
    rules, names = reel.game.rules, reel.names
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
