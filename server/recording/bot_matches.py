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
from server.games.contract import BEGINNING, Addressed, Bot, Game, Json, Moment, Reaction
from server.matches.replay import events_for
from server.recording.records import Occupant, Recording

# Plays a race among bots, on a match time of its own that jumps to the next thing that happens.
#
# Law: bots play as at a table, except that lines take no time. A bot is asked when its seat is
# sent something. Its action lands after its reaction time, unless its seat is sent something
# newer before. An action that comes too late is refused and stands in no record.


class _News(NamedTuple):
    """What a seat saw last, and when its bot acts on it. `step`: the race's count of steps then."""

    lands_ms: int
    view: Any
    step: int


class _Racer:
    """The bot in a seat, and the events that it was told."""

    def __init__(self, bot: Bot[Any, Any, Any], reaction: Reaction, rng: Random) -> None:
        self._bot = bot
        self._reaction = reaction
        self._rng = rng
        self._heard: list[Any] = []
        self.news: _News | None = None

    def hear(self, events: Sequence[Any]) -> None:
        self._heard += events

    def consider(self, view: Any, now_ms: int, step: int) -> None:
        """Draw how long the bot takes. What it does is drawn when that time has come."""
        self.news = _News(now_ms + self._reaction(view, self._rng), view, step)

    def choose(self) -> Any | None:
        assert self.news is not None
        return self._bot(self.news.view, self._heard, self._rng)


class Race:
    """A match among bots; `run` plays it to the end."""

    def __init__(
        self,
        game: Game,
        state: Any,
        levels: Sequence[str],
        rngs: Sequence[Random],
        recording: Recording,
        *,
        with_legal: bool = False,
    ) -> None:
        assert game.reactions is not None, "a race needs bots that take time"
        self._rules = game.rules
        self._state = state
        self._recording = recording
        self._with_legal = with_legal
        self._steps = 0
        self._racers = [
            _Racer(game.bots[level], game.reactions[level], rng)
            for level, rng in zip(levels, rngs, strict=True)
        ]

    def run(self) -> None:
        rules, state = self._rules, self._state
        self._tell(rules.opening(state), 0, range(len(self._racers)))
        while rules.outcome(state) is None:
            landing, due_ms = self._next_landing(), rules.deadline(state)
            if due_ms is not None and (landing is None or due_ms <= landing[0]):
                self._tell(rules.tick(state, due_ms), due_ms)
            else:
                assert landing is not None, "nobody acts, and no clock runs"
                self._land(*landing)

    def _next_landing(self) -> tuple[int, Seat] | None:
        """When the next action lands, and whose it is; of two at once, the lower seat's."""
        landings = [
            (racer.news.lands_ms, Seat(seat))
            for seat, racer in enumerate(self._racers)
            if racer.news is not None
        ]
        return min(landings, default=None)

    def _land(self, now_ms: int, seat: Seat) -> None:
        rules, state, racer = self._rules, self._state, self._racers[seat]
        assert racer.news is not None
        action, asked = racer.choose(), racer.news.step
        racer.news = None
        if action is None:
            return
        if (refusal := rules.refuse(state, seat, action)) is not None:
            if asked == self._steps:
                raise AssertionError(f"the bot in seat {seat} chose {action}: {refusal}")
            return
        legal = rules.legal_actions(state, seat) if self._with_legal else None
        at = Moment(now_ms)
        self._recording.add(seat, action, legal=legal, at=at)
        self._tell(rules.apply(state, seat, action, at), now_ms, (seat,))

    def _tell(
        self, events: Sequence[Addressed[Any]], now_ms: int, also: Sequence[int] = ()
    ) -> None:
        """Tell each seat its events. A seat that is sent something, or is in `also`, drops what it
        was about to do, and considers the new view if it may act."""
        self._steps += 1
        acting = self._rules.to_act(self._state)
        for number, racer in enumerate(self._racers):
            seat = Seat(number)
            theirs = events_for(seat, events)
            racer.hear(theirs)
            if theirs or seat in also:
                racer.news = None
                if seat in acting:
                    racer.consider(self._rules.view(self._state, seat), now_ms, self._steps)


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
