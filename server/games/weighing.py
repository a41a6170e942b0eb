"""How a decision of a finished match is weighed: by what comes of two actions in the same worlds.

A world is one way in which the cards may lie that the seat cannot see; a sample is one world, or
some that a game plays together. Each sample counts once, by the difference between what comes of
both actions there. Those that choose what is compared with the action that was played are others
than those that compare the two.
Law: + − × ÷ and √ alone, which come out the same on every machine.
"""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from protocol.ids import Seat
from server.games.contract import BEGINNING, AnyRules, Bot, Judged, Stop, Weighed, never

ActionOf = TypeVar("ActionOf")

Ends: TypeAlias = Callable[[Sequence[Any]], Sequence[Weighed]]
"""Draws a new sample, and says what comes of each of these actions there, on average."""

ALWAYS: Final = 1000
"""How often a match is won that is always won, in thousandths."""


class Unit(NamedTuple):
    """What a decision loses some of, in thousandths. Less than `least` is no mistake. The two
    standard errors of a mistake are at most `exact`, as far as there are samples enough."""

    least: int
    exact: int


CHANCE: Final = Unit(least=80, exact=10)
"""Of the chance to win: what players want."""

POINTS: Final = Unit(least=1000, exact=500)
"""Of the lead, which counts where the better action wins hardly more matches, and not fewer; a seat
that nobody plays against has points."""

LEVEL: Final = 10
"""A chance to win that is worse by no more is level."""

SURE: Final = 3.7
"""A mistake is by so many standard errors more than nothing; where a comparison ends early, by six
and more. A match has up to 176 decisions: luck alone then names a mistake in 1 of 50 matches."""

LOOKS: Final = range(16, 2049, 16)
"""After so many samples it is asked whether the comparison is clear."""
ENOUGH: Final = 160
"""After so many it ends,"""
LARGE: Final = Unit(least=150, exact=5)
"""unless so much of the chance to win may be lost: this may be the turning point of the match, of
which players ask most, and late in a match a sample says little."""

CHOSEN_IN: Final = (6, 12, 24)
"""After so many samples the better half of the actions stays."""

FINALISTS: Final = 3
"""So many actions are looked at by the samples that compare."""
CLOSELY_IN: Final = 12
"""After so many samples of the kind that compares, the best of the last few is known."""

TOLD_IN: Final = 8
"""So many samples say what a decision is worth where nothing can be better."""

_TIE: Final = 200
"""A point counts as much as 5 matches of 1000, for which action is compared."""


