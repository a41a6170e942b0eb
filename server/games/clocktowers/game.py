"""The registry entry of Clocktowers."""

from typing import Final

from protocol.games.clocktowers import SEATS, Action, Event, Options, Outcome, View
from server.games.clocktowers import rules, state, view
from server.games.clocktowers.bots import BOTS
from server.games.clocktowers.notation import NOTATION
from server.games.clocktowers.search import judge
from server.games.contract import Game, Rules

RULES: Final = Rules[state.State, Options, Action, Event, View, Outcome](
    id="clocktowers",
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
    lists_legal=True,
    revocable=rules.revocable,
    touched=view.touched,
)

CLOCKTOWERS: Final = Game(RULES, NOTATION, BOTS, judge=judge, opened=view.opened)
