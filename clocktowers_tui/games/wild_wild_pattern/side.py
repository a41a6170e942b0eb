"""What stands beside the Wheel: the players with what each has won, and below them the list to pick
from, a declaration's features, or Challenge cards and what they are used on.

Laws: during a declaration every feature has its place, so that picking moves nothing; what can be
picked stands there with its key, and nothing else does.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from rich.cells import cell_len

from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import (
    Edge,
    Row,
    Span,
    cells,
    cut,
    flowed,
    line,
    nameplate,
    shortened,
    wrapped,
)
from clocktowers_tui.games.wild_wild_pattern import choosing
from clocktowers_tui.games.wild_wild_pattern.cards import (
    Form,
    card_block,
    challenge_block,
    compact,
    fitting,
    ink_of,
    named,
    signed,
    titled,
)
from clocktowers_tui.games.wild_wild_pattern.choosing import (
    COLUMNS,
    RACES,
    WAYS,
    Offer,
    What,
    asked,
    grid,
    keys_for,
)
from clocktowers_tui.games.wild_wild_pattern.hinting import Nearness, nearness
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, Glyphs, Ink
from clocktowers_tui.games.wild_wild_pattern.sight import SMALL, Scene, Sight, seats_in_order
from clocktowers_tui.games.wild_wild_pattern.words import (
    card_title,
    card_words,
    challenge_names,
    feature_letter,
    feature_names,
    money,
)
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.wild_wild_pattern import Phase, View
from protocol.games.wild_wild_pattern.bank import MAX_CARDS
from protocol.games.wild_wild_pattern.cards import (
    FEATURES,
    FIRST_COLOUR,
    FIRST_SUIT,
    PAYS,
    Colour,
    is_pattern,
    object_of,
    suit_of,
)

_STATUS = 8


class Written(NamedTuple):
    """How cards are written that players have. `form`: of their names; without one they are drawn.
    `apart`: Challenge cards have rows of their own. `explained`: the player's own have what they do
    below them."""

    form: Form | None
    apart: bool = False
    explained: bool = False


def player_rows(scene: Scene, width: int, glyphs: Glyphs, how: Written) -> list[Row]:
    """The player's own first; three lines each, and more where somebody has many cards."""
    seats = range(len(scene.view.won)) if scene.hands else seats_in_order(scene.view)
    return [row for seat in seats for row in _player(scene, seat, width, glyphs, how)]


def legend(width: int) -> list[Row]:
    """What the letters of colours and suits mean, as far as not just their own word begins with
    them in this language."""
    letters = {feature_names(n).words: feature_letter(n) for n in range(FIRST_COLOUR, FEATURES)}
    begins = {word: [one for one in letters if one[0].upper() == letters[word]] for word in letters}
    odd = [word for word in letters if begins[word] != [word]]
    spans = [[Span(f"{letters[word].lower()} {word}", Voice.DIM)] for word in odd]
    return [[Span("  "), *row] for row in flowed(spans, 2, width - 2)]


def _player(scene: Scene, seat: int, width: int, glyphs: Glyphs, how: Written) -> Iterator[Row]:
    view = scene.view
    right = f" {money(view.money[seat])} "
    room = width - 2 - cell_len(right) - _STATUS
    there = view.standing[seat] and seat not in scene.away
    acts = view.acting == seat and view.phase is not Phase.OVER
    own = seat == view.seat and not scene.hands
    name = nameplate(scene.names[seat], room, glyphs.ellipsis, own=own)
    yield [
        Span(f"{glyphs.turn} " if acts else "  ", Voice.LOUD),
        *line(room, [Span(name, Voice.BOLD if there else Voice.DIM)]),
        Span(right, Ink.MONEY),
        Span(status(view, seat), Voice.LOUD if acts else Voice.DIM),
    ]
    yield _near(scene, seat, width, glyphs)
    won, challenges = sorted(view.won[seat]), view.challenges[seat]
    explained = challenges if how.explained and own else b""
    if how.form is None:
        yield from _drawn([*won, *challenges], width, glyphs)
    else:
        rest = b"" if explained else challenges
        kinds = [[*_named(cards, how.form, glyphs, width - 2, how.apart)] for cards in (won, rest)]
        groups = kinds if how.apart else [[*kinds[0], *kinds[1]]]
        shown = [row for spans in groups for row in flowed(spans, 1, width - 2)]
        yield from ([Span("  "), *row] for row in shown or [[]])
    for card in explained:
        name = named(card, Form.WORDS, glyphs).text
        forms = _("Challenge: {card}").format(card=name), name
        yield [Span("  "), Span(shortened(forms, width - 2), Ink.CHALLENGE)]
        does = wrapped(challenge_names(card).does, width - 4)
        yield from ([Span("    "), Span(row, Voice.DIM)] for row in does)


