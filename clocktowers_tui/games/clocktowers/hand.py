"""The player's hand and the three piles: framed cards, or one line of words where room is short."""

from collections.abc import Callable, Iterator, Sequence

from clocktowers_tui.games.clocktowers.actions import DISCARD, NUMBERS, PILES
from clocktowers_tui.games.clocktowers.cards import Held, count_text
from clocktowers_tui.games.clocktowers.choosing import Selection, Stage, picks
from clocktowers_tui.games.clocktowers.glyphs import Glyphs
from clocktowers_tui.games.clocktowers.holding import NEW_HAND, Holding
from clocktowers_tui.games.clocktowers.inks import ROOFS, Ink
from clocktowers_tui.games.clocktowers.marks import OUT, Marks, label
from clocktowers_tui.games.clocktowers.news import News
from clocktowers_tui.games.clocktowers.words import card_words, colour_words, short_code
from clocktowers_tui.games.spans import Row, Span, cells
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import FIRST_ROOF, Action, Discard, Phase, View


def slots(view: View) -> int:
    """Places for cards in the hand, so that nothing moves: 4 where a turn begins with a draw; after
    the match only those for the cards that are left."""
    if view.seat is None or view.turn is None:
        return len(view.hand)
    before_drawing = 3 if view.phase is Phase.DRAW else 4
    return 4 if view.hands[view.turn] == before_drawing else max(3, len(view.hand))


def hand_cards(
    view: View,
    selection: Selection,
    marks: Marks,
    glyphs: Glyphs,
    keymap: Keymap = DEFAULT_KEYS,
    held: Holding = NEW_HAND,
    asked: Sequence[Action] | None = None,
) -> list[Held]:
    """And an empty place for the card that the player draws next. A chosen card that a lesson does
    not ask to discard says nothing of that, and while the player only reads no card has a key."""
    taken = selection.stage is Stage.TOWER
    choosing = selection.stage in (Stage.CARD, Stage.TOWER) and not reads(asked)
    numbered = picks(view, selection) is Stage.CARD and not reads(asked)
    cards = []
    for index, card in enumerate(view.hand):
        at = choosing and index == selection.card
        goes = taken and at and (asked is None or Discard(card) in asked)
        out = label(OUT, marks, glyphs, keymap.name(DISCARD)) if goes else None
        key = keymap.names(NUMBERS[index : index + 1]) if numbered else ""
        cards.append(Held(card, key, at=at, chosen=taken and at, out=out))
    if view.turn is not None and len(cards) < slots(view) and any(view.left):
        cards.insert(held.gap, Held(0, ""))
    if 0 <= held.new < len(cards):
        cards[held.new] = cards[held.new]._replace(fresh=True)
    return cards


def reads(asked: Sequence[Action] | None) -> bool:
    """Whether nothing is asked for: a step of a lesson, or a match that is only looked at."""
    return asked is not None and not asked


def pile_cards(
    view: View,
    selection: Selection,
    news: News,
    keymap: Keymap = DEFAULT_KEYS,
    *,
    waiting: bool = False,
    asked: Sequence[Action] | None = None,
) -> list[Held]:
    """With their keys while the player draws: all are marked until one is picked, and while a draw
    is `waiting`, its pile's alone."""
    drawing = selection.stage is Stage.PILE and not reads(asked)
    return [
        Held(
            card,
            keymap.name(key) if drawing else "",
            count,
            at=drawing and _asks(view, selection, pile, waiting=waiting),
            chosen=drawing and pile == selection.pile,
            fresh=pile in news.piles,
        )
        for pile, (card, key, count) in enumerate(zip(view.piles, PILES, view.left, strict=True))
    ]


def _asks(view: View, selection: Selection, pile: int, *, waiting: bool) -> bool:
    if selection.stage is not Stage.PILE:
        return False
    return pile == selection.asked if waiting else selection.pile is None and view.left[pile] > 0


def cards_in_line(title: str, held: Sequence[Held], glyphs: Glyphs, width: int) -> Row:
    """`Your hand [1]floor cat  2 clock  3 Blue   ‹x› Discard`, or with codes where that takes more
    than `width` cells; a chosen card is marked as well."""
    return [span for _place, part in _parts(title, held, glyphs, width) for span in part]


def card_in_line(
    title: str, held: Sequence[Held], glyphs: Glyphs, width: int, x: int
) -> int | None:
    """Which card of such a line is at column `x`, or OUT."""
    end = 0
    for place, part in _parts(title, held, glyphs, width):
        start, end = end, end + cells(part)
        if start < x < end:  # the first cell is the gap
            return place
    return None


def _parts(
    title: str, held: Sequence[Held], glyphs: Glyphs, width: int
) -> list[tuple[int | None, Row]]:
    """In as many words as there is room for: all, without that of the key line, none."""
    for of_card, out in ((_words, " " + _("Discard")), (_words, ""), (short_code, "")):
        parts = [*_worded(title, held, glyphs, of_card, out)]
        if sum(cells(part) for _place, part in parts) <= width:
            break
    return parts


def _worded(
    title: str, held: Sequence[Held], glyphs: Glyphs, of_card: Callable[[int], str], out: str
) -> Iterator[tuple[int | None, Row]]:
    yield None, [Span(title, Ink.DIM)]
    for index, one in enumerate(held):
        if one.card or one.left is not None:
            yield index, _in_line(one, glyphs, of_card)
    for one in held:
        if one.out is not None:
            yield OUT, [Span("  "), one.out, Span(out)]


def _in_line(held: Held, glyphs: Glyphs, of_card: Callable[[int], str]) -> Row:
    at = held.at or held.chosen
    key = Span(
        f"[{held.key or glyphs.turn}]" if at else f" {held.key or ' '} ",
        Ink.MARKED if at else Ink.BOLD,
    )
    if held.fresh and held.left is None and not at:
        key = Span((held.key or " ").join(glyphs.fresh), Ink.FRESH)
    row = [Span(" "), key, _card(held, of_card)]
    if held.left is not None:
        row.append(Span(f" {count_text(held, glyphs)}", Ink.FRESH if held.fresh else None))
    return row


def _card(held: Held, of_card: Callable[[int], str]) -> Span:
    if not held.card:
        return Span("--", Ink.DIM)
    if held.chosen:
        return Span(of_card(held.card), Ink.MARKED)
    colour = held.card - FIRST_ROOF
    return Span(of_card(held.card), ROOFS[colour] if colour >= 0 else Ink.BOLD)


def _words(card: int) -> str:
    return colour_words(card) if card >= FIRST_ROOF else card_words(card)


def hand_title(view: View) -> str:
    return _("Your hand") if view.seat is not None else _("You are watching")
