"""Clocktowers as the server lists it: its rules as one value, and how records are written."""

from typing import Final

from protocol.games.clocktowers import (
    CODES,
    FIRST_HEIGHTS,
    PILE_NAMES,
    PILES,
    Action,
    Event,
    Options,
    Outcome,
    Pile,
    View,
)
from protocol.games.clocktowers.cards import REMOVED_FLOORS, REMOVED_ROOFS, Deal, pool
from protocol.games.moves import (
    Json,
    RecordError,
    field_in,
    first_seat_in,
    needs_all,
    object_in,
    pieces_in,
)
from protocol.games.registry import GAMES
from server.games.clocktowers import rules, state, view
from server.games.clocktowers.bots import BOTS
from server.games.clocktowers.judging import judge
from server.games.clocktowers.search import plan
from server.games.clocktowers.state import State, fresh
from server.games.contract import Game, Rules
from server.games.notation import Notation, first_seats

RULES: Final = Rules[State, Options, Action, Event, View, Outcome](
    GAMES["clocktowers"],
    check_options=state.check_options,
    setup=state.setup,
    opening=state.opening,
    to_act=rules.to_act,
    legal_actions=rules.legal_actions,
    refuse=rules.refuse,
    apply=rules.apply,
    untold=rules.advance,
    copy=state.copy,
    public=view.public,
    own=view.own,
    determinize=view.determinize,
    outcome=rules.outcome,
    lose=rules.lose,
    lists_legal=True,
    revocable=rules.revocable,
    touched=view.touched,
)

# Records -----------------------------------------------------------------------------------------


def _allowed(option: str, seats: int) -> str:
    return "1,2 or 2" if option == "first_heights" else first_seats(option, seats)


def _setup_to_record(state: State) -> Json:
    """`piles` are top card first; `removed` in the order they were taken."""
    deal = state.deal
    floors, roofs = deal.removed
    return {
        "first_seat": deal.first_seat,
        "piles": {name: _codes(cards) for name, cards in zip(PILE_NAMES, deal.piles, strict=True)},
        "removed": {"floor": _codes(floors), "roof": _codes(roofs)},
    }


def _setup_from_record(value: Json, options: Options, seats: int) -> State:
    """A fresh state; every card of the box must be there, in the pile of its kind."""
    fields = object_in(value, "setup")
    first_seat = first_seat_in(fields, seats)
    piles = object_in(field_in(fields, "piles", "setup"), "piles")
    removed = object_in(field_in(fields, "removed", "setup"), "removed")
    floors_out = _cards(removed, Pile.FLOOR, "removed", REMOVED_FLOORS)
    roofs_out = _cards(removed, Pile.ROOF, "removed", REMOVED_ROOFS)
    if PILE_NAMES[Pile.CLOCK] in removed:
        _cards(removed, Pile.CLOCK, "removed", 0)
    floors = _pile(piles, Pile.FLOOR, floors_out, seats)
    clocks = _pile(piles, Pile.CLOCK, b"", seats)
    roofs = _pile(piles, Pile.ROOF, roofs_out, seats)
    return fresh(options, Deal(seats, first_seat, (floors, clocks, roofs), (floors_out, roofs_out)))


def _codes(cards: bytes) -> list[str]:
    return [CODES[card] for card in cards]


def _cards(piles: dict[str, Json], pile: int, where: str, count: int) -> bytes:
    """The cards under a pile's name: `count` of them, each of that pile's kind."""
    name = PILE_NAMES[pile]
    cards = pieces_in(piles, name, where, count, "card", CODES)
    for card in cards:
        if PILES[card] != pile:
            raise RecordError(f"{name} in {where} must have {name} cards only, not {CODES[card]}")
    return cards


def _pile(piles: dict[str, Json], pile: int, removed: bytes, seats: int) -> bytes:
    """A whole pile; together with the removed cards it must be the box less the start hands."""
    expected = pool(pile, seats)
    cards = _cards(piles, pile, "piles", len(expected) - len(removed))
    name = PILE_NAMES[pile]
    both = f"{name} in piles" if pile == Pile.CLOCK else f"{name} in piles and in removed"
    needs_all(_codes(cards + removed), _codes(expected), both)
    return cards


NOTATION: Final = Notation(
    RULES.words,
    rules=("first_heights", "turn_order", "ladder", "clock_mice"),
    values={"first_heights": (FIRST_HEIGHTS, "[1, 2] or [2]")},
    allowed=_allowed,
    setup_to_record=_setup_to_record,
    setup_from_record=_setup_from_record,
    names={"card": CODES.__getitem__, "pile": PILE_NAMES.__getitem__},
)

GAME: Final = Game(RULES, NOTATION, BOTS, judge=judge, plan=plan, opened=view.opened)
