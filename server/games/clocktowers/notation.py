"""Clocktowers in match records and in notation.

Readers believe nothing: they look at every type (`True` is not 1, 1.0 is not 1), leave alone fields
that they do not know, and raise a RecordError for everything that is wrong.
"""

from collections.abc import Sequence
from typing import Final

from protocol.errors import Refusal, RefusalCode
from protocol.games.clocktowers import (
    CODES,
    FIRST_HEIGHTS,
    PILE_NAMES,
    PILES,
    Action,
    ClockMice,
    Discard,
    Draw,
    Ladder,
    Options,
    Outcome,
    Phase,
    Pile,
    Play,
    Refused,
    TurnOrder,
)
from protocol.games.clocktowers.cards import REMOVED_FLOORS, REMOVED_ROOFS, pool
from server.games.clocktowers.state import Deal, State
from server.games.contract import Json, RecordError
from server.games.reading import (
    choice_in,
    counted_word,
    field_in,
    first_seats,
    integer_in,
    list_in,
    named_in,
    needs_all,
    no_move,
    object_in,
    quoted,
    worded,
    wrong,
)

# Clocktowers in notation: an action ↔ the words of its line (protocol/NOTATION.md).


def write_move(action: Action) -> str:
    """Towers are counted from 1, as on the screen."""
    if isinstance(action, Play):
        tower = "new" if action.tower is None else action.tower + 1
        return f"play {CODES[action.card]} {tower}"
    if isinstance(action, Discard):
        return f"discard {CODES[action.card]}"
    return f"draw {PILE_NAMES[action.pile]}"


def read_move(words: Sequence[str]) -> Json:
    """The action as a record has it; nobody has looked whether there is such a card or pile."""
    match words:
        case ["play", card, "new"]:
            return {"do": "play", "card": card, "tower": None}
        case ["play", card, tower]:
            return {"do": "play", "card": card, "tower": counted_word(tower, "tower") - 1}
        case ["discard", card]:
            return {"do": "discard", "card": card}
        case ["draw", pile]:
            return {"do": "draw", "pile": pile}
        case _:
            raise RecordError(no_move("play CARD TOWER", "discard CARD", "draw PILE"))


_BYTE_OF: Final = {code: card for card, code in enumerate(CODES) if code}
_CARD: Final = "card in action"
_PILE_OF: Final = {name: pile for pile, name in enumerate(PILE_NAMES)}


class ClocktowersNotation:
    """The game's part of the record format."""

    def options_to_record(self, options: Options) -> Json:
        """The four options that change the rules; the others are the table's, not the match's."""
        return {
            "first_heights": list(options.first_heights),
            "turn_order": options.turn_order.value,
            "ladder": options.ladder.value,
            "clock_mice": options.clock_mice.value,
        }

    def options_from_record(self, value: Json) -> Options:
        """Missing options are the defaults."""
        fields = object_in(value, "options")
        return Options(
            first_heights=_first_heights(fields),
            turn_order=choice_in(fields, "turn_order", TurnOrder.PLAY_DRAW),
            ladder=choice_in(fields, "ladder", Ladder.SHARED),
            clock_mice=choice_in(fields, "clock_mice", ClockMice.COUNT),
        )

    def allowed(self, option: str, seats: int) -> str:
        return "1,2 or 2" if option == "first_heights" else first_seats(seats)

    def setup_to_record(self, state: State) -> Json:
        """`piles` are top card first; `removed` in the order they were taken."""
        deal = state.deal
        floors, roofs = deal.removed
        return {
            "first_seat": deal.first_seat,
            "piles": {
                name: _codes(cards) for name, cards in zip(PILE_NAMES, deal.piles, strict=True)
            },
            "removed": {"floor": _codes(floors), "roof": _codes(roofs)},
        }

    def setup_from_record(self, value: Json, options: Options, seats: int) -> State:
        """A fresh state; every card of the box must be there, in the pile of its kind."""
        fields = object_in(value, "setup")
        first_seat = integer_in(fields, "first_seat", "setup", 0, seats - 1)
        piles = object_in(field_in(fields, "piles", "setup"), "piles")
        removed = object_in(field_in(fields, "removed", "setup"), "removed")
        floors_out = _cards(removed, Pile.FLOOR, "removed", REMOVED_FLOORS)
        roofs_out = _cards(removed, Pile.ROOF, "removed", REMOVED_ROOFS)
        if PILE_NAMES[Pile.CLOCK] in removed:
            _cards(removed, Pile.CLOCK, "removed", 0)
        floors = _pile(piles, Pile.FLOOR, floors_out, seats)
        clocks = _pile(piles, Pile.CLOCK, b"", seats)
        roofs = _pile(piles, Pile.ROOF, roofs_out, seats)
        deal = Deal(
            seats=seats,
            first_seat=first_seat,
            piles=(floors, clocks, roofs),
            removed=(floors_out, roofs_out),
        )
        return State(options, deal)

    def same_deal(self, state: State, dealt: State) -> bool:
        """The cards only: no record says whether the table chose who begins."""
        return (state.deal.piles, state.deal.removed) == (dealt.deal.piles, dealt.deal.removed)

    def action_to_record(self, action: Action) -> Json:
        if isinstance(action, Play):
            return {"do": "play", "card": CODES[action.card], "tower": action.tower}
        if isinstance(action, Discard):
            return {"do": "discard", "card": CODES[action.card]}
        return {"do": "draw", "pile": PILE_NAMES[action.pile]}

    def action_from_record(self, value: Json) -> Action:
        fields = object_in(value, "action")
        match field_in(fields, "do", "action"):
            case "play":
                return Play(_card(field_in(fields, "card", "action"), _CARD), _tower(fields))
            case "discard":
                return Discard(_card(field_in(fields, "card", "action"), _CARD))
            case "draw":
                pile = field_in(fields, "pile", "action")
                return Draw(named_in(pile, _PILE_OF, "pile in action"))
            case other:
                raise wrong("do in action", quoted(("play", "discard", "draw")), other)

    action_to_move = staticmethod(write_move)
    action_from_move = staticmethod(read_move)

    def outcome_to_record(self, outcome: Outcome) -> Json:
        return {
            "scores": list(outcome.scores),
            "winners": list(outcome.winners),
            "decided_by": outcome.decided_by.value,
        }

    def describe(self, refusal: Refusal) -> str:
        """A refusal in English, cards by their codes."""
        params = dict(refusal.params)
        if isinstance(card := params.get("card"), int) and 0 < card < len(CODES):
            params["card"] = CODES[card]
        if isinstance(pile := params.get("pile"), int) and 0 <= pile < len(PILE_NAMES):
            params["pile"] = PILE_NAMES[pile]
        if isinstance(heights := params.get("heights"), list):
            params["heights"] = " or ".join(map(str, heights))
        if isinstance(phase := params.get("phase"), str):
            params["possible"] = '"draw"' if phase == Phase.DRAW else '"play" or "discard"'
        return worded(refusal, _SENTENCES, params)


