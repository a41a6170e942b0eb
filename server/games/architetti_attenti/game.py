"""The registry entry of Architetti Attenti."""

from typing import Final

from protocol.games.architetti_attenti import SEATS, Action, Event, Options, Outcome, View
from server.games import in_turns
from server.games.architetti_attenti import legal, rules, scoring, setup as deal, state
from server.games.architetti_attenti.bots import BOTS
from server.games.architetti_attenti.determinize import determinize
from server.games.architetti_attenti.judging import judge
from server.games.architetti_attenti.notation import ArchitettiAttentiNotation
from server.games.architetti_attenti.state import State
from server.games.architetti_attenti.taking_back import revocable
from server.games.architetti_attenti.view import own, view
from server.games.contract import Game, Rules, touched_unknown


class ArchitettiAttentiRules:
    """The functions of the neighbouring files under the names of the contract."""

    id = "architetti_attenti"
    seats: tuple[int, ...] = SEATS
    rules_version = 1
    refuses_stale = True
    races = False
    lists_legal = False

    setup = staticmethod(deal.setup)
    check_options = staticmethod(deal.check_options)
    rematch_options = staticmethod(deal.rematch_options)
    opening = staticmethod(deal.opening)
    to_act = staticmethod(legal.to_act)
    legal_actions = staticmethod(legal.legal_actions)
    refuse = staticmethod(legal.refuse)
    apply = staticmethod(rules.apply)
    advance = staticmethod(rules.advance)
    preview = staticmethod(rules.preview)
    copy = staticmethod(state.copy)
    deadline = staticmethod(in_turns.deadline)
    tick = staticmethod(in_turns.tick)
    holds = staticmethod(in_turns.holds)
    view = staticmethod(view)
    own = staticmethod(own)
    touched = staticmethod(touched_unknown)
    determinize = staticmethod(determinize)
    revocable = staticmethod(revocable)
    outcome = staticmethod(scoring.outcome)


_RULES: Final[Rules[State, Options, Action, Event, View, Outcome]] = ArchitettiAttentiRules()

ARCHITETTI_ATTENTI: Final = Game(
    rules=_RULES, notation=ArchitettiAttentiNotation(), bots=BOTS, judge=judge
)
