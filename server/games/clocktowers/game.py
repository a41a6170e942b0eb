"""The registry entry of Clocktowers."""

from typing import Final

from protocol.games.clocktowers import SEATS, Action, Event, Options, Outcome, View
from server.games.clocktowers import rules, state
from server.games.clocktowers.bots import BOTS
from server.games.clocktowers.notation import NOTATION
from server.games.clocktowers.rules import revocable
from server.games.clocktowers.search.judging import judge
from server.games.clocktowers.state import State
from server.games.clocktowers.view import determinize, opened, own, touched, view
from server.games.contract import Game, Rules, never_due, nothing_due, nothing_held


class ClocktowersRules:
    """The functions of the neighbouring files under the names of the contract."""

    id = "clocktowers"
    seats: tuple[int, ...] = SEATS
    rules_version = 1
    refuses_stale = True
    races = False
    lists_legal = True

    setup = staticmethod(state.setup)
    check_options = staticmethod(state.check_options)
    rematch_options = staticmethod(state.rematch_options)
    opening = staticmethod(state.opening)
    to_act = staticmethod(rules.to_act)
    legal_actions = staticmethod(rules.legal_actions)
    refuse = staticmethod(rules.refuse)
    apply = staticmethod(rules.apply)
    advance = staticmethod(rules.advance)
    preview = staticmethod(rules.preview)
    copy = staticmethod(state.copy)
    deadline = staticmethod(never_due)
    tick = staticmethod(nothing_due)
    holds = staticmethod(nothing_held)
    view = staticmethod(view)
    own = staticmethod(own)
    touched = staticmethod(touched)
    determinize = staticmethod(determinize)
    revocable = staticmethod(revocable)
    outcome = staticmethod(rules.outcome)


_RULES: Final[Rules[State, Options, Action, Event, View, Outcome]] = ClocktowersRules()

CLOCKTOWERS: Final = Game(rules=_RULES, notation=NOTATION, bots=BOTS, judge=judge, opened=opened)
