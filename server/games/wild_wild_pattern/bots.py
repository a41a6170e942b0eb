"""The levels, weakest first: when they act, what they choose and what they think it is worth.

Errors: in laboratory search people miss 2.5 % of the targets that are there half the time, and 14 %
of rare ones (jov.arvojournals.org, article 2134728; Rich et al. 2008, doi 10.1167/8.15.15). How
often they would claim a pattern that is none we found nowhere: here the same range stands for it,
8 % for `easy`, 0 for practised players. `learner` is no measured person (ours): it shoots, so that
somebody's first match has shots in it, and 60 % of its claims are wrong, so that it can be beaten:
55 % by mistake, the others where its shot has made nothing. In practice, where people go first and
it seldom has its turn, it errs half as often and shoots only where it sees something.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from random import Random
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from protocol.games.wild_wild_pattern import (
    BOT_FIRST,
    SHOOTS_IN_S,
    Action,
    Click,
    Declare,
    Event,
    Options,
    Pass,
    Phase,
    Shoot,
    Take,
    Use,
    View,
)
from protocol.games.wild_wild_pattern.bank import (
    MAX_CARDS,
    Line,
    Play,
    Prize,
    cents,
    lines,
    plays,
    plays_at,
    prize,
    rewards,
)
from protocol.games.wild_wild_pattern.cards import (
    FEATURE_BITS,
    MIN_ANCHORS,
    PATTERNS,
    PAYS,
    PLACES,
    STEP,
    Challenge,
    Object,
    Pattern,
    colour_of,
    object_of,
)
from protocol.ids import Seat
from server.games.contract import Bot, Stop, never
from server.games.wild_wild_pattern.challenges import use
from server.games.wild_wild_pattern.rules import legal_actions
from server.games.wild_wild_pattern.state import State, copy
from server.games.wild_wild_pattern.view import determinize

# When bots act: after how long, and whether they let people go first (rules: Practice).
#
# A level acts some milliseconds after the newest news, uniform between two bounds. The unit is
# what a person needs for one look round the Wheel, from published figures: who searches a picture
# moves the eyes every 200 to 350 ms (Rayner & Castelhano 2007, doi 10.4249/scholarpedia.3649), so
# eight cards take about 2.2 s; and a key pressed at once takes 213 ms (mean of 1469 people; Woods
# et al. 2015, doi 10.3389/fnhum.2015.00131). Nobody shoots sooner than after one round. How many
# rounds a level needs is the project's own: 3 to 9 for `hard`, 5 to 16 for `easy`. `learner` is
# no slower, for somebody has to shoot: it loses by its mistakes. Compare the game of
# Set, with twelve cards and the same kind of search: its players become quicker by training
# (Jacob & Hochstein 2008, doi 10.3758/PP.70.7.1165).


class Reaction(NamedTuple):
    """Bounds in ms: to find a shot, to answer a Click!, and for choices without hurry."""

    race_ms: tuple[int, int]
    answer_ms: tuple[int, int]
    choice_ms: tuple[int, int]

    def __call__(self, view: View, rng: Random) -> int:
        """Draw the delay for this view."""
        match view.phase:
            case Phase.READY | Phase.LAY:
                bounds_ms = SOON_MS
            case Phase.RACE if not view.options.practises:
                bounds_ms = self.race_ms
            case Phase.CLICKED:
                bounds_ms = self.answer_ms
            case _:
                bounds_ms = self.choice_ms
        return rng.randint(*bounds_ms)


ROUND_MS: Final = 8 * (200 + 350) // 2
KEY_MS: Final = 213
SOON_MS: Final = (400, 1_000)
"""When a bot of any level is ready, or lays a card: there is nothing to look for, and people wait
for it."""

_NO_RACE_MS: Final = {
    "random": ((2_000, 15_000), (500, 3_000)),
    "learner": ((3_500, 9_000), (2_000, 5_000)),
    "easy": ((6_000, 14_000), (1_500, 4_000)),
    "normal": ((4_000, 10_000), (1_200, 3_000)),
    "hard": ((2_500, 6_000), (1_000, 2_500)),
}
"""To answer a Click!, and for choices without hurry."""

REACTIONS: Final[Mapping[str, Reaction]] = {
    level: Reaction((1_000 * soonest, 1_000 * latest), *_NO_RACE_MS[level])
    for level, (soonest, latest) in SHOOTS_IN_S.items()
}


def lets_people_try(view: View, people: Collection[Seat]) -> bool:
    """In practice no bot shoots while a person may still do so, but in every third turn."""
    races = view.phase is Phase.RACE and view.turn % BOT_FIRST
    if not view.options.practises or not races:
        return False
    return any(
        not view.done[seat] and (view.in_hand[seat] or view.waiting[seat]) for seat in people
    )


# What a bot can choose on the Wheel: shots, the patterns they make, and what each would gain.


Worth: TypeAlias = Callable[[bytes], int]
"""What some Pattern cards are worth to the bot, in cents."""


class Find(NamedTuple):
    """A card on this place makes this pattern; `gain`: what the reward is worth."""

    gain: int
    place: int
    pattern: Pattern


def finds(
    view: View, card: int, played: Iterable[Play], own: bytes, worth: Worth
) -> Iterator[Find]:
    """What the bot can make with this card, or has made. `own`: its Pattern cards."""
    base = worth(own)
    for one in played:
        place, pattern, pairs = one
        if pairs.is_wild:
            yield Find(WINS, place, pattern)
            continue
        wheel = view.wheel[:place] + bytes((card,)) + view.wheel[place + 1 :]
        offered = rewards(wheel, one, view.covered or view.wheel[place])
        yield Find(max(map(worth, (own + cards for cards in offered))) - base, place, pattern)


def mistaken(wheel: bytes, place: int) -> Pattern:
    """A pattern that a hasty look at this place takes for true: of those that the card there and
    its neighbours suggest, and that do not hold, the one with the fewest cards against it."""
    suggested = _suggested(wheel, place)
    return min(suggested, key=lambda found: found[0], default=(0, PATTERNS[0]))[1]


def _suggested(wheel: bytes, place: int) -> Iterator[tuple[int, Pattern]]:
    """Each with how many anchors lack the partner; a single anchor lacks the second."""
    here = FEATURE_BITS[wheel[place]]
    for pattern in PATTERNS:
        step = STEP[pattern.direction]
        beside = FEATURE_BITS[wheel[(place + step) % PLACES]]
        if not (here >> pattern.anchor & 1 and beside >> pattern.partner & 1):
            continue
        anchors = [at for at in range(PLACES) if FEATURE_BITS[wheel[at]] >> pattern.anchor & 1]
        holds = sum(
            FEATURE_BITS[wheel[(at + step) % PLACES]] >> pattern.partner & 1 for at in anchors
        )
        if lacking := max(len(anchors), MIN_ANCHORS) - holds:
            yield lacking, pattern


# What cards are worth to a bot: what the Bank would pay now, and what it may pay later.


WINS: Final = 1000
"""What winning at once is worth, in cents: more than anything else."""

_HOPE: Final = (0, 4, 12, 40, 160)
"""Number of cards, all of different colours → cents, on the way to five colours."""

_PER_TARGET: Final = 12
_PER_CARD: Final = 8


def paid(cards: bytes, target: int, options: Options) -> int:
    """What these cards fetch as they are."""
    met = lines(cards, Object(target), five_colours_win=options.five_colours_win)
    return WINS if Line.WILD in met else cents(met)


def hoped(cards: bytes, target: int, options: Options) -> int:
    """What they fetch now, plus what further cards may add."""
    if len(cards) >= MAX_CARDS:
        return paid(cards, target, options)
    colours = {colour_of(card) for card in cards}
    straight = _HOPE[len(cards)] if len(colours) == len(cards) else 0
    if not options.five_colours_win:
        straight //= 4
    targets = sum(object_of(card) == target for card in cards)
    more = straight + _PER_TARGET * targets + _PER_CARD * len(cards)
    return paid(cards, target, options) + more


Judge: TypeAlias = Callable[[bytes, int, Options], int]
"""What Pattern cards are worth in cents, with this target."""


class Eye(NamedTuple):
    """How a level plays. `notices`: how many of a hundred patterns it sees. `clicks`: how many of a
    hundred cards that seem to make nothing it gives up. `judges`: what cards are worth to it.
    `errs`: how many of a hundred declarations are of a pattern that does not hold, and where it
    sees none, `guesses`: how many of a hundred cards it shoots anywhere."""

    notices: int
    clicks: int
    judges: Judge
    errs: int = 0
    guesses: int = 0

    def __call__(
        self, view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never
    ) -> Action | None:
        """See `Bot`."""
        if view.options.practises and self.guesses:
            return self._replace(errs=self.errs // 2, guesses=0)(view, own_events, rng, stop)
        imagined = determinize(view, own_events, rng)
        legal = legal_actions(imagined, _seat(view))
        if not legal:
            return None
        match view.phase:
            case Phase.RACE:
                return self._race(view, rng)
            case Phase.CLICKED:
                find = self._best(view, view.clicked, rng)
                return Pass() if find is None else Shoot(find.place, clicked=True)
            case Phase.DECLARE:
                return self._declare(view, rng)
            case Phase.TAKE:
                return self._take(view, legal)
            case Phase.CHALLENGE:
                return self._challenge(view, imagined, legal)
            case _:
                return legal[rng.randrange(len(legal))]

    def _worth(self, view: View, seat: int) -> Worth:
        return lambda cards: self.judges(cards, view.targets[seat], view.options)

    def _race(self, view: View, rng: Random) -> Action | None:
        if (find := self._best(view, view.card, rng)) is not None:
            return Shoot(find.place)
        if rng.randrange(100) < self.clicks:
            return Click()
        if rng.randrange(100) < self.guesses:
            return Shoot(rng.randrange(len(view.wheel)))
        if view.options.practises:
            return Pass()
        # Without a limit nobody else might ever end the race.
        return None if view.options.race_limit_s else Click()

    def _best(self, view: View, card: int, rng: Random) -> Find | None:
        seat = _seat(view)
        possible = plays(view.wheel, card, in_pair=view.options.in_pair)
        found = self._ranked(view, view.wheel, card, possible)
        open_to_wild = (one for one in found if one[0] > Prize.CLOSED)
        seen = [one for one in open_to_wild if rng.randrange(100) < self.notices]
        _prize, find = max(seen, key=_first, default=(0, None))
        # With more cards than the Bank takes all would be lost.
        lost = -self._worth(view, seat)(view.won[seat])
        return None if find is not None and find.gain <= lost < 0 else find

    def _ranked(
        self, view: View, wheel: bytes, card: int, played: Iterable[Play]
    ) -> Iterator[tuple[int, Find]]:
        """What the bot makes with this card, each after its prize, where the level looks ahead: a
        review judges by it, which a hint must not contradict. `wheel`: before the shot."""
        seat, found = _seat(view), [*played]
        own, win = view.won[seat], view.options.five_colours_win
        brings = partial(prize, own, wheel, card, five_colours_win=win)
        prizes = map(brings, found) if self.judges is hoped else repeat(Prize.SOME)
        return zip(prizes, finds(view, card, found, own, self._worth(view, seat)), strict=False)

    def _declare(self, view: View, rng: Random) -> Action:
        assert view.place is not None
        if self.errs and rng.randrange(100) < self.errs:
            return Declare(mistaken(view.wheel, view.place))
        in_pair, card = view.options.in_pair, view.wheel[view.place]
        made = plays_at(view.wheel, view.place, view.covered, in_pair=in_pair)
        wheel = view.wheel[: view.place] + bytes((view.covered,)) + view.wheel[view.place + 1 :]
        _prize, find = max(self._ranked(view, wheel, card, made), key=_first, default=(0, None))
        if find is None and self.guesses:
            return Declare(mistaken(view.wheel, view.place))
        return Pass() if find is None else Declare(find.pattern)

    def _take(self, view: View, legal: Sequence[Action]) -> Action:
        """One at a time: of two rewards the first is the better alone."""
        worth, own = self._worth(view, _seat(view)), view.won[_seat(view)]
        takes = [action for action in legal if isinstance(action, Take)]
        return max(takes, key=lambda take: worth(own + bytes((view.wheel[take.place],))))

    def _challenge(self, view: View, imagined: State, legal: Sequence[Action]) -> Action:
        """What gains most over the others together, if anything does, unless WILD has won."""
        seat = _seat(view)
        if self._worth(view, seat)(view.won[seat]) >= WINS:
            return Pass()

        def lead(won: Sequence[bytes]) -> int:
            worths = [self._worth(view, other)(cards) for other, cards in enumerate(won)]
            return 2 * worths[seat] - sum(worths)

        def gain(wish: Use) -> int:
            after = copy(imagined)
            use(after, seat, wish)
            cash = PAYS.get(Challenge(wish.challenge), 0)
            return lead(after.won) - lead(imagined.won) + cash

        best = max((wish for wish in legal if isinstance(wish, Use)), key=gain)
        return best if gain(best) > 0 else Pass()


def _first(ranked: tuple[int, Find]) -> tuple[int, int]:
    """What brings most; of what brings the same, what is worth most."""
    return ranked[0], ranked[1].gain


def _seat(view: View) -> Seat:
    """The bot's seat: a bot never watches."""
    assert view.seat is not None
    return Seat(view.seat)


def uniform(
    view: View, own_events: Sequence[Event], rng: Random, stop: Stop = never
) -> Action | None:
    """Any legal action, all alike."""
    legal = legal_actions(determinize(view, own_events, rng), _seat(view))
    return legal[rng.randrange(len(legal))] if legal else None


_HARD: Final = Eye(notices=100, clicks=100, judges=hoped)


def plan(
    view: View, _own_events: Sequence[Event], action: Action, rng: Random, _stop: Stop
) -> Action | None:
    """See `Game`: what is declared after a shot."""
    if not isinstance(action, Shoot):
        return None
    at, card = action.place, view.clicked or view.card
    wheel = view.wheel[:at] + bytes((card,)) + view.wheel[at + 1 :]
    shot = replace(view, phase=Phase.DECLARE, acting=view.seat, wheel=wheel, place=at)
    return _HARD._declare(replace(shot, covered=view.wheel[at]), rng)


BOTS: Final[Mapping[str, Bot]] = {
    "random": uniform,
    "learner": Eye(notices=30, clicks=20, judges=paid, errs=55, guesses=90),
    "easy": Eye(notices=40, clicks=40, judges=paid, errs=8),
    "normal": Eye(notices=80, clicks=90, judges=hoped),
    "hard": _HARD,
}
