"""The player's hand and the three piles: framed cards, or one line of words."""

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.clocktowers.actions import CARDS, DISCARD, PILES
from clocktowers_tui.games.clocktowers.choosing import OUT, Stage
from clocktowers_tui.games.clocktowers.inks import ROOFS, Glyphs
from clocktowers_tui.games.clocktowers.sight import Sight
from clocktowers_tui.games.clocktowers.towers import Scale
from clocktowers_tui.games.clocktowers.words import card_names, card_words, colour_words, short_code
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import (
    Block,
    Frame,
    Row,
    Span,
    cells,
    centred,
    cut,
    in_the_middle,
    line,
    side_by_side,
)
from clocktowers_tui.text.i18n import _, pgettext
from clocktowers_tui.text.spelling import kept
from protocol.games.clocktowers import FIRST_ROOF, Discard, Phase, View

# A card in a frame, small or large, and a row of them --------------------------------------------


class Held(NamedTuple):
    """One card of the row. `card` 0 = an empty place, of a hand one to be filled. `key`: what picks
    it now, "" for nothing. `left`: cards in the pile.

    `at`: the keys stand on it. `chosen`: it is taken up and waits for its tower, and `out` is then
    the place that discards it, in its corner. `fresh`: of a pile, somebody else has drawn here
    since the player's turn; of the player's own card, it is the one drawn last.
    """

    card: int
    key: str
    left: int | None = None
    at: bool = False
    chosen: bool = False
    out: Span | None = None
    fresh: bool = False


def framed_cards(held: Sequence[Held], gap: int, scale: Scale, glyphs: Glyphs) -> Block:
    """The cards side by side, `gap` cells between them."""
    return side_by_side([framed(one, scale, glyphs) for one in held], gap)


@kept
def framed(held: Held, scale: Scale, glyphs: Glyphs) -> Block:
    """What is chosen has a heavy frame and its name on a bar; both are loud in every look."""
    frame = glyphs.heavy if held.chosen else glyphs.light
    ink = Voice.LOUD if held.chosen else Voice.DIM
    side = Span(frame.down, ink)
    inner = scale.card_width - 2
    return [
        _top(held, frame, ink, inner, glyphs),
        *([side, *row, side] for row in _face(held, inner, scale, glyphs)),
        _foot(held, frame, ink, inner, scale),
    ]


def count_text(held: Held, glyphs: Glyphs) -> str:
    """`x12`, marked where somebody else has drawn."""
    return f"{glyphs.fresh[0] if held.fresh else ''}x{held.left}"


def _top(held: Held, frame: Frame, ink: Enum, inner: int, glyphs: Glyphs) -> Row:
    """The key, and in the other corner the count of a pile or that the card is new."""
    at = held.at or held.chosen
    name = cut(held.key, inner - 2)
    out = 0 if held.out is None else cells([held.out])
    framed_name = f"[{name}]" if at and name and len(name) + 2 + out <= inner else name
    key = Span(framed_name, Voice.MARKED if at else Voice.BOLD)
    corner = held.out or _corner(held, inner - cells([key]), glyphs)
    corner = Span(cut(corner.text, inner - cells([key])), corner.ink)
    ink = Voice.LOUD if at else ink
    rest = frame.across * (inner - cells([key, corner]))
    return [Span(frame.nw, ink), key, Span(rest, ink), corner, Span(frame.ne, ink)]


def _corner(held: Held, room: int, glyphs: Glyphs) -> Span:
    if held.left is not None:
        return Span(count_text(held, glyphs), Voice.LOUD if held.fresh else Voice.BOLD)
    if not held.fresh:
        return Span("")
    word = glyphs.fresh[0] + pgettext("on the card drawn last, 5 cells", "new")
    return Span(word if cell_len(word) <= room else glyphs.fresh[0], Voice.LOUD)


