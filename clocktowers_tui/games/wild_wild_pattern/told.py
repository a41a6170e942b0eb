"""Below the Wheel: what came of the last declaration, and what to do now."""

from collections.abc import Iterator
from typing import Final

from clocktowers_tui.games.frames import Edge, framed
from clocktowers_tui.games.parts import Size
from clocktowers_tui.games.spans import Block, Row, Span, block, wrapped
from clocktowers_tui.games.wild_wild_pattern.feedback import came_of, spoken
from clocktowers_tui.games.wild_wild_pattern.goal import goal
from clocktowers_tui.games.wild_wild_pattern.inks import Ink
from clocktowers_tui.games.wild_wild_pattern.offers import Task, task
from clocktowers_tui.games.wild_wild_pattern.sentences import expected, told
from clocktowers_tui.games.wild_wild_pattern.sight import Scene, Sight, news
from clocktowers_tui.games.wild_wild_pattern.standing import how_you_stand
from clocktowers_tui.games.wild_wild_pattern.words import capital
from clocktowers_tui.keys.keymap import ways_to_move
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import Phase
from protocol.ids import Seat


def told_block(sight: Sight, size: Size) -> Block:
    """In a frame where the board has frames."""
    if not sight.layout.framed:
        return block(*size, _rows(sight, *size))
    width, height = size
    inside = [[Span(" "), *row] for row in _rows(sight, width - 4, height - 2)]
    mine = task(sight.scene.view) is not Task.NOTHING
    title: Row = [Span(_("Now"), Ink.BOLD)]
    edge = Edge.TURN if mine else Edge.QUIET
    return framed(size, inside, sight.glyphs.card, title, edge=edge)


def _rows(sight: Sight, width: int, height: int) -> Block:
    """Whole sentences only, as far as there is room."""
    rows: Block = []
    for text, ink in _sentences(sight, width, height):
        found = wrapped(text, width)
        if len(rows) + len(found) > height:
            break
        rows += [_keyed(found[0], ink), *([Span(row, ink)] for row in found[1:])]
    return rows


def _keyed(text: str, ink: Ink | None) -> Row:
    """A key that begins a sentence is what one looks for."""
    keys, colon, words = text.partition(": ")
    if ink is not None or not colon or len(keys) > _LONGEST_KEYS:
        return [Span(text, ink)]
    return [Span(keys + colon, Ink.BOLD), Span(words)]


_LONGEST_KEYS: Final = 16

_CHOOSING: Final = (Task.TAKE, Task.LAY)
"""Then as much has to be read below what was declared."""


def _sentences(sight: Sight, width: int, height: int) -> Iterator[tuple[str, Ink | None]]:
    scene = sight.scene
    fits = None if sight.layout.framed else (width, height)
    yield from _declared(scene, fits)
    if scene.led:
        if task(scene.view) is Task.DECLARE:
            yield capital(told(scene.view, scene.selection)[0]), Ink.BOLD
        return
    if scene.replayed:
        yield expected(scene.view, scene.names), None
        return
    to_do = told(scene.view, scene.selection, sight.keymap, guided=scene.guided)
    if task(scene.view) is Task.DECLARE:
        sentence, *how = to_do
        yield capital(sentence), Ink.BOLD
        yield from ((text, None) for text in how)
    else:
        yield from ((text, None) for text in to_do or [expected(scene.view, scene.names)])
    if scene.has_proof and scene.view.phase is Phase.READY and not scene.guided:
        text = _("{moves}: see the new Wheel") if scene.proves else _("{moves}: see the last shot")
        yield text.format(moves=ways_to_move(sight.keymap)), None
    if scene.guided:
        return
    if scene.view.phase is Phase.READY:
        yield from ((text, Ink.DIM) for text in _before_a_race(sight))
    else:
        yield from ((text, Ink.DIM) for text in how_you_stand(scene.view))


def _before_a_race(sight: Sight) -> Iterator[str]:
    """What there is time to read."""
    view = sight.scene.view
    if task(view) is Task.READY and not sight.scene.has_proof:
        yield _("Look at the Wheel first: the race has not begun.")
    yield from how_you_stand(view)
    if "goal" not in sight.places:
        yield from goal(view.options)


def _declared(scene: Scene, fits: Size | None) -> Iterator[tuple[str, Ink | None]]:
    """`fits`: a small board. There the player's own pattern is known, only what came of it is said;
    of another player's as much as leaves a row for what to do now."""
    said, view = news(scene.view), scene.view
    if said is None:
        return
    you = None if view.seat is None else Seat(view.seat)
    text = spoken(said, scene.names, you)
    if said.pattern is not None and fits is not None:
        width, height = fits
        height -= task(view) in _CHOOSING
        short = came_of(said, said.pattern)
        named = [] if said.seat == you else [text, f"{scene.names[said.seat]}: {short}"]
        text = next((one for one in named if len(wrapped(one, width)) < height), short)
    yield text, Ink.HIT if said.anchors else Ink.WRONG
    if not said.anchors and sum(view.standing) > 1:
        yield _("Each opponent takes a card of the Wheel."), Ink.DIM
