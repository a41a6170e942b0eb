"""A whole match of each game as text: every ply, every event with its address, every view; and in a
race what the clock does, each at its time.

A spectator's view is printed in full after each ply; of a seat's view whatever differs from it,
field by field. So nothing a seat is sent can go unprinted. `python -m tests.playthroughs` writes
the texts; then read the difference.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

from server.games.contract import BEGINNING, Addressed, Json, Moment
from server.games.registry import GAMES
from server.recording.bot_races import Race
from server.recording.records import Occupant, Recording


class Words(Protocol):
    """One game's values → one line of text each."""

    def options(self, options: Any) -> str: ...
    def action(self, action: Any) -> str: ...
    def event(self, event: Any) -> str: ...
    def field(self, name: str, value: Any) -> str: ...
    def outcome(self, outcome: Any) -> str: ...

    def spectator(self, view: Any) -> Iterator[str]:
        """The whole view on a few lines."""


class Step(NamedTuple):
    """What has just happened; `is_ply`: by somebody's action."""

    title: str
    events: Sequence[Addressed[Any]]
    is_ply: bool = False


class Playthrough(NamedTuple):
    """What a game's text shows. `levels`: the bots that play, by seat."""

    game: str
    words: Words
    levels: Sequence[str]
    options: Any
    seed: int

    @property
    def seats(self) -> int:
        return len(self.levels)

    def lines(self) -> Iterator[str]:
        """The file's lines, without their ends."""
        rules, words = GAMES[self.game].rules, self.words
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
            action = bots[self.levels[seat]](rules.view(state, seat), sent[seat], rng)
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
        seated = [Occupant(level, "bot", level) for level in self.levels]
        recording = Recording(game, self.options, seated, state, self._seed)
        rngs = [Random(f"{self.seed} {seat}") for seat in range(self.seats)]
        Race(game, state, self.levels, rngs, recording).run()
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


def playthrough(game: str) -> Playthrough:
    """What the game's folder of tests says that is played."""
    found: Playthrough = import_module(f"tests.games.{game}.playthrough").PLAYTHROUGH
    return found


def path(game: str) -> Path:
    """Where a game's text is kept."""
    return Path(__file__).parent / "games" / game / "playthrough.txt"


def main() -> None:
    for game in GAMES:
        path(game).write_text(playthrough(game).text(), encoding="utf-8")


if __name__ == "__main__":
    main()