def chosen(played: ActionOf, actions: Sequence[ActionOf], ends: Ends, closely: Ends) -> ActionOf:
    """The action that brings most, apart from the one that was played; the one that was played
    where no other can be better by enough. `actions`: all legal ones. `closely`: `ends` in samples
    of the kind that compares, which decide between the last few actions."""
    others, came = [each for each in actions if each != played], list[Weighed]()
    found = {action: list[Weighed]() for action in others}
    for samples in CHOSEN_IN:
        for _ in range(samples - len(came)):
            first, *rest = ends([played, *others])
            came.append(first)
            for action, end in zip(others, rest, strict=True):
                found[action].append(end)
        others.sort(key=lambda action: _worth(found[action]), reverse=True)
        half = others[: max(FINALISTS, (len(others) + 1) // 2)]
        others = [each for each in half if _may_be_better(came, found[each])]
        if not others:
            return played
    last = [played, *others[:FINALISTS]]
    looks = zip(*(closely(last) for _ in range(CLOSELY_IN)), strict=True)
    close = dict(zip(last, looks, strict=True))
    best = max(last[1:], key=lambda action: _worth(close[action]))
    return best if _is_promising(close[played], close[best]) else played


def judged(played: ActionOf, best: ActionOf, ends: Ends) -> Judged[ActionOf]:
    """`best` may be what was played. What a decision is worth is always said by samples of the same
    kind: those that choose see less far ahead."""
    if best == played:
        return equal(played, [end for _ in range(TOLD_IN) for end in ends([played])])
    return compared(played, best, ends)


def equal(played: ActionOf, came: Sequence[Weighed]) -> Judged[ActionOf]:
    """Nothing is surely better. `came`: of what was played, in one sample or more."""
    weighed, unit = mean(came), POINTS if came[0].wins is None else CHANCE
    error = _error([_in(unit, one) for one in came])
    return Judged(played, weighed, weighed, 0, round(2 * error), unit is POINTS)


def compared(
    played: ActionOf, best: ActionOf, ends: Ends, most: int = LOOKS[-1]
) -> Judged[ActionOf]:
    """`best` beside what was played, in as many new samples as make it clear, at `most` so many."""
    before, after = list[Weighed](), list[Weighed]()
    for samples in LOOKS:
        for _ in range(samples - len(before)):
            one, other = ends((played, best))
            before.append(one)
            after.append(other)
        unit, gain, error = _gain(before, after, 2)
        is_large = unit is CHANCE and gain + 2 * error >= LARGE.least
        exact = LARGE.exact if is_large else unit.exact
        surely = gain - 2 * error >= unit.least and 2 * error <= exact
        enough = samples >= (most if is_large else ENOUGH)
        if surely or enough or gain + 2 * error < unit.least:
            break
    unit, gain, error = _gain(before, after, 0)
    if gain < max(unit.least, SURE * error):
        return equal(played, before)
    lost, luck = round(gain), round(2 * error)
    return Judged(best, mean(before), mean(after), lost, luck, unit is POINTS)


Parts: TypeAlias = Mapping[str, int]
"""What a seat has, or may expect, in parts that the game names, in thousandths of a point."""


def explained(
    found: Judged[ActionOf], played: ActionOf, ends: Callable[[ActionOf], Sequence[Sequence[Parts]]]
) -> Judged[ActionOf]:
    """With the parts in which it is lost. `ends`: what comes of an action, of each seat, each time
    in the same worlds."""
    less, more = (zip(*ends(action), strict=True) for action in (played, found.best))
    seats = [(_mean(one), _mean(other)) for one, other in zip(less, more, strict=True)]
    return found._replace(
        parts=[
            {part: (one[part], other[part]) for part in one if one[part] != other[part]}
            for one, other in seats
        ]
    )


def _mean(found: Sequence[Parts]) -> dict[str, int]:
    return {part: round(sum(one[part] for one in found) / len(found)) for part in found[0]}


def likely(leads: Sequence[int], spread: int) -> int:
    """How often a seat wins, in thousandths, that has these leads, in thousandths of a point, over
    each of the others, if a lead ends elsewhere by about √spread. Over several rivals the odds
    against each are added."""
    against = 0.0
    for lead in leads:
        about = sqrt(lead * lead + spread)
        against += (about - lead) / (about + lead)
    return round(ALWAYS / (1 + against))


def _may_be_better(before: Sequence[Weighed], after: Sequence[Weighed]) -> bool:
    """With three errors more, not two as in `compared`: after few samples what goes is gone."""
    unit, gain, error = _gain(before, after, 2)
    return gain + 3 * error >= unit.least


def _is_promising(before: Sequence[Weighed], after: Sequence[Weighed]) -> bool:
    """Whether it is better by half of what a mistake costs, give or take an error: both those that
    choose and those that compare must find it better."""
    unit, gain, error = _gain(before, after, 2)
    return 2 * (gain + error) >= unit.least


def _gain(
    before: Sequence[Weighed], after: Sequence[Weighed], errors: int
) -> tuple[Unit, float, float]:
    """What counts, by how much that is better, and the standard error of it. It is points where the
    chance to win is not worse, nor better by enough, with so many errors more."""
    gain, error = _paired(CHANCE, before, after)
    if before[0].wins is None or (gain >= -LEVEL and gain + errors * error < CHANCE.least):
        return POINTS, *_paired(POINTS, before, after)
    return CHANCE, gain, error


def _paired(unit: Unit, before: Sequence[Weighed], after: Sequence[Weighed]) -> tuple[float, float]:
    gains = [_in(unit, two) - _in(unit, one) for one, two in zip(before, after, strict=True)]
    return sum(gains) / len(gains), _error(gains)


def _in(unit: Unit, one: Weighed) -> int:
    return one.lead if unit is POINTS or one.wins is None else one.wins


def _worth(came: Sequence[Weighed]) -> float:
    return sum((one.wins or 0) * _TIE + one.lead for one in came) / len(came)


def mean(came: Sequence[Weighed]) -> Weighed:
    """`came`: once or more."""
    wins = [one.wins for one in came if one.wins is not None]
    lead = round(sum(one.lead for one in came) / len(came))
    return Weighed(lead, round(sum(wins) / len(wins)) if wins else None)


def _error(values: Sequence[int]) -> float:
    """The standard error of their mean."""
    number = len(values)
    mean = sum(values) / number
    return sqrt(sum((value - mean) ** 2 for value in values)) / number


# A search for any game in turns: each action is played on to the end in imagined states, by quick
# replies, and the one that ends best is chosen. A decision takes a fixed amount of work.


POINT: Final = 1000

_WORLDS: Final = 4
"""Imagined states of a sample: one match alone says little."""


class Rollouts(NamedTuple):
    """`reply`: from a state, what the seat to act would likely do, decided in microseconds; of what
    lies hidden it uses only what that seat can know. `worlds`: imagined states for a decision.
    The outcomes of the game have `scores` and `winners`."""

    rules: AnyRules
    reply: Callable[[Any], Any]
    worlds: int = 100

    def choose(self, view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
        """A level: the action that ends best on average."""
        worlds = self._imagined(view, own_events, rng, self.worlds)
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

    def judge(
        self, view: Any, own_events: Sequence[Any], played: Any, rng: Random, best: Any = None
    ) -> Judged[Any]:
        """See `contract.Judge`."""

        def ends(actions: Sequence[Any]) -> list[Weighed]:
            worlds = self._imagined(view, own_events, rng, _WORLDS)
            return [
                mean([self._end(world, view.seat, action) for world in worlds])
                for action in actions
            ]

        if best is None:
            [world] = self._imagined(view, own_events, rng, 1)
            best = chosen(played, self.rules.legal_actions(world, view.seat), ends, ends)
        return judged(played, best, ends)

    def _imagined(
        self, view: Any, own_events: Sequence[Any], rng: Random, worlds: int
    ) -> list[Any]:
        return [self.rules.determinize(view, own_events, rng) for _ in range(worlds)]

    def _end(self, world: Any, seat: Seat, action: Any) -> Weighed:
        """How a match ends for the seat that goes on with this action."""
        rules, state = self.rules, self.rules.copy(world)
        advance = rules.advance
        advance(state, seat, action, BEGINNING)
        while (result := rules.outcome(state)) is None:
            advance(state, rules.to_act(state)[0], self.reply(state), BEGINNING)
        scores = list(result.scores)
        own = scores.pop(seat)
        if not scores:
            return Weighed(own * POINT)
        won = ALWAYS // len(result.winners) if seat in result.winners else 0
        return Weighed((own - max(scores)) * POINT, won)


def uniform(rules: AnyRules) -> Bot:
    """The level `random`: any legal action, all alike."""

    def choose(view: Any, own_events: Sequence[Any], rng: Random, stop: Stop = never) -> Any:
        legal = rules.legal_actions(rules.determinize(view, own_events, rng), view.seat)
        return legal[int(rng.random() * len(legal))]

    return choose
