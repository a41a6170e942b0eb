"""The decisions of a match, and what judges one of them in a worker process.

Law: a judgement is made of what the seat was sent by then, of what it did and of the ply's number,
and of nothing else.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec

from protocol.games.registry import GAMES as VOCABULARIES
from protocol.ids import Seat
from protocol.reviewing import Judged, Raced, Weighed
from server.games.registry import GAMES
from server.replaying.reel import Reel


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


def judged(one: Decision) -> Judged:
    """For a worker process."""
    words, judge = VOCABULARIES[one.game], GAMES[one.game].judge
    assert judge is not None
    view = msgspec.msgpack.decode(one.view, type=words.view)
    events = msgspec.msgpack.decode(one.events, type=list[words.event])  # type: ignore[name-defined]
    action = msgspec.msgpack.decode(one.action, type=words.action)
    found = judge(view, events, action, Random(f"review {one.seat} {one.ply}"))
    played, better = Weighed(*found.played), Weighed(*found.better)
    best, lost = found.best, found.lost
    return Judged(one.ply, one.seat, view, action, best, played, better, lost, one.by_bot)
