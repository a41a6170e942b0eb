"""The registry entry of Architetti Attenti."""

from typing import Final

from protocol.games.architetti_attenti import SEATS, Action, Event, Options, Outcome, View
from server.games.architetti_attenti import rules, state
from server.games.architetti_attenti.bots import BOTS
from server.games.architetti_attenti.judging import judge
from server.games.architetti_attenti.notation import NOTATION
from server.games.architetti_attenti.rules import revocable
from server.games.architetti_attenti.state import State
from server.games.architetti_attenti.view import determinize, own, view
from server.games.contract import Game, Rules, never_due, nothing_due, nothing_held, touched_unknown


class ArchitettiAttentiRules:
    """The functions of the neighbouring files under the names of the contract."""

    id = "architetti_attenti"
    seats: tuple[int, ...] = SEATS
    rules_version = 1
    refuses_stale = True
    races = False
    lists_legal = False

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
    touched = staticmethod(touched_unknown)
    determinize = staticmethod(determinize)
    revocable = staticmethod(revocable)
    outcome = staticmethod(rules.outcome)


_RULES: Final[Rules[State, Options, Action, Event, View, Outcome]] = ArchitettiAttentiRules()

ARCHITETTI_ATTENTI: Final = Game(rules=_RULES, notation=NOTATION, bots=BOTS, judge=judge)
