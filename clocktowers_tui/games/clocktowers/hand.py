"""One's own hand and the three piles: framed cards, or one line of codes where room is short."""

from collections.abc import Sequence
from typing import Final

from clocktowers_tui.games.clocktowers.cards import Held
from clocktowers_tui.games.clocktowers.choosing import Selection, Stage
from clocktowers_tui.games.clocktowers.inks import ROOFS, Ink
from clocktowers_tui.games.clocktowers.spans import Row, Span
from clocktowers_tui.i18n import _
from protocol.games.clocktowers import CODES, FIRST_ROOF, Phase, View

PILE_KEYS: Final = "fcr"


def slots(view: View) -> int:
    """Places for cards in the hand, so that nothing moves: 4 where a turn begins with a draw."""
    if view.seat is None:
        return 0
    if view.turn is None:
        return max(3, len(view.hand))
    before_drawing = 3 if view.phase is Phase.DRAW else 4
    return 4 if view.hands[view.turn] == before_drawing else max(3, len(view.hand))


def hand_cards(view: View, selection: Selection) -> list[Held]:
    chosen = selection.stage is Stage.TOWER
    choosing = selection.stage in (Stage.CARD, Stage.TOWER)
    return [
        Held(
            card,
            str(index + 1),
            at=choosing and index == selection.card,
            chosen=chosen and index == selection.card,
        )
        for index, card in enumerate(view.hand)
    ]


def pile_cards(view: View, selection: Selection) -> list[Held]:
    drawing = selection.stage is Stage.PILE
    return [
        Held(card, key, count, chosen=drawing and pile == selection.pile)
        for pile, (card, key, count) in enumerate(
            zip(view.piles, PILE_KEYS, view.left, strict=True)
        )
    ]


def cards_in_line(title: str, held: Sequence[Held]) -> Row:
    """`Hand  1 2c  [2]K-  3 Rb`; the chosen card's code is marked as well."""
    row = [Span(title, Ink.DIM)]
    if not held:
        return row
    for one in held:
        at = one.at or one.chosen
        key = Span(f"[{one.key}]" if at else f" {one.key} ", Ink.MARKED if at else Ink.BOLD)
        row += [Span(" "), key, _code(one)]
        if one.left is not None:
            row.append(Span(f" x{one.left}"))
    return row


def _code(held: Held) -> Span:
    if not held.card:
        return Span("--", Ink.DIM)
    if held.chosen:
        return Span(CODES[held.card], Ink.MARKED)
    colour = held.card - FIRST_ROOF
    return Span(CODES[held.card], ROOFS[colour] if colour >= 0 else Ink.BOLD)


def hand_title(view: View) -> str:
    return _("Your hand") if view.seat is not None else _("You are watching")
