"""The Wheel: eight cards in a ring, in its hole the player's card, below it what came of a
declaration, and what to do now."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.motion import Moment, on_board
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.parts import Cell, Hit, Size
from clocktowers_tui.games.spans import (
    Block,
    Edge,
    Rect,
    Row,
    Span,
    block,
    centred,
    cut,
    paint,
    shortened,
    whole,
    wrapped,
)
from clocktowers_tui.games.wild_wild_pattern import choosing
from clocktowers_tui.games.wild_wild_pattern.cards import (
    Rim,
    back_block,
    card_block,
    compact,
    named_alike,
)
from clocktowers_tui.games.wild_wild_pattern.choosing import RACES, Offer, What, asked
from clocktowers_tui.games.wild_wild_pattern.face import label_in_halves, name_of, told_in_halves
from clocktowers_tui.games.wild_wild_pattern.hinting import how_you_stand
from clocktowers_tui.games.wild_wild_pattern.inks import Glyphs, Ink
from clocktowers_tui.games.wild_wild_pattern.log import came_of, loud, spoken, wild_word
from clocktowers_tui.games.wild_wild_pattern.sentences import expected, phase_title, told
from clocktowers_tui.games.wild_wild_pattern.sheet import goal
from clocktowers_tui.games.wild_wild_pattern.sight import (
    SMALL,
    Scale,
    Scene,
    Sight,
    beside,
    news,
    shown_news,
)
from clocktowers_tui.games.wild_wild_pattern.words import capital
from clocktowers_tui.keys.keymap import ways_to_move
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.wild_wild_pattern import Phase
from protocol.games.wild_wild_pattern.bank import verdict
from protocol.games.wild_wild_pattern.cards import PLACES, Direction, Fault, is_pattern
from protocol.ids import Seat


class Marks(NamedTuple):
    """Which places are marked, and which links between two, each named by the place before it,
    clockwise: in the ink of a hit, or of what speaks against one."""

    places: Mapping[int, Ink] = {}
    links: Mapping[int, Ink] = {}


def marks(scene: Scene) -> Marks:
    """Of the turn's declaration, on the Wheel that is shown; none on the Wheel of the next race."""
    said, wheel = shown_news(scene), scene.wheel
    if said is None or said.pattern is None or len(said.wheel) != PLACES:
        return Marks()
    found, against = verdict(said.wheel, said.pattern)
    ink, marked = Ink.HIT, found
    if said.fault is Fault.UNTRUE:
        ink, marked = Ink.WRONG, found._replace(anchors=() if against is None else (against,))
    places = marked.places or {*found.anchors}
    there = [at for at in places if wheel[at] in (0, said.wheel[at])]
    return Marks(dict.fromkeys(there, ink), dict.fromkeys(marked.links, ink))


# The Wheel: eight cards in a ring, with arrows that say which way *after* is.
#
# Laws: a digit stands on the places that can be picked, and on all where none can, so that
# little changes when a race begins. A frame has one meaning: `heavy` the cursor, `shot` the card
# just played, `pair` what a declaration spoke of.


Placed = list[tuple[Rect, Block]]


def wheel_block(sight: Sight, size: Size) -> Block:
    """All of it but the hole."""
    found = marks(sight.scene)
    return paint(*size, [*_cards(sight, found), *_arrows(sight, found)])


def place_under(sight: Sight, _size: Size, at: Cell) -> Hit | None:
    """The place under a cell."""
    places = sight.layout.places
    place = next((one for one in range(PLACES) if places[one].holds(*at)), None)
    return None if place is None else Hit(choosing.point, (Offer(What.PLACE, place),))


# Cards -------------------------------------------------------------------------------------------


def _cards(sight: Sight, found: Marks) -> Placed:
    scene, scale, glyphs = sight.scene, sight.layout.scale, sight.glyphs
    rims = [_rim(scene, place, found, glyphs) for place in range(PLACES)]
    cards = zip(scene.wheel, rims, strict=True)
    blocks = [card_block(card, scale, glyphs, rim) for card, rim in cards]
    return [*zip(sight.layout.places, blocks, strict=True)]


