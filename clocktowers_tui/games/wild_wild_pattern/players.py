"""The players beside the Wheel: money, how near they are to WILD, Target, and what each has won."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from clocktowers_tui.games.frames import Edge, nameplate
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import Row, Span, cells, flowed, line
from clocktowers_tui.games.wild_wild_pattern.cards import (
    Form,
    card_block,
    challenge_block,
    compact,
    fitting,
    named,
    signed,
)
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, Glyphs, Ink
from clocktowers_tui.games.wild_wild_pattern.sight import SMALL, Scene, seats_in_order
from clocktowers_tui.games.wild_wild_pattern.standing import Nearness, colour_twice, nearness
from clocktowers_tui.games.wild_wild_pattern.words import (
    card_words,
    feature_letter,
    feature_names,
    money,
)
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.wild_wild_pattern import Phase, View
from protocol.games.wild_wild_pattern.bank import MAX_CARDS
from protocol.games.wild_wild_pattern.cards import FIRST_COLOUR, Colour, is_pattern

_STATUS = 8


def player_rows(
    scene: Scene, width: int, glyphs: Glyphs, form: Form | None, *, apart: bool = False
) -> list[Row]:
    """The player's own first; three lines each, and more where somebody has many cards. `form`: of
    the cards' names; without one the cards are drawn. `apart`: Challenge cards have rows of their
    own."""
    seats = seats_in_order(scene.view)
    return [row for seat in seats for row in _player(scene, seat, width, glyphs, form, apart)]


def legend(view: View, width: int, glyphs: Glyphs) -> list[Row]:
    """What the codes of cards mean, by one that somebody has."""
    cards = [card for seat in seats_in_order(view) for card in sorted(view.won[seat])]
    words = [(card, card_words(card)) for card in cards]
    signs = [(card, named(card, Form.WORDS, glyphs).text) for card in cards]
    texts = (f"  {compact(card, glyphs).text}: {text}" for card, text in [*words, *signs])
    return [[Span(text, Voice.DIM)] for text in texts if cell_len(text) <= width][:1]


def _player(
    scene: Scene, seat: int, width: int, glyphs: Glyphs, form: Form | None, apart: bool
) -> Iterator[Row]:
    view = scene.view
    right = f" {money(view.money[seat])} "
    room = width - 2 - cell_len(right) - _STATUS
    there = view.standing[seat] and seat not in scene.away
    acts = view.acting == seat and view.phase is not Phase.OVER
    name = nameplate(scene.names[seat], room, glyphs.ellipsis, own=seat == view.seat)
    yield [
        Span(f"{glyphs.turn} " if acts else "  ", Voice.LOUD),
        *line(room, [Span(name, Voice.BOLD if there else Voice.DIM)]),
        Span(right, Ink.MONEY),
        Span(status(view, seat), Voice.LOUD if acts else Voice.DIM),
    ]
    yield _near(scene, seat, width, glyphs)
    won, challenges = sorted(view.won[seat]), view.challenges[seat]
    if form is None:
        yield from _drawn([*won, *challenges], width, glyphs)
    else:
        kinds = [[*_named(cards, form, glyphs, width - 2, apart)] for cards in (won, challenges)]
        groups = kinds if apart else [[*kinds[0], *kinds[1]]]
        shown = [row for spans in groups for row in flowed(spans, 1, width - 2)]
        yield from ([Span("  "), *row] for row in shown or [[]])


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
    twice = colour_twice(view.won[seat]) if found.lost and found.thing is None else None
    for colour, ink in [] if twice is not None else zip(Colour, COLOURS, strict=True):
        has = colour in found.colours
        letter = feature_letter(FIRST_COLOUR + colour)
        pips += [Span(letter, ink) if has else Span(glyphs.none, Voice.DIM), Span(" " * roomy)]
    if not roomy and twice is None:
        pips.append(Span(" " * counts))
    count = _count(found, glyphs) if counts else Span("")
    if twice is not None:
        colour_words = feature_names(FIRST_COLOUR + twice).words
        count = Span(_("{colour} twice: no WILD").format(colour=colour_words), Voice.DIM)
    room = width - cells(pips) - cells([count]) - 1
    target = _target(view, seat, room, glyphs)
    room = width - cells(pips) - cells(target)
    return [*pips, *line(room, [count]), *target]


def _head(found: Nearness) -> str:
    """What the colours after it are for."""
    return "" if found.lost else pgettext("before a player's colours, 5 cells", "WILD") + " "


def _count(found: Nearness, glyphs: Glyphs) -> Span:
    """What is counted towards WILD; where there is little room the colours themselves say how
    many."""
    if found.lost:
        return Span(pgettext("beside a player's colours, 8 cells", "no WILD"), Voice.DIM)
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
    if view.done[seat] and view.phase in (Phase.RACE, Phase.CLICKED):
        return pgettext("beside a player, 7 cells", "passes")
    aims = view.in_hand[seat] and view.phase in (Phase.RACE, Phase.CLICKED)
    return pgettext("beside a player, 7 cells", "aims") if aims else ""
