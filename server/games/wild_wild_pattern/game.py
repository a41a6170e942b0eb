"""The registry entry of Wild Wild Pattern."""

from typing import Final

from protocol.games.wild_wild_pattern import SEATS, Action, Event, Options, Outcome, View
from server.games.contract import Game, Rules
from server.games.wild_wild_pattern import legal, rules, scoring, state, view
from server.games.wild_wild_pattern.bots import BOTS, REACTIONS, is_practice, lets_people_try
from server.games.wild_wild_pattern.notation import NOTATION
from server.games.wild_wild_pattern.reviewing import chances

RULES: Final = Rules[state.State, Options, Action, Event, View, Outcome](
    id="wild_wild_pattern",
    seats=SEATS,
    rules_version=3,
    check_options=state.check_options,
    setup=state.setup,
    rematch_options=state.rematch_options,
    opening=state.opening,
    to_act=legal.to_act,
    legal_actions=legal.legal_actions,
    refuse=legal.refuse,
    apply=rules.apply,
    advance=rules.advance,
    copy=state.copy,
    view=view.view,
    own=view.own,
    determinize=view.determinize,
    outcome=scoring.outcome,
    refuses_stale=False,
    races=True,
    deadline=rules.deadline,
    tick=rules.tick,
    delays=rules.delays,
)

WILD_WILD_PATTERN: Final = Game(
    RULES,
    NOTATION,
    BOTS,
    reactions=REACTIONS,
    patience=lets_people_try,
    fair_hints=is_practice,
    chances=chances,
)
