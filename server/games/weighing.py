"""How actions are weighed: by what came of each in the same imagined worlds.

Law: + − × ÷ and √ alone, which come out the same on every machine.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from protocol.ids import Seat
from server.games.contract import BEGINNING, AnyRules, Bot, Judged, Stop, Weighed, never

ActionOf = TypeVar("ActionOf")

SURE: Final = 2
"""An action is better when it is by so many standard errors."""


def equal(played: ActionOf, ends: Sequence[Weighed]) -> Judged[ActionOf]:
    """Nothing is better than what was played. `ends`: what came of it, at least once."""
    weighed = _mean(ends)
    return Judged(played, weighed, weighed, 0)


def compared(
    played: ActionOf, ends: Sequence[Weighed], best: ActionOf, others: Sequence[Weighed]
) -> Judged[ActionOf]:
    """`best` beside what was played. `others`: what came of it, in the worlds of `ends`."""
    gains = [other.lead - end.lead for end, other in zip(ends, others, strict=True)]
    gain = round(sum(gains) / len(gains))
    if gain <= 0 or gain <= SURE * _error(gains):
        return equal(played, ends)
    return Judged(best, _mean(ends), _mean(others), gain)


def _mean(ends: Sequence[Weighed]) -> Weighed:
    points = sum(end.points for end in ends) // len(ends)
    lead = sum(end.lead for end in ends) // len(ends)
    wins = [end.wins for end in ends if end.wins is not None]
    return Weighed(points, lead, sum(wins) // len(wins) if wins else None)


def _error(gains: Sequence[int]) -> float:
    """The standard error of their mean."""
    number = len(gains)
    mean = sum(gains) / number
    return sqrt(sum((gain - mean) ** 2 for gain in gains)) / number


# A search for any game in turns: each action is played on to the end in imagined states, by quick
# replies, and the one that ends best is chosen. A decision takes a fixed amount of work.


POINT: Final = 1000


class Rollouts(NamedTuple):
    """`reply`: from a state, what the seat to act would likely do, decided in microseconds; of what
    lies hidden it uses only what that seat can know. `worlds`: imagined states for a decision.
    The outcomes of the game have `scores` and `winners`."""

    rules: AnyRules
    reply: Callable[[Any], Any]
    worlds: int = 100

    def choose(self, view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
        """A level: the action that ends best on average."""
        worlds = self._imagined(view, own_events, rng)
        legal = self.rules.legal_actions(worlds[0], view.seat)
        leads = dict.fromkeys(legal, 0)
        for world in worlds if len(legal) > 1 else ():
            if stop():
                break
            for action in legal:
                leads[action] += self._end(world, view.seat, action).lead
        return max(legal, key=leads.__getitem__)

    def at_once(self, view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
        """A level that does what is likely, without a search."""
        return self.reply(self.rules.determinize(view, own_events, rng))

    def judge(self, view: Any, own_events: Sequence[Any], played: Any, rng: Random) -> Judged[Any]:
        """See `contract.Judge`."""
        best = self.choose(view, own_events, rng)
        worlds = self._imagined(view, own_events, rng)
        ends = [self._end(world, view.seat, played) for world in worlds]
        if best == played:
            return equal(played, ends)
        others = [self._end(world, view.seat, best) for world in worlds]
        return compared(played, ends, best, others)

    def _imagined(self, view: Any, own_events: Sequence[Any], rng: Random) -> list[Any]:
        return [self.rules.determinize(view, own_events, rng) for _ in range(self.worlds)]

    def _end(self, world: Any, seat: Seat, action: Any) -> Weighed:
        """How a match ends for the seat that goes on with this action."""
        rules, state = self.rules, self.rules.copy(world)
        rules.advance(state, seat, action, BEGINNING)
        while (result := rules.outcome(state)) is None:
            rules.advance(state, rules.to_act(state)[0], self.reply(state), BEGINNING)
        scores = list(result.scores)
        own = scores.pop(seat)
        won = POINT // len(result.winners) if seat in result.winners else 0
        return Weighed(own * POINT, (own - max(scores, default=0)) * POINT, won)


def uniform(rules: AnyRules) -> Bot:
    """The level `random`: any legal action, all alike."""

    def choose(view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
        legal = rules.legal_actions(rules.determinize(view, own_events, rng), view.seat)
        return legal[int(rng.random() * len(legal))]

    return choose
