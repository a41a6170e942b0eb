"""The levels, weakest first. Each sees what its seat's client sees; they differ in how soon they
act (`timing`), in how much of the Wheel they notice, in how often they see what is not there, and
in what they think a card is worth.

Errors: in laboratory search people miss 2.5 % of the targets that are there half the time, and 14 %
of rare ones (jov.arvojournals.org, article 2134728; Rich et al. 2008, doi 10.1167/8.15.15). How
often they would claim a pattern that is none we found nowhere: here the same range stands for it,
8 % for `easy`, 0 for practised players. `learner` is no measured person (ours): it shoots, so that
somebody's first match has shots in it, and 60 % of its claims are wrong, so that it can be beaten:
55 % by mistake, the others where its shot has made nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from protocol.games.wild_wild_pattern import (
    Action,
    Click,
    Declare,
    Event,
    Options,
    Pass,
    Phase,
    Practice,
    Shoot,
    Take,
    Use,
    View,
)
from protocol.games.wild_wild_pattern.cards import PAYS, Challenge
from protocol.ids import Seat
from server.games.contract import Bot, Stop, never
from server.games.wild_wild_pattern.challenges import use
from server.games.wild_wild_pattern.choices import (
    Find,
    Worth,
    finds,
    mistaken,
    patterns_at,
)
from server.games.wild_wild_pattern.determinize import determinize
from server.games.wild_wild_pattern.evaluation import hoped, paid
from server.games.wild_wild_pattern.legal import legal_actions
from server.games.wild_wild_pattern.state import State, copy

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
        if view.options.practice is Practice.ON:
            return Pass()
        # Without a limit nobody else might ever end the race.
        return None if view.options.race_limit_s else Click()

    def _best(self, view: View, card: int, rng: Random) -> Find | None:
        seat = _seat(view)
        seen = [
            find
            for find in finds(view, card, view.won[seat], self._worth(view, seat))
            if rng.randrange(100) < self.notices
        ]
        return max(seen, key=lambda find: find.gain, default=None)

    def _declare(self, view: View, rng: Random) -> Action:
        seat = _seat(view)
        assert view.place is not None
        if self.errs and rng.randrange(100) < self.errs:
            return Declare(mistaken(view.wheel, view.place))
        worth = self._worth(view, seat)
        made = patterns_at(view, view.wheel, view.place, view.covered, view.won[seat], worth)
        find = max(made, key=lambda find: find.gain, default=None)
        if find is None and self.guesses:
            return Declare(mistaken(view.wheel, view.place))
        return Pass() if find is None else Declare(find.pattern)

    def _take(self, view: View, legal: Sequence[Action]) -> Action:
        """One at a time: of two rewards the first is the better alone."""
        worth, own = self._worth(view, _seat(view)), view.won[_seat(view)]
        takes = [action for action in legal if isinstance(action, Take)]
        return max(takes, key=lambda take: worth(own + bytes((view.wheel[take.place],))))

    def _challenge(self, view: View, imagined: State, legal: Sequence[Action]) -> Action:
        """What gains most over the others together, if anything does."""
        seat = _seat(view)

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


BOTS: Final[Mapping[str, Bot[Any, Any, Any]]] = {
    "random": uniform,
    "learner": Eye(notices=30, clicks=20, judges=paid, errs=55, guesses=90),
    "easy": Eye(notices=40, clicks=40, judges=paid, errs=8),
    "normal": Eye(notices=80, clicks=90, judges=hoped),
    "hard": Eye(notices=100, clicks=100, judges=hoped),
}