def _rim(scene: Scene, place: int, found: Marks, glyphs: Glyphs) -> Rim:
    view, digit = scene.view, str(place + 1)
    if view.phase is Phase.DECLARE and place == view.place:
        return Rim(digit.join(glyphs.fresh), Voice.LOUD, glyphs.shot, Voice.LOUD)
    offered = choosing.on_offer(view, scene.selection)
    can_be_picked = {offer.number for offer in offered if offer.what is What.PLACE}
    lit = found.places.get(place)
    pair = None if lit is None else glyphs.pair
    if can_be_picked and place not in can_be_picked:
        return Rim("", lit, pair)  # where some can be picked, those that cannot have no number
    if choosing.cursor(view, scene.selection) == Offer(What.PLACE, place):
        return Rim(f"[{digit}]", Voice.LOUD, glyphs.heavy, Voice.MARKED)
    if scene.halved:
        return Rim(f" {label_in_halves(place)} ", lit, pair)
    loud = bool(can_be_picked) and asked(view) not in RACES
    label_ink = Voice.MARKED if loud else Voice.BOLD
    return Rim(f" {digit} ", lit, pair, label_ink)


# Arrows ------------------------------------------------------------------------------------------


def _arrows(sight: Sight, found: Marks) -> Placed:
    """From each card to the one after it; once a direction is picked, that way and strong."""
    picked, glyphs = sight.scene.selection.direction, sight.glyphs
    placed: Placed = []
    for place, (x, y, width, way) in enumerate(beside(sight.layout.scale)):
        shown = glyphs.arrows[(way + 2) % 4 if picked is Direction.BEFORE else way]
        ink = found.links.get(place, Edge.QUIET if picked is None else Voice.MARKED)
        if ink is Ink.WRONG:
            shown = glyphs.cross
        placed.append((Rect(x, y, width, 1), [[Span(centred(shown, width), ink)]]))
    return placed


# The hole, with the player's card ----------------------------------------------------------------


