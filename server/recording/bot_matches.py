"""Plays matches and races among bots without a network: straight through the game contract, at full
speed.

Laws: the same arguments give the same record on every machine and every Python. A bot is handed
its seat's view and the events addressed to it, as its client would be, and nothing else. A race has
a match time of its own, which jumps to the next thing that happens: bots play as at a table, except
that lines take no time.

All chance can be repeated: match N (from 0) of seed S is dealt by SHA-256 of the ASCII text
`clocktowers simulate GAME seed S match N`; the bot in seat K draws from `random.Random`, seeded
with SHA-256 of that text and ` seat K` as a big-endian integer.
"""

import hashlib
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from protocol.ids import Seat
from server.games.contract import BEGINNING, Game, Json
from server.matches.replay import events_for
from server.recording.bot_races import Race
from server.recording.records import Occupant, Recording

UNIFORM = "random"


class Series(NamedTuple):
    """A numbered series of matches with the same settings. `levels`: of the bot in each seat."""

    game: Game
    options: Any
    levels: Sequence[str]
    seed: int
    with_legal: bool = False


def play(series: Series, number: int) -> dict[str, Json]:
    """The record of one match of the series, as a JSON object."""
    game, rules = series.game, series.game.rules
    text = f"clocktowers simulate {rules.id} seed {series.seed} match {number}"
    seed = _digest(text)
    state = rules.setup(series.options, len(series.levels), seed)
    recording = Recording(game, series.options, _occupants(series.levels), state, seed)
    rngs = _rngs(text, len(series.levels))
    if rules.races:
        legal = series.with_legal
        Race(game, state, series.levels, rngs, recording, with_legal=legal).run()
    else:
        _take_turns(series, state, _Bots(game, series.levels, rngs), recording)
    return recording.finish(rules.outcome(state))


def _take_turns(series: Series, state: Any, bots: "_Bots", recording: Recording) -> None:
    """Play to the end, seat by seat; time plays no part."""
    rules = series.game.rules
    bots.hear(rules.opening(state))
    while rules.outcome(state) is None:
        if not (acting := rules.to_act(state)):
            due_ms = rules.deadline(state)
            assert due_ms is not None, "nobody can act, and no clock runs"
            bots.hear(rules.tick(state, due_ms))
            continue
        seat = acting[0]
        legal = rules.legal_actions(state, seat)
        action = bots.choose(state, seat, legal)
        recording.add(seat, action, legal=legal if series.with_legal else None)
        bots.hear(rules.apply(state, seat, action, BEGINNING))


class _Bots:
    """The bots in the seats of a match, and the events that each was told."""

    def __init__(self, game: Game, levels: Sequence[str], rngs: Sequence[Random]) -> None:
        self._game = game
        self._levels = levels
        self._rngs = rngs
        self._heard: list[list[Any]] = [[] for _ in levels]
        self._listeners = [seat for seat, level in enumerate(levels) if level != UNIFORM]

    def hear(self, events: Sequence[Any]) -> None:
        for seat in self._listeners:
            self._heard[seat] += events_for(Seat(seat), events)

    def choose(self, state: Any, seat: Seat, legal: Sequence[Any]) -> Any:
        """The action that the bot in this seat chooses. Level `random` chooses evenly and needs no
        view; making views would take most of a random match's time."""
        rng = self._rngs[seat]
        level = self._levels[seat]
        if level == UNIFORM:
            return legal[int(rng.random() * len(legal))]
        view = self._game.rules.view(state, seat)
        action = self._game.bots[level](view, self._heard[seat], rng)
        refusal = self._game.rules.refuse(state, seat, action)
        if refusal is not None:
            raise AssertionError(f"bot {level} chose {action}: {refusal}")
        return action


def _occupants(levels: Sequence[str]) -> list[Occupant]:
    return [Occupant(f"Bot {seat + 1}", "bot", level) for seat, level in enumerate(levels)]


def _rngs(text: str, seats: int) -> list[Random]:
    """A source of numbers for each seat."""
    digests = [_digest(f"{text} seat {seat}") for seat in range(seats)]
    return [Random(int.from_bytes(digest, "big")) for digest in digests]


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("ascii")).digest()
