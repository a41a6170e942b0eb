"""A whole match of each game as text: every ply, every event with its address, every view; and in a
race what the clock does, each at its time.

A spectator's view is printed in full after each ply; of a seat's view whatever differs from it,
field by field. So nothing a seat is sent can go unprinted. `python -m tests.playthroughs` writes
the texts; then read the difference.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from protocol.games.moves import Json
from server.games.contract import BEGINNING, Addressed, Moment
from server.games.registry import GAMES
from server.recording.bot_matches import BotMatch
from server.recording.records import Occupant, Recording

LONG = 60
"""A field of a spectator's view that takes more has a line of its own."""


class Step(NamedTuple):
    """What has just happened; `is_ply`: by somebody's action."""

    title: str
    events: Sequence[Addressed[Any]]
    is_ply: bool = False


class Playthrough(NamedTuple):
    """What a game's text shows. `names`: how the numbers in fields of this name are written, a card
    for instance; others are numbers. `levels`: the bots that play, by seat."""

    game: str
    names: Mapping[str, Callable[[int], str]]
    levels: Sequence[str]
    options: Any
    seed: int

    @property
    def seats(self) -> int:
        return len(self.levels)

    def lines(self) -> Iterator[str]:
        """The file's lines, without their ends."""
        rules = GAMES[self.game].rules
        yield f"{self.game}, {self.seats} seats, seed {self.seed}, {self._told(self.options)}"
        state, plies = self._fresh(), 0
        for step in (self._race if rules.races else self._turns)(state):
            yield f"\n== {step.title}"
            for told in step.events:
                to = "everyone" if told.to is None else f"seat {told.to} alone"
                yield f"  to {to}: {self._told(told.event)}"
            yield from self._views([rules.view(state, s) for s in (None, *range(self.seats))])
            plies += step.is_ply
        yield f"\n== over after {plies} plies: {self._told(rules.outcome(state))}"

    def _fresh(self) -> Any:
        return GAMES[self.game].rules.setup(self.options, self.seats, self._seed)

    @property
    def _seed(self) -> bytes:
        return self.seed.to_bytes(32, "big")

    def _turns(self, state: Any) -> Iterator[Step]:
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
            title = f"ply {ply}: seat {seat} {self._told(action)}"
            step = Step(title, rules.apply(state, seat, action, BEGINNING), True)

    def _race(self, state: Any) -> Iterator[Step]:
        """A record of the race, played again with everything that the clock did."""
        game, rules = GAMES[self.game], GAMES[self.game].rules
        yield Step("deal", rules.opening(state))
        for number, ply in enumerate(self._raced()["plies"]):
            at_ms, seat = ply["at_ms"], ply["seat"]
            while (due_ms := rules.deadline(state)) is not None and due_ms <= at_ms:
                yield Step(f"at {due_ms} ms", rules.tick(state, due_ms))
            action = game.notation.moves.from_record(ply["action"])
            events = rules.apply(state, seat, action, Moment(at_ms))
            yield Step(
                f"at {at_ms} ms ply {number}: seat {seat} {self._told(action)}", events, True
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
        BotMatch(game, state, self.levels, rngs, recording).run()
        return recording.finish(game.rules.outcome(state))

    def text(self) -> str:
        return "\n".join(self.lines()) + "\n"

    # Values in words ------------------------------------------------------------------------------

    def _told(self, one: Any) -> str:
        """What it is, and the fields that do not have their default."""
        kind = one.__struct_config__.tag or type(one).__name__.lower()
        told = [
            f"{field.name}={self._shown(field.name, value)}"
            for field in fields(one)
            if not _is_default(field, value := getattr(one, field.name))
        ]
        return " ".join([str(kind), *told])

    def _shown(self, name: str, value: Any) -> str:
        """The value of a field of this name."""
        if isinstance(value, Struct):
            return f"({self._told(value)})"
        if isinstance(value, bytes | list | tuple):
            return f"[{' '.join(self._shown(name, each) for each in value)}]"
        if name in self.names and value is not None:
            return self.names[name](value)
        return str(value)

    def _views(self, views: Sequence[Any]) -> Iterator[str]:
        spectator, *own = views
        there = [field for field in fields(spectator) if field.name != "seat"]
        shown = [
            f"{field.name} {self._shown(field.name, value)}"
            for field in there
            if not _is_default(field, value := getattr(spectator, field.name))
        ]
        yield f"  | {'; '.join(part for part in shown if len(part) <= LONG)}"
        for part in shown:
            if len(part) > LONG:
                yield f"  | {part}"
        for view in own:
            parts = [
                f"{field.name} {self._shown(field.name, getattr(view, field.name))}"
                for field in there
                if getattr(view, field.name) != getattr(spectator, field.name)
            ]
            yield f"  {view.seat}| {'; '.join(parts)}".rstrip()


def _is_default(field: FieldInfo, value: Any) -> bool:
    if field.default_factory is not NODEFAULT:
        return bool(value == field.default_factory())
    return bool(value == field.default)


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