def _named(
    cards: Iterable[int], form: Form, glyphs: Glyphs, room: int, apart: bool
) -> Iterator[Row]:
    """A Challenge card's title alone does not say what it is."""
    for n, card in enumerate(cards):
        span = named(card, form, glyphs)
        said = _("Challenge: {card}").format(card=span.text)
        says_it = not n and (apart or form is Form.WORDS) and not is_pattern(card)
        yield [Span(said, span.ink) if says_it and cell_len(said) <= room else span]


# How near to WILD --------------------------------------------------------------------------------


def _near(scene: Scene, seat: int, width: int, glyphs: Glyphs) -> Row:
    """Players that are out have nothing to come near to; a lesson speaks of WILD at its end, and of
    the Target where the first card is taken, and shows neither before."""
    view, untold = scene.view, "wild" in scene.taught.hidden
    if untold and (view.phase is Phase.TAKE or view.round > 1):
        return [Span("  "), *_target(view, seat, width - 2, glyphs)]
    if untold or not view.standing[seat]:
        return [Span(" ")]
    found = nearness(view, seat)
    roomy = width >= _ROOMY
    counts = roomy or found.lost or found.thing is not None
    near = Voice.LOUD if found.wild == MAX_CARDS - 1 else None
    pips: Row = [Span("  "), *([] if counts and not roomy else [Span(_head(found), near)])]
    for colour, ink in zip(() if found.lost else Colour, COLOURS, strict=False):
        has = colour in found.colours
        letter = feature_letter(FIRST_COLOUR + colour)
        pips += [Span(letter, ink) if has else Span(glyphs.none, Voice.DIM), Span(" " * roomy)]
    pips += [Span(" ")] if counts and not roomy and not found.lost else []
    count = _count(found, glyphs, width - _BESIDE) if counts else Span("")
    room = width - cells(pips) - cells([count]) - 1
    target = _target(view, seat, room, glyphs)
    room = width - cells(pips) - cells(target)
    return [*pips, *line(room, [count]), *target]


def _head(found: Nearness) -> str:
    """What the colours after it are for."""
    return "" if found.lost else pgettext("before a player's colours, 5 cells", "WILD") + " "


_BESIDE: Final = 15
"""Cells beside a count: a Target in few words."""


def _count(found: Nearness, glyphs: Glyphs, room: int) -> Span:
    """What is counted towards WILD, or why it is none; where there is little room the colours
    themselves say how many."""
    if found.lost:
        colour = feature_names(FIRST_COLOUR + (found.twice or 0)).words
        why = _("no WILD: {colour} twice").format(colour=colour)
        told = found.thing is None and cell_len(why) <= room
        short = pgettext("beside a player's colours, 8 cells", "no WILD")
        return Span(why if told else short, Voice.DIM)
    ink = Voice.LOUD if found.wild == MAX_CARDS - 1 else None
    if found.thing is not None:
        counted = _("{n} of 5: {thing}").format(n=found.wild, thing=signed(found.thing, glyphs))
    else:
        counted = _("{n} of 5").format(n=found.wild)
    return Span(counted, ink)


