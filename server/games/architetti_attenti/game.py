"""The registry entry of Architetti Attenti."""

from typing import Final

from protocol.games.architetti_attenti import SEATS, Action, Event, Options, Outcome, View
from server.games.architetti_attenti import rules, state, view
from server.games.architetti_attenti.bots import BOTS
from server.games.architetti_attenti.judging import judge
from server.games.architetti_attenti.notation import NOTATION
from server.games.contract import Game, Rules

RULES: Final = Rules[state.State, Options, Action, Event, View, Outcome](
    id="architetti_attenti",
    seats=SEATS,
    rules_version=1,
    check_options=state.check_options,
    setup=state.setup,
    rematch_options=state.rematch_options,
    opening=state.opening,
    to_act=rules.to_act,
    legal_actions=rules.legal_actions,
    refuse=rules.refuse,
    apply=rules.apply,
    advance=rules.advance,
    copy=state.copy,
    view=view.view,
    own=view.own,
    determinize=view.determinize,
    outcome=rules.outcome,
    revocable=rules.revocable,
)

ARCHITETTI_ATTENTI: Final = Game(RULES, NOTATION, BOTS, judge=judge)
