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
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from protocol.games.moves import Json
from protocol.ids import Seat
from server.games.contract import BEGINNING, Addressed, Bot, Game, Moment, Reaction
from server.matches.replay import events_for
from server.recording.records import BOT, Occupant, Recording

UNIFORM = "random"
"""The level that chooses evenly. In turns it needs no view: making views would take most of such a
match's time."""


class Series(NamedTuple):
    """A numbered series of matches with the same settings. `levels`: of the bot in each seat."""

    game: Game
    options: Any
    levels: Sequence[str]
    seed: int
    with_legal: bool = False


def play(series: Series, number: int) -> dict[str, Json]:
    """The record of one match of the series, as a JSON object."""
    return _BotMatch(series, number).run()


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("ascii")).digest()


class _News(NamedTuple):
    """What a seat saw last, and when its bot acts on it. `step`: the race's count of steps then."""

    lands_ms: int
    view: Any
    step: int


@dataclass
class _Player:
    """The bot in a seat, the events that it was told, and in a race what it is about to act on."""

    level: str
    bot: Bot
    reaction: Reaction | None
    rng: Random
    heard: list[Any] = field(default_factory=list)
    news: _News | None = None


class _BotMatch:
    """A match of a series."""

    def __init__(self, series: Series, number: int) -> None:
        game, levels, options = series.game, series.levels, series.options
        text = f"clocktowers simulate {game.rules.id} seed {series.seed} match {number}"
        seed, reactions = _digest(text), game.reactions or {}
        self._rules = game.rules
        self._state = game.rules.setup(options, len(levels), seed)
        sat = [Occupant(f"Bot {seat + 1}", BOT, level) for seat, level in enumerate(levels)]
        self._recording = Recording(game, options, sat, self._state, seed)
        self._with_legal = series.with_legal
        self._steps = 0
        digests = [_digest(f"{text} seat {seat}") for seat in range(len(levels))]
        self._players = [
            _Player(level, game.bots[level], reactions.get(level), Random(int.from_bytes(digest)))
            for level, digest in zip(levels, digests, strict=True)
        ]

    def run(self) -> dict[str, Json]:
        """Play it to the end; returns its record."""
        if self._rules.races:
            self._race()
        else:
            self._take_turns()
        return self._recording.finish(self._rules.outcome(self._state))

    # Seat by seat; time plays no part -------------------------------------------------------------

    def _take_turns(self) -> None:
        rules, state = self._rules, self._state
        self._hear(rules.opening(state))
        while rules.outcome(state) is None:
            if not (acting := rules.to_act(state)):
                due_ms = rules.deadline(state)
                assert due_ms is not None, "nobody can act, and no clock runs"
                self._hear(rules.tick(state, due_ms))
                continue
            seat = acting[0]
            legal = rules.legal_actions(state, seat)
            action = self._choose(seat, legal)
            self._recording.add(seat, action, legal=legal if self._with_legal else None)
            self._hear(rules.apply(state, seat, action, BEGINNING))

    def _hear(self, events: Sequence[Any]) -> None:
        for seat, player in enumerate(self._players):
            if player.level != UNIFORM:
                player.heard += events_for(Seat(seat), events)

    def _choose(self, seat: Seat, legal: Sequence[Any]) -> Any:
        player = self._players[seat]
        if player.level == UNIFORM:
            return legal[int(player.rng.random() * len(legal))]
        action = player.bot(self._rules.view(self._state, seat), player.heard, player.rng)
        if (refusal := self._rules.refuse(self._state, seat, action)) is not None:
            raise AssertionError(f"bot {player.level} chose {action}: {refusal}")
        return action

    # A race: a match time of its own jumps to the next thing that happens -------------------------
    #
    # Law: bots play as at a table, except that lines take no time. A bot is asked when its seat is
    # sent something. Its action lands after its reaction time, unless its seat is sent something
    # newer before. An action that comes too late is refused and stands in no record.

    def _race(self) -> None:
        rules, state = self._rules, self._state
        self._tell(rules.opening(state), 0, range(len(self._players)))
        while rules.outcome(state) is None:
            landings = [
                (player.news.lands_ms, Seat(seat))
                for seat, player in enumerate(self._players)
                if player.news is not None
            ]
            landing, due_ms = min(landings, default=None), rules.deadline(state)
            if due_ms is not None and (landing is None or due_ms <= landing[0]):
                self._tell(rules.tick(state, due_ms), due_ms)
            else:
                assert landing is not None, "nobody acts, and no clock runs"
                self._land(*landing)

    def _land(self, now_ms: int, seat: Seat) -> None:
        """What a bot does is drawn only now."""
        rules, state, player = self._rules, self._state, self._players[seat]
        news, player.news = player.news, None
        assert news is not None
        action = player.bot(news.view, player.heard, player.rng)
        if action is None:
            return
        if (refusal := rules.refuse(state, seat, action)) is not None:
            if news.step == self._steps:
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
        for number, player in enumerate(self._players):
            seat = Seat(number)
            theirs = events_for(seat, events)
            player.heard += theirs
            if theirs or seat in also:
                player.news = None
                if seat in acting:
                    assert player.reaction is not None, "a race needs bots that take time"
                    view = self._rules.view(self._state, seat)
                    lands_ms = now_ms + player.reaction(view, player.rng)
                    player.news = _News(lands_ms, view, self._steps)