def _target(view: View, seat: int, room: int, glyphs: Glyphs) -> Row:
    """As many words as there is room for beside a count."""
    # TRANSLATORS: a game word: the object for which the Bank pays a player more.
    feature, head = view.targets[seat], Span(_("Target") + " ", Edge.WORDS)
    return [head, Span(fitting(feature, room - cells([head]), glyphs))]


_ROOMY: Final = 40


# What each has won -------------------------------------------------------------------------------


def _drawn(cards: Sequence[int], width: int, glyphs: Glyphs) -> Iterator[Row]:
    """Side by side, as many as fit; an empty row where there are none."""
    shown = cards[: (width - 2) // (SMALL.width + 1)]
    draws = [card_block if is_pattern(card) else challenge_block for card in shown]
    blocks = [draw(card, SMALL, glyphs) for draw, card in zip(draws, shown, strict=True)]
    for y in range(SMALL.height):
        yield [Span("  "), *(part for one in blocks for part in (*one[y], Span(" ")))]


def status(view: View, seat: int) -> str:
    """Whether the player is out, ready, waits, passes or may still shoot; in 7 cells."""
    if not view.standing[seat]:
        return pgettext("beside a player, 7 cells", "out")
    if view.phase is Phase.OVER:
        return ""
    if view.waiting[seat]:
        return pgettext("beside a player, 7 cells", "waits")
    if view.phase is Phase.CLICKED and view.clicker == seat:
        return pgettext("beside a player, 7 cells", "Click!")
    if view.done[seat] and view.phase is Phase.READY:
        return pgettext("beside a player, 7 cells", "ready")
    if view.done[seat] and view.phase in RACES:
        return pgettext("beside a player, 7 cells", "passes")
    aims = view.in_hand[seat] and view.phase in RACES
    return pgettext("beside a player, 7 cells", "looking") if aims else ""


# What is to be picked -----------------------------------------------------------------------------


Picker: TypeAlias = Sequence[Sequence[tuple[Offer | None, Row]]]
"""Line by line what stands side by side; None: nothing that can be picked."""


def picker(sight: Sight, width: int) -> Picker:
    """What the player picks beside the Wheel now; empty where there is nothing to pick."""
    match asked(sight.scene.view):
        case Phase.DECLARE:
            return _declaring(sight, width)
        case Phase.CHALLENGE:
            return _lines(sight, width)
        case _:
            return ()


def picked(shown: Picker, x: int, y: int) -> Offer | None:
    """What of it stands in this cell."""
    for offer, row in shown[y] if 0 <= y < len(shown) else ():
        if 0 <= x < cells(row):
            return offer
        x -= cells(row)
    return None


# A declaration -----------------------------------------------------------------------------------

_WAY: Final = 10
"""Cells of BEFORE and of AFTER, with the key and the brackets: they stand close together, for they
are no heads of the columns below."""


def _declaring(sight: Sight, width: int) -> Picker:
    scene, each = sight.scene, width // COLUMNS
    keyed = {*WAYS.values(), *choosing.on_offer(scene.view, scene.selection)}

    def cell(offer: Offer, wide: int) -> tuple[Offer | None, Row]:
        if offer not in keyed:
            return None, [Span(" " * wide)]
        key = _key(sight, offer)
        words = _words(scene, offer, wide - 1, sight.glyphs)
        return offer, line(wide, [Span(f"{key:1}", Voice.BOLD), words])

    [ways, *others] = grid(scene.view, scene.selection)
    # TRANSLATORS: above the second half of a pattern that is being said.
    what = _("comes:") if scene.selection.anchor is not None else _("every:")
    beside = Span(cut(what, width - COLUMNS * _WAY, sight.glyphs.ellipsis))
    first = [*(cell(way, _WAY) for way in ways), (None, [beside])]
    return [first, *([cell(offer, each) for offer in row] for row in others)]


def _words(scene: Scene, offer: Offer, width: int, glyphs: Glyphs) -> Span:
    selection, ground = scene.selection, None
    if offer.what is What.DIRECTION:
        before = pgettext("to declare, 7 cells", "BEFORE")
        words = before if offer.number == 0 else pgettext("to declare, 7 cells", "AFTER")
        chosen = selection.direction is not None and offer == WAYS[selection.direction]
    else:
        words, chosen = titled(offer.number, glyphs), offer.number == selection.anchor
        ground = _GROUNDS.get(offer.number)
    under = offer == choosing.cursor(scene.view, selection)
    text = f"[{words}]" if chosen else f"{glyphs.turn if under else ' '}{words} "
    ink = Voice.MARKED if chosen else Voice.LOUD if under else ground
    return Span(cut(text, width, glyphs.ellipsis), ink)


_GROUNDS: Final = dict(enumerate(COLOURS, FIRST_COLOUR))
"""Feature → the ground of its cards."""


# Challenge cards ---------------------------------------------------------------------------------


def _lines(sight: Sight, width: int) -> Picker:
    selection = sight.scene.selection
    offers, wild = choosing.on_offer(sight.scene.view, selection), choosing.wild(sight.scene.view)
    found = [one for one in offers if one.what is not What.PLACE]
    used = selection.challenge
    asks = _("WILD wins the match!") if wild else _("Play a Challenge card?")
    head: Row = [Span(card_title(used) if used else asks, Ink.HIT if wild else Voice.BOLD)]
    return [[(None, head)], *([(one, line(width, _line(sight, one, width)))] for one in found)]


def _line(sight: Sight, offer: Offer, width: int) -> Row:
    scene, glyphs = sight.scene, sight.glyphs
    under = choosing.cursor(scene.view, scene.selection) == offer
    mark = Span(f"{glyphs.turn}" if under else " ", Voice.LOUD)
    key = Span(f"{_key(sight, offer):>1} ", Voice.BOLD)
    if offer.what is What.NONE:
        said = _("Win the match") if choosing.wild(scene.view) else _("Keep it for later")
        return [mark, key, Span(said, Voice.MARKED if under else None)]
    whose = _whose(scene, offer)
    room = width - cells([mark, key]) - cell_len(whose)
    told = _pattern_card if is_pattern(offer.number) else _challenge_card
    ink = Voice.MARKED if under else None
    return [mark, key, *line(room, told(offer.number, room, glyphs, ink)), Span(whose, Voice.DIM)]


_TITLE: Final = 20
"""Cells in which a title that is cut still says enough."""


def _pattern_card(card: int, room: int, glyphs: Glyphs, ink: Enum | None) -> Row:
    """As on the Wheel: its object's sign, and words as far as there is room for them whole."""
    thing, suit = glyphs.signs[object_of(card)], glyphs.signs[FIRST_SUIT + suit_of(card)]
    forms = f"{thing} {card_words(card)}", f"{thing} {card_title(card)} {suit}"
    fitting = next((form for form in forms if cell_len(form) <= room), None)
    return [compact(card, glyphs) if fitting is None else Span(fitting, ink or ink_of(card))]


def _challenge_card(card: int, room: int, glyphs: Glyphs, ink: Enum | None) -> Row:
    """A title is more than the letters before it, even when it is cut."""
    title = card_title(card)
    code: Row = [] if card in PAYS else [compact(card, glyphs), Span(" ")]  # the title is as short
    room -= cells(code)
    longer = f"{title}: {challenge_names(card).does}"
    fitting = next((text for text in (longer, title) if cell_len(text) <= room), None)
    if fitting is None:
        fitting = "" if room < _TITLE else cut(title, room, glyphs.ellipsis)
    return [*code, Span(fitting, ink)]


def _whose(scene: Scene, offer: Offer) -> str:
    if offer.owner is None or offer.owner == scene.view.seat:
        return ""
    return " " + cut(scene.names[offer.owner], 8)


def _key(sight: Sight, offer: Offer) -> str:
    """The first that picks it, if there is one."""
    keys = keys_for(sight.scene.view, sight.scene.selection, offer)
    return sight.keymap.name(keys[0]) if keys else ""
