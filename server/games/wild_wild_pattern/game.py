"""The registry entry of Wild Wild Pattern."""

from typing import Final

from protocol.games.wild_wild_pattern import SEATS, Action, Event, Options, Outcome, View
from protocol.ids import Seat
from server.games.contract import Game, Rules, touched_unknown
from server.games.wild_wild_pattern import legal, rules, scoring, state
from server.games.wild_wild_pattern.bots import BOTS, REACTIONS, is_practice, lets_people_try
from server.games.wild_wild_pattern.notation import NOTATION
from server.games.wild_wild_pattern.reviewing import chances
from server.games.wild_wild_pattern.state import State
from server.games.wild_wild_pattern.view import determinize, own, view


class WildWildPatternRules:
    """The functions of the neighbouring files under the names of the contract."""

    id = "wild_wild_pattern"
    seats: tuple[int, ...] = SEATS
    rules_version = 3
    refuses_stale = False
    lists_legal = False
    races = True

    setup = staticmethod(state.setup)
    check_options = staticmethod(state.check_options)
    rematch_options = staticmethod(state.rematch_options)
    opening = staticmethod(state.opening)
    to_act = staticmethod(legal.to_act)
    legal_actions = staticmethod(legal.legal_actions)
    refuse = staticmethod(legal.refuse)
    apply = staticmethod(rules.apply)
    advance = staticmethod(rules.advance)
    preview = staticmethod(rules.preview)
    copy = staticmethod(state.copy)
    deadline = staticmethod(rules.deadline)
    tick = staticmethod(rules.tick)
    holds = staticmethod(rules.holds)
    view = staticmethod(view)
    own = staticmethod(own)
    touched = staticmethod(touched_unknown)
    determinize = staticmethod(determinize)
    outcome = staticmethod(scoring.outcome)

    def revocable(self, state: State) -> Seat | None:
        """None: a shot cannot be called back."""
        return None


_RULES: Final[Rules[State, Options, Action, Event, View, Outcome]] = WildWildPatternRules()

WILD_WILD_PATTERN: Final = Game(
    rules=_RULES,
    notation=NOTATION,
    bots=BOTS,
    reactions=REACTIONS,
    patience=lets_people_try,
    fair_hints=is_practice,
    chances=chances,
)
