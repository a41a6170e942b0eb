"""The hole of the Wheel: what goes on in one loud word, the player's card, and the deck."""

from typing import Final

from rich.cells import cell_len

from clocktowers_tui.games.frames import Edge
from clocktowers_tui.games.parts import Cell, Size
from clocktowers_tui.games.spans import Block, Row, Span, block, centred
from clocktowers_tui.games.wild_wild_pattern.cards import (
    Form,
    Rim,
    back_block,
    card_block,
    compact,
    named,
)
from clocktowers_tui.games.wild_wild_pattern.feedback import loud
from clocktowers_tui.games.wild_wild_pattern.glyphs import Glyphs
from clocktowers_tui.games.wild_wild_pattern.inks import Ink
from clocktowers_tui.games.wild_wild_pattern.layout import SMALL, Scale
from clocktowers_tui.games.wild_wild_pattern.offers import Task, task
from clocktowers_tui.games.wild_wild_pattern.sentences import phase_title
from clocktowers_tui.games.wild_wild_pattern.sight import Hit, Scene, Sight, Spot, shown_news
from clocktowers_tui.games.wild_wild_pattern.words import capital
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.wild_wild_pattern import Phase
from protocol.games.wild_wild_pattern.cards import is_pattern


def own_block(sight: Sight, size: Size) -> Block:
    """The word above the card, the deck below it."""
    width, height = size
    scale = sight.layout.scale
    side = Span(" " * scale.across)
    card: Block = [[side, *row] for row in _card(sight)]
    above: Block = [[]] * ((scale.down - 1) // 2)
    word = [Span(centred(_spaced(_word(sight.scene), width), width), _loudness(sight.scene))]
    return block(
        width,
        height,
        [*above, word, *[[]] * (scale.down - 1 - len(above)), *card, *above, _deck(sight, width)],
    )


def own_under(sight: Sight, _size: Size, _at: Cell) -> Hit | None:
    """A click on the player's card says that they are ready."""
    return Spot.READY if task(sight.scene.view) is Task.READY else None


# The word ----------------------------------------------------------------------------------------


def _word(scene: Scene) -> str:
    view, said = scene.view, shown_news(scene)
    if said is not None:
        return loud(said)
    return "" if scene.reads and view.phase is Phase.READY else phase_title(view)


def _loudness(scene: Scene) -> Ink:
    said = shown_news(scene)
    if said is None:
        return Ink.TURN
    return Ink.HIT if said.anchors else Ink.WRONG


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
    text = next((form for form in forms if cell_len(form) <= width), left)
    return [Span(centred(text, width), Edge.QUIET)]


def _covered(card: int, width: int, glyphs: Glyphs) -> Row:
    """What lies below the played card."""
    text = pgettext("before a card that is covered, 3 cells", "on") + " "
    room = width - cell_len(text)
    forms = (named(card, form, glyphs) for form in Form)
    shown = next((one for one in forms if cell_len(one.text) <= room), compact(card, glyphs))
    blank = " " * max(0, (width - cell_len(text) - cell_len(shown.text)) // 2)
    return [Span(blank + text, Edge.QUIET), shown]


# The card ----------------------------------------------------------------------------------------


def _card(sight: Sight) -> Block:
    view, scale, glyphs = sight.scene.view, sight.layout.scale, sight.glyphs
    if view.clicked and view.phase is Phase.CLICKED:
        label = pgettext("on a clicked card, 7 cells", "Click!")
        return card_block(view.clicked, scale, glyphs, _rim(label, scale, Edge.TURN))
    label = pgettext("on your own card, 7 cells", "yours")
    if is_pattern(view.card):
        return card_block(view.card, scale, glyphs, _rim(label, scale, Edge.TURN))
    if view.seat is not None and view.in_hand[view.seat]:
        return back_block(scale, glyphs, Rim(_padded(label, scale), Edge.TURN, label_ink=Edge.TURN))
    return [[Span(" " * scale.width)] for _ in range(scale.height)]


def _rim(label: str, scale: Scale, ink: Edge) -> Rim:
    """The label only where the card's own words have room beside it."""
    roomy = scale is SMALL or scale.width >= _ROOMY
    shown = _padded(label, scale) if roomy else ""
    return Rim(shown, ink, label_ink=ink)


def _padded(label: str, scale: Scale) -> str:
    return f" {label} " if cell_len(label) + 4 <= scale.width else label


_ROOMY: Final = 22
"""Columns of a card that has words and a label."""