_SENTENCES: Final[dict[str, str]] = {
    RefusalCode.MATCH_OVER: "the match is over before this action",
    RefusalCode.NOT_YOUR_TURN: "it is another seat's turn",
    Refused.WRONG_PHASE: "the action must be {possible} now",
    Refused.NOT_IN_HAND: "card must be in the seat's hand, and {card} is not",
    Refused.NO_SUCH_TOWER: "there is no tower {tower}: the seat has {towers}, counted from 0",
    Refused.NEEDS_TOWER: "tower must not be null: only a floor starts a tower, {card} goes on one",
    Refused.TOWER_COMPLETE: "tower {tower}, counted from 0, is complete and takes no more cards",
    Refused.HAS_CLOCK: "tower {tower}, counted from 0, has a clock, {card} does not go above one",
    Refused.NO_CLOCK: "tower {tower}, counted from 0, has no clock yet, a roof needs one",
    Refused.WRONG_HEIGHT: (
        "tower {tower}, counted from 0, is {height} high, "
        "the ladder asks for {heights} under {card}"
    ),
    Refused.PILE_EMPTY: "pile must have cards left, and {pile} has none",
}


def _codes(cards: bytes) -> list[str]:
    return [CODES[card] for card in cards]


def _first_heights(fields: dict[str, Json]) -> tuple[int, ...]:
    if "first_heights" not in fields:
        return Options().first_heights
    value = fields["first_heights"]
    if isinstance(value, list) and all(type(height) is int for height in value):
        heights = tuple(value)
        if heights in FIRST_HEIGHTS:
            return heights
    raise RecordError("option first_heights must be [1, 2] or [2]")


def _card(value: Json, where: str) -> int:
    return named_in(value, _BYTE_OF, where)


def _tower(fields: dict[str, Json]) -> int | None:
    """null is a new tower; a missing field is a mistake, not a new tower."""
    if "tower" in fields and fields["tower"] is None:
        return None
    return integer_in(fields, "tower", "action", 0)


def _cards(piles: dict[str, Json], pile: int, where: str, count: int) -> bytes:
    """The cards under a pile's name: `count` of them, each of that pile's kind."""
    name = PILE_NAMES[pile]
    value = list_in(piles, name, where)
    if len(value) != count:
        raise RecordError(f"{name} in {where} must have {count} cards, not {len(value)}")
    cards = bytes(_card(card, f"a card of {name} in {where}") for card in value)
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