def own_block(sight: Sight, size: Size) -> Block:
    """The word above the card, the deck below it."""
    width, height = size
    scale = sight.layout.scale
    side = Span(" " * scale.across)
    card: Block = [[side, *row] for row in _card(sight)]
    if sight.scene.halved and sight.scene.view.phase is not Phase.CLICKED:
        card = _hands(sight, width)
    above: Block = [[]] * ((scale.down - 1) // 2)
    said, ink = _word(sight.scene)
    word = [Span(centred(_spaced(said, width), width), ink)]
    return block(
        width,
        height,
        [*above, word, *[[]] * (scale.down - 1 - len(above)), *card, *above, _deck(sight, width)],
    )


def own_under(sight: Sight, _size: Size, _at: Cell) -> Hit | None:
    """A click on the player's card says that they are ready."""
    return Hit(choosing.confirm) if asked(sight.scene.view) is Phase.READY else None


# The word ----------------------------------------------------------------------------------------


def _word(scene: Scene) -> tuple[str, Enum]:
    view, said = scene.view, shown_news(scene)
    if scene.wild:
        return wild_word(), Ink.HIT
    if said is not None:
        return loud(said), Ink.HIT if said.anchors else Ink.WRONG
    untold = scene.taught.reads and view.phase is Phase.READY
    return "" if untold else phase_title(view), Voice.LOUD


def _spaced(word: str, width: int) -> str:
    """S H O O T ! where there is room for it."""
    return " ".join(word) if 2 * len(word) + 4 <= width else word


def _deck(sight: Sight, width: int) -> Row:
    view, scene = sight.scene.view, sight.scene
    if view.covered and view.phase is Phase.DECLARE:
        return _covered(view.covered, width, sight.glyphs)
    left = pgettext("before a number of cards, 6 cells", "Deck") + f" {view.left}"
    when = _("round {round}, turn {turn}").format(round=view.round, turn=view.turn)
    forms = [f"{left}, {when}", capital(when), left]
    if scene.waiting:
        forms = [f"{left} {sight.glyphs.sending}", left]
    return [Span(centred(shortened(forms, width), width), Edge.WORDS)]


def _covered(card: int, width: int, glyphs: Glyphs) -> Row:
    """What lies below the played card."""
    text = pgettext("before a card that is covered, 3 cells", "on") + " "
    room = width - cell_len(text)
    [shown] = named_alike([card], room, glyphs)
    blank = " " * max(0, (width - cell_len(text) - cell_len(shown.text)) // 2)
    return [Span(blank + text, Edge.WORDS), shown]


# The card ----------------------------------------------------------------------------------------


def _card(sight: Sight) -> Block:
    view, scale, glyphs = sight.scene.view, sight.layout.scale, sight.glyphs
    if sight.scene.wild:
        return _wild(sight)
    card, label = view.card, pgettext("on your own card, 7 cells", "yours")
    if view.clicked and view.phase is Phase.CLICKED:
        card, label = view.clicked, pgettext("on a clicked card, 7 cells", "Click!")
    if is_pattern(card):
        return card_block(card, scale, glyphs, _own_rim(label, scale))
    if view.seat is not None and view.in_hand[view.seat]:
        return back_block(scale, glyphs, Rim(_padded(label, scale), Edge.TURN, label_ink=Edge.TURN))
    return [[Span(" " * scale.width)] for _ in range(scale.height)]


def _hands(sight: Sight, width: int) -> Block:
    """The cards of two people, side by side where they fit."""
    scene, glyphs, height = sight.scene, sight.glyphs, sight.layout.scale.height
    scale = SMALL._replace(width=(width - 1) // 2)
    beside = scale.width >= SMALL.width
    blocks = list[Block]()
    for person, hand in enumerate(scene.hands):
        name, shown = name_of(scene, person), is_pattern(hand.card)
        rim = Rim(cut(name, scale.width - 2, glyphs.ellipsis), Edge.TURN)
        if not beside:
            card = compact(hand.card, glyphs) if shown else Span(glyphs.none)
            blocks.append([[Span(cut(name, width, glyphs.ellipsis))], [card]])
        elif shown:
            blocks.append(card_block(hand.card, scale, glyphs, rim))
        else:
            blocks.append(back_block(scale, glyphs, rim))
    if not beside:
        return [row for one in blocks for row in one]
    above: Block = [[]] * ((height - scale.height) // 2)
    rows = [[*left, Span(" "), *right] for left, right in zip(*blocks, strict=True)]
    return [*above, *rows, *[[]] * (height - scale.height - len(above))]


def _wild(sight: Sight) -> Block:
    """What has won the match, a card a row, where there are so many rows."""
    width, height, *_apart = sight.layout.scale
    shown = named_alike([*sight.scene.wild], width, sight.glyphs)
    above = max(0, height - len(shown)) // 2
    before = (width - max((cell_len(span.text) for span in shown), default=0)) // 2
    return block(width, height, [*[[]] * above, *([Span(" " * before), span] for span in shown)])


def wild_moment(sight: Sight) -> Moment | None:
    """The word letter by letter in the middle, and with each letter a card."""
    if (place := sight.places.get("own-card")) is None:
        return None
    width, height, across, down = sight.layout.scale
    word, count = _spaced(wild_word(), place.width), min(len(sight.scene.wild), height)
    first = down + (height - count) // 2
    lit = [Rect(across, first + n, width, 1) for n in range(count)]
    starts = place.x + (place.width - cell_len(word)) // 2, place.y + (down - 1) // 2
    return Moment(("own-card",), on_board(place, lit), word, starts, spelt=True)


def _own_rim(label: str, scale: Scale) -> Rim:
    """The label only where the card's own words have room beside it."""
    roomy = scale is SMALL or scale.width >= _ROOMY
    return Rim(_padded(label, scale) if roomy else "", Edge.TURN, label_ink=Edge.TURN)


def _padded(label: str, scale: Scale) -> str:
    return f" {label} " if cell_len(label) + 4 <= scale.width else label


_ROOMY: Final = 22
"""Columns of a card that has words and a label."""


# Below the Wheel: what came of the last declaration, and what to do now --------------------------


def told_rows(sight: Sight, width: int, height: int) -> Block:
    """Whole sentences only, as far as there is room."""
    height = sight.rows(height)
    said = [*_sentences(sight, width, height)]
    found = whole((text for text, _ink in said), width, height)
    rows: Block = []
    for (first, *others), (_text, ink) in zip(found, said, strict=False):
        rows += [_keyed(first, ink), *([Span(row, ink)] for row in others)]
    return rows


def _keyed(text: str, ink: Enum | None) -> Row:
    """A key that begins a sentence is what one looks for."""
    keys, colon, words = text.partition(": ")
    if ink is not None or not colon or len(keys) > _LONGEST_KEYS:
        return [Span(text, ink)]
    return [Span(keys + colon, Voice.BOLD), Span(words)]


_LONGEST_KEYS: Final = 16

_CHOOSING: Final = (Phase.TAKE, Phase.LAY)
"""Then as much has to be read below what was declared."""


def _sentences(sight: Sight, width: int, height: int) -> Iterator[tuple[str, Enum | None]]:
    scene = sight.scene
    fits = None if sight.layout.framed else (width, height)
    yield from _declared(scene, fits)
    if scene.taught.led:
        if asked(scene.view) is Phase.DECLARE:
            yield capital(told(scene.view, scene.selection)[0]), Voice.BOLD
        return
    if scene.replayed:
        yield expected(scene.view, scene.names), None
        return
    to_do = told(scene.view, scene.selection, sight.keymap, guided=scene.taught.guided)
    if scene.halved:
        to_do = [*told_in_halves(scene)]
    if asked(scene.view) is Phase.DECLARE:
        sentence, *how = to_do
        yield capital(sentence), Voice.BOLD
        yield from ((text, None) for text in how)
    else:
        yield from ((text, None) for text in to_do or [expected(scene.view, scene.names)])
    if scene.has_proof and scene.view.phase is Phase.READY and not scene.taught.guided:
        text = _("{moves}: see the new Wheel") if scene.proves else _("{moves}: see the last shot")
        yield text.format(moves=ways_to_move(sight.keymap)), None
    if scene.taught.guided:
        return
    if scene.view.phase is Phase.READY:
        yield from ((text, Voice.DIM) for text in _before_a_race(sight))
    else:
        yield from ((text, Voice.DIM) for text in how_you_stand(scene.view))


def _before_a_race(sight: Sight) -> Iterator[str]:
    """What there is time to read."""
    view = sight.scene.view
    if asked(view) is Phase.READY and not sight.scene.has_proof:
        yield _("Look at the Wheel first: the race has not begun.")
    yield from how_you_stand(view)
    if "goal" not in sight.places:
        yield from goal(view.options)


def _declared(scene: Scene, fits: Size | None) -> Iterator[tuple[str, Enum | None]]:
    """`fits`: a small board. There the player's own pattern is known, only what came of it is said;
    of another player's as much as leaves a row for what to do now."""
    said, view = news(scene.view), scene.view
    if said is None:
        return
    you = None if view.seat is None else Seat(view.seat)
    text = spoken(said, scene.names, you)
    if said.pattern is not None and fits is not None:
        width, height = fits
        height -= asked(view) in _CHOOSING
        short = came_of(said, said.pattern)
        named = [] if said.seat == you else [text, f"{scene.names[said.seat]}. {short}"]
        text = next((one for one in named if len(wrapped(one, width)) < height), short)
    yield text, Ink.HIT if said.anchors else Ink.WRONG
    if not said.anchors and sum(view.standing) > 1:
        yield _("Each opponent takes a card of the Wheel."), Voice.DIM