def _foot(held: Held, frame: Frame, ink: Enum, inner: int, scale: Scale) -> Row:
    """Its animal, if the face has no row for it."""
    told = 0 < held.card < FIRST_ROOF and not scale.has_detail_row
    within = _detail(held, inner) if told else []
    before = Span(frame.across * ((inner - cells(within)) // 2), ink)
    filled = line(inner, [before, *within], Span(frame.across, ink))
    return [Span(frame.sw, ink), *filled, Span(frame.se, ink)]


def _face(held: Held, inner: int, scale: Scale, glyphs: Glyphs) -> Block:
    rows = scale.card_height - 2
    blank: Row = [Span(" " * inner)]
    if not held.card:
        above = (rows - 1) // 2
        word = pgettext("on a card, 7 cells", "empty") if held.left is not None else ""
        empty: Row = [Span(centred(word, inner), Voice.DIM)]
        return [*[blank] * above, empty, *[blank] * (rows - 1 - above)]
    pictured = [in_the_middle(row, inner) for row in scale.picture(held.card, glyphs)]
    if held.card >= FIRST_ROOF and not scale.has_detail_row:
        pictured = [*pictured[1:], in_the_middle(_detail(held, inner), inner)]
    title = Span(centred(card_names(held.card).title, inner), Voice.MARKED if held.chosen else None)
    detail = [in_the_middle(_detail(held, inner), inner)] * scale.has_detail_row
    below = [blank] * (rows - len(pictured) - 1 - len(detail))
    return [*pictured, *below, [title], *detail]


def _detail(held: Held, inner: int) -> Row:
    words = card_names(held.card).detail
    if held.card >= FIRST_ROOF:
        # A blank at each end, but only where it costs no letter.
        ink = ROOFS[held.card - FIRST_ROOF]
        wide = [Span(f" {words} ", ink)]
        return wide if cells(wide) <= inner else [Span(words, ink)]
    return [Span(words)]


# The player's hand and the three piles: framed cards, or one line of words where room is short ---


def slots(view: View) -> int:
    """Places for cards in the hand, so that nothing moves: 4 where a turn begins with a draw; after
    the match only those for the cards that are left."""
    if view.seat is None or view.turn is None:
        return len(view.hand)
    before_drawing = 3 if view.phase is Phase.DRAW else 4
    return 4 if view.hands[view.turn] == before_drawing else max(3, len(view.hand))


def hand_cards(sight: Sight) -> list[Held]:
    """In the order of the view, in which a card stays where it is, and an empty place for the next
    one. A chosen card that a lesson does not ask to discard
    says nothing of that, and while the player only reads no card has a key."""
    scene, keymap = sight.scene, sight.keymap
    view, selection, asked, held = scene.view, scene.selection, scene.taught.asked, scene.holding
    out_now = selection.tower == OUT
    taken = selection.stage is Stage.TOWER
    picks = selection.stage in (Stage.CARD, Stage.TOWER) and not scene.taught.reads
    cards = []
    for index, card in enumerate(view.hand):
        at = (picks or taken) and index == selection.card
        goes = taken and at and (asked is None or Discard(card) in asked or out_now)
        ends, ink = (("[", "]"), Voice.MARKED) if out_now else (sight.glyphs.legal, Voice.BOLD)
        out = Span(keymap.name(DISCARD).join(ends), ink) if goes else None
        key = keymap.names(CARDS[index : index + 1]) if picks else ""
        cards.append(Held(card, key, at=at, chosen=taken and at, out=out))
    if held.new in view.hand:
        at_gap = view.hand[held.gap : held.gap + 1] == bytes((held.new,))
        at_new = held.gap if at_gap else view.hand.rindex(held.new)
        cards[at_new] = cards[at_new]._replace(fresh=True)
    if view.turn is not None and len(cards) < slots(view) and any(view.left):
        cards.insert(held.gap, Held(0, ""))
    return cards


def pile_cards(sight: Sight) -> list[Held]:
    """With their keys while the player draws: all that have cards are marked until one is picked,
    and while a draw is under way, its pile's alone."""
    scene, cards = sight.scene, []
    selection, piles = scene.selection, zip(scene.view.piles, PILES, scene.view.left, strict=True)
    drawing = selection.stage is Stage.PILE and not scene.taught.reads
    for pile, (card, key, left) in enumerate(piles):
        may = selection.pile is None and left > 0
        asks = pile == selection.asked if scene.waiting else may
        held = Held(card, sight.keymap.name(key) if drawing else "", left, at=drawing and asks)
        chosen, fresh = pile == selection.pile, pile in scene.news.piles
        cards.append(held._replace(chosen=chosen, fresh=fresh))
    return cards


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
    yield None, [Span(title, Voice.DIM)]
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
        Voice.MARKED if at else Voice.BOLD,
    )
    if held.fresh and held.left is None and not at:
        key = Span((held.key or " ").join(glyphs.fresh), Voice.LOUD)
    row = [Span(" "), key, _card(held, of_card)]
    if held.left is not None:
        row.append(Span(f" {count_text(held, glyphs)}", Voice.LOUD if held.fresh else None))
    return row


def _card(held: Held, of_card: Callable[[int], str]) -> Span:
    if not held.card:
        return Span("--", Voice.DIM)
    if held.chosen:
        return Span(of_card(held.card), Voice.MARKED)
    colour = held.card - FIRST_ROOF
    return Span(of_card(held.card), ROOFS[colour] if colour >= 0 else Voice.BOLD)


def _words(card: int) -> str:
    return colour_words(card) if card >= FIRST_ROOF else card_words(card)


def hand_title(view: View) -> str:
    return _("Your hand") if view.seat is not None else _("You are watching")
