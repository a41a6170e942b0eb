"""The players beside the Wheel: money, Target, Challenge cards, and what each has won."""

from collections.abc import Iterator

from rich.cells import cell_len

from clocktowers_tui.games.nameplate import nameplate
from clocktowers_tui.games.spans import Row, Span, cells, line
from clocktowers_tui.games.wild_wild_pattern.cards import COMPACT, compact, titled
from clocktowers_tui.games.wild_wild_pattern.glyphs import Glyphs
from clocktowers_tui.games.wild_wild_pattern.inks import Ink
from clocktowers_tui.games.wild_wild_pattern.sight import Scene, seats_in_order
from clocktowers_tui.games.wild_wild_pattern.words import money
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.wild_wild_pattern import Phase, View

_STATUS = 8


def player_rows(scene: Scene, width: int, glyphs: Glyphs) -> list[Row]:
    """The player's own first; three lines each, and more where somebody has many cards."""
    seats = seats_in_order(scene.view)
    return [row for seat in seats for row in _player(scene, seat, width, glyphs)]


def _player(scene: Scene, seat: int, width: int, glyphs: Glyphs) -> Iterator[Row]:
    view = scene.view
    right = f" {money(view.money[seat])} "
    room = width - 2 - cell_len(right) - _STATUS
    acts = view.acting == seat and view.phase is not Phase.OVER
    name = nameplate(scene.names[seat], room, glyphs.ellipsis, own=seat == view.seat)
    yield [
        Span(f"{glyphs.turn} " if acts else "  ", Ink.TURN),
        *line(room, [Span(name, Ink.BOLD if view.standing[seat] else Ink.DIM)]),
        Span(right, Ink.MONEY),
        Span(status(view, seat), Ink.TURN if acts else Ink.DIM),
    ]
    yield from _wrapped(
        _target(view, seat, glyphs), [compact(one, glyphs) for one in view.challenges[seat]], width
    )
    yield from _wrapped([Span(" ")], [compact(card, glyphs) for card in _sorted(view, seat)], width)


def _target(view: View, seat: int, glyphs: Glyphs) -> Row:
    """Players that are out have none."""
    if not view.standing[seat]:
        return [Span(" ")]
    return [Span(_("  Target: "), Ink.DIM), Span(titled(view.targets[seat], glyphs))]


def _sorted(view: View, seat: int) -> list[int]:
    """By object, and within it by colour: as the cards are numbered."""
    return sorted(view.won[seat])


def _wrapped(first: Row, cards: list[Span], width: int) -> Iterator[Row]:
    row = first
    for card in cards:
        if cells(row) + 1 + COMPACT > width:
            yield row
            row = [Span(" ")]
        row = [*row, Span(" "), card]
    yield row


def status(view: View, seat: int) -> str:
    """Whether the player is out, ready, waits, passes or has a card; in 7 cells."""
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
    return pgettext("beside a player, 7 cells", "card") if view.in_hand[seat] else ""
