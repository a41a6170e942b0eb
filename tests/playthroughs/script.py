"""A whole match as text: every ply, every event with its address, every view; and in a race what
the clock does, each at its time.

A spectator's view is printed in full after each ply; of a seat's view whatever differs from it,
field by field. So nothing a seat is sent can go unprinted.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from typing import Any, NamedTuple

from server.games.contract import BEGINNING, Addressed, Json, Moment
from server.games.registry import GAMES
from server.recording.bot_races import Race
from server.recording.records import Occupant, Recording
from tests.playthroughs.words import Words, words_of


class Step(NamedTuple):
    """What has just happened; `is_ply`: by somebody's action."""

    title: str
    events: Sequence[Addressed[Any]]
    is_ply: bool = False


class Playthrough(NamedTuple):
    """What one file shows; bots of the level `easy` play, so that both plays and discards come, or
    of the `levels` that are named."""

    game: str
    seats: int
    options: Any
    seed: int
    levels: Sequence[str] = ()

    def lines(self) -> Iterator[str]:
        """The file's lines, without their ends."""
        rules, words = GAMES[self.game].rules, words_of(self.game)
        yield f"{self.game}, {self.seats} seats, seed {self.seed}, {words.options(self.options)}"
        state, plies = self._fresh(), 0
        for step in (self._race if rules.races else self._turns)(state, words):
            yield f"\n== {step.title}"
            yield from _told(step.events, words)
            yield from _views([rules.view(state, s) for s in (None, *range(self.seats))], words)
            plies += step.is_ply
        yield f"\n== over after {plies} plies: {words.outcome(rules.outcome(state))}"

    def _fresh(self) -> Any:
        return GAMES[self.game].rules.setup(self.options, self.seats, self._seed)

    @property
    def _seed(self) -> bytes:
        return self.seed.to_bytes(32, "big")

    @property
    def _bots(self) -> list[str]:
        return list(self.levels) or ["easy"] * self.seats

    def _turns(self, state: Any, words: Words) -> Iterator[Step]:
        """One seat after the other."""
        rules, bots, rng = GAMES[self.game].rules, GAMES[self.game].bots, Random(self.seed)
        step = Step("deal", rules.opening(state))
        sent: list[list[Any]] = [[] for _ in range(self.seats)]
        for ply in count():
            for seat in range(self.seats):
                sent[seat] += [told.event for told in step.events if told.to in (None, seat)]
            yield step
            if not (acting := rules.to_act(state)):
                return
            seat = acting[0]
            action = bots[self._bots[seat]](rules.view(state, seat), sent[seat], rng)
            assert rules.refuse(state, seat, action) is None
            title = f"ply {ply}: seat {seat} {words.action(action)}"
            step = Step(title, rules.apply(state, seat, action, BEGINNING), True)

    def _race(self, state: Any, words: Words) -> Iterator[Step]:
        """A record of the race, played again with everything that the clock did."""
        game, rules = GAMES[self.game], GAMES[self.game].rules
        yield Step("deal", rules.opening(state))
        for number, ply in enumerate(self._raced()["plies"]):
            at_ms, seat = ply["at_ms"], ply["seat"]
            while (due_ms := rules.deadline(state)) is not None and due_ms <= at_ms:
                yield Step(f"at {due_ms} ms", rules.tick(state, due_ms))
            action = game.notation.action_from_record(ply["action"])
            events = rules.apply(state, seat, action, Moment(at_ms))
            yield Step(
                f"at {at_ms} ms ply {number}: seat {seat} {words.action(action)}", events, True
            )
        while rules.outcome(state) is None:
            due_ms = rules.deadline(state)
            assert due_ms is not None
            yield Step(f"at {due_ms} ms", rules.tick(state, due_ms))

    def _raced(self) -> Json:
        game, state = GAMES[self.game], self._fresh()
        seated = [Occupant(level, "bot", level) for level in self._bots]
        recording = Recording(game, self.options, seated, state, self._seed)
        rngs = [Random(f"{self.seed} {seat}") for seat in range(self.seats)]
        Race(game, state, self._bots, rngs, recording).run()
        return recording.finish(game.rules.outcome(state))

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
