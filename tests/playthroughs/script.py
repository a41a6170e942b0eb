"""A whole match as text: every ply, every event with its address, every view.

A spectator's view is printed in full after each ply; of a seat's view whatever differs from it,
field by field. So nothing a seat is sent can go unprinted.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from server.games.contract import BEGINNING, Addressed
from server.games.registry import GAMES
from tests.playthroughs.words import Words, words_of


class Playthrough(NamedTuple):
    """What one file shows; bots of the level `easy` play, so that both plays and discards come."""

    game: str
    seats: int
    options: Any
    seed: int

    def lines(self) -> Iterator[str]:
        """The file's lines, without their ends."""
        rules, words = GAMES[self.game].rules, words_of(self.game)
        bot, rng = GAMES[self.game].bots["easy"], Random(self.seed)
        yield f"{self.game}, {self.seats} seats, seed {self.seed}, {words.options(self.options)}"
        state = rules.setup(self.options, self.seats, self.seed.to_bytes(32, "big"))
        events = rules.opening(state)
        sent: list[list[Any]] = [[] for _ in range(self.seats)]
        yield "\n== deal"
        ply = 0
        while True:
            for seat in range(self.seats):
                sent[seat] += [told.event for told in events if told.to in (None, seat)]
            yield from _told(events, words)
            yield from _views([rules.view(state, s) for s in (None, *range(self.seats))], words)
            if not (acting := rules.to_act(state)):
                break
            seat = acting[0]
            action = bot(rules.view(state, seat), sent[seat], rng)
            assert rules.refuse(state, seat, action) is None
            yield f"\n== ply {ply}: seat {seat} {words.action(action)}"
            events = rules.apply(state, seat, action, BEGINNING)
            ply += 1
        yield f"\n== over after {ply} plies: {words.outcome(rules.outcome(state))}"

    def text(self) -> str:
        return "\n".join(self.lines()) + "\n"


def _told(events: Sequence[Addressed[Any]], words: Words) -> Iterator[str]:
    for told in events:
        to = "everyone" if told.to is None else f"seat {told.to} alone"
        yield f"  to {to}: {words.event(told.event)}"


def _views(views: Sequence[Any], words: Words) -> Iterator[str]:
    spectator, *own = views
    fields = [name for name in spectator.__struct_fields__ if name != "seat"]
    for line in words.spectator(spectator):
        yield f"  | {line}"
    for view in own:
        parts = [
            f"{name} {words.field(name, getattr(view, name))}"
            for name in fields
            if getattr(view, name) != getattr(spectator, name)
        ]
        yield f"  {view.seat}| {'; '.join(parts)}".rstrip()
