"""The scene of a view, the parts of the board that show it, and its peaks."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from clocktowers_tui.games.clocktowers import choosing
from clocktowers_tui.games.clocktowers.choosing import NOTHING, OUT, Marks
from clocktowers_tui.games.clocktowers.hand import (
    Held,
    card_in_line,
    cards_in_line,
    framed_cards,
    hand_cards,
    hand_title,
    pile_cards,
    slots,
)
from clocktowers_tui.games.clocktowers.inks import CATS, CLOCKS, MICE, ROOFS, WINDOWS, Glyphs
from clocktowers_tui.games.clocktowers.ladder import ladder_rows, ladder_titles, rung_rows
from clocktowers_tui.games.clocktowers.log import EMPTY_HANDED, holding, looked_at, news
from clocktowers_tui.games.clocktowers.sight import (
    Arrangement,
    Layout,
    Scene,
    Sight,
    layout,
    seats_in_order,
)
from clocktowers_tui.games.clocktowers.street import SCORING, Pitch, Plot, pitches, without_night
from clocktowers_tui.games.clocktowers.towers import PAIRED
from clocktowers_tui.games.clocktowers.town import Form, place_at, town_block
from clocktowers_tui.games.clocktowers.words import SCORES
from clocktowers_tui.games.motion import Moment, Win, above, inked, on_board, upwards, written
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.parts import Cell, Given, Hit, Part, Size, differs, log_rows, log_under
from clocktowers_tui.games.spans import Block, Rect, Row, Span, block, framed, is_blank, shortened
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.clocktowers import Phase, View

MOST_SEATS: Final = 4
_CORNERS: Final = 6
"""Cells of a frame beside its title."""


def staged(given: Given, before: Scene | None, wish: Arrangement) -> Scene:
    """The scene of a new view, after the last one."""
    seen = before.view if before else None
    view: View = given.view
    held = holding(view, seen, before.holding if before else EMPTY_HANDED)
    selection = choosing.settle(view, seen, before.selection if before else NOTHING)
    since = looked_at(view, seen, before.since if before else None)
    return Scene(*given, selection, news(view, since), wish, since, holding=held)


def sight(
    scene: Scene, width: int, height: int, glyphs: Glyphs, keymap: Keymap = DEFAULT_KEYS
) -> Sight | None:
    """None when the board is too small."""
    hand = None if scene.view.seat is None else slots(scene.view)
    found = layout(width, height, len(scene.view.towns), hand, scene.wish)
    if found is None:
        return None
    rungs = len(ladder_rows(scene.view, scene.names, found.rungs_width, glyphs))
    rungs -= found.framed  # the title stands in the frame
    return Sight(scene, found, glyphs, keymap, found.places(rungs), _pitches(scene.view, found))


def _pitches(view: View, found: Layout) -> Sequence[Pitch | None]:
    if not found.pictured:
        return [None] * len(view.towns)
    plots = []
    for seat, rect in zip(seats_in_order(view), found.towns, strict=True):
        width, height = Form(rect.width, rect.height, None, found.framed).inner
        plots.append(Plot(tuple(view.towns[seat].towers), width, height - 1, own=seat == view.seat))
    return pitches(tuple(plots))


def _marks(scene: Scene, seat: int) -> Marks:
    marks = Marks()
    if seat == scene.view.seat:
        marks = choosing.marks(scene.view, scene.selection, sending=scene.waiting)
    return marks._replace(fresh=scene.news.of(seat))


# Towns -------------------------------------------------------------------------------------------


def form_of(sight: Sight, place: int, size: Size) -> Form:
    """How a town of this size is drawn."""
    return Form(*size, sight.pitches[place], sight.layout.framed)


def has_codes(sight: Sight) -> bool:
    """Whether cards may be written in codes: in a ledger, known in a hand, or in a line that has no
    room for words."""
    return sight.layout.scale is None or any(sight.scene.view.known) or None in sight.pitches


def has_small_clocks(sight: Sight) -> bool:
    """Whether a clock is drawn in one row, so that its mouse is a letter: on cards or in a
    street."""
    scales = [sight.layout.scale, *(pitch.scale for pitch in sight.pitches if pitch)]
    return any(scale is not None and scale.clock_rows == 1 for scale in scales)


def has_pairs(sight: Sight) -> bool:
    """Whether two floors share a row, so that their animals are letters."""
    return any(pitch.storey == PAIRED for pitch in sight.pitches if pitch)


def _town(place: int, sight: Sight, size: Size) -> Block:
    seat = seats_in_order(sight.scene.view)[place]
    form = form_of(sight, place, size)
    return town_block(sight.scene, seat, form, _marks(sight.scene, seat), sight.glyphs)


def _tower_under(place: int, sight: Sight, size: Size, at: Cell) -> Hit | None:
    view = sight.scene.view
    if place or view.seat is None:
        return None
    form = form_of(sight, place, size)
    tower = place_at(view, view.seat, form, _marks(sight.scene, view.seat), *at)
    return None if tower is None else Hit(choosing.point_tower, (tower,))


# Cards -------------------------------------------------------------------------------------------


def _hand(sight: Sight) -> tuple[str, Sequence[Held]]:
    return hand_title(sight.scene.view), hand_cards(sight)


def _piles(sight: Sight) -> tuple[str, Sequence[Held]]:
    return _("Piles"), pile_cards(sight)


def _cards(sight: Sight, size: Size, title: str, held: Sequence[Held]) -> Block:
    found = sight.layout
    if found.scale is None:
        return block(*size, [cards_in_line(title, held, sight.glyphs, size[0])])
    rows = framed_cards(held, found.card_gap, found.scale, sight.glyphs)
    if found.framed:
        return _in_frame(sight, size, title, rows)
    titles: list[Row] = [[Span(title, Voice.DIM)]] if found.titles else []
    return block(*size, [*titles, *rows])


def _in_frame(sight: Sight, size: Size, title: str, rows: Block) -> Block:
    return framed(size, rows, sight.glyphs.light, [Span(title, Voice.BOLD)])


def _held_at(sight: Sight, size: Size, title: str, held: Sequence[Held], x: int) -> int | None:
    found = sight.layout
    if found.scale is None:
        return card_in_line(title, held, sight.glyphs, size[0], x)
    card, within = divmod(x - found.edge, found.scale.card_width + found.card_gap)
    return card if 0 <= card < len(held) and within < found.scale.card_width else None


def _card_under(sight: Sight, size: Size, at: Cell) -> Hit | None:
    title, held = _hand(sight)
    card = _held_at(sight, size, title, held, at[0])
    if card is None:
        return None
    if card == OUT or (held[card].out is not None and _on_corner(sight.layout, at)):
        return Hit(choosing.point_tower, (OUT,))
    return Hit(choosing.pick_card, (card,))


def _on_corner(found: Layout, at: Cell) -> bool:
    """Whether a cell of the hand is in the upper right corner of a card."""
    if found.scale is None or at[1] != found.edge + found.titles:
        return False
    width = found.scale.card_width
    return (at[0] - found.edge) % (width + found.card_gap) > width // 2


def _pile_under(sight: Sight, size: Size, at: Cell) -> Hit | None:
    title, held = _piles(sight)
    pile = _held_at(sight, size, title, held, at[0])
    return None if pile is None else Hit(choosing.point_pile, (pile,))


# Beside them -------------------------------------------------------------------------------------


def _ladder(sight: Sight, size: Size) -> Block:
    scene, (width, height) = sight.scene, size
    view, picked = scene.view, choosing.target(scene.view, scene.selection)
    rows = ladder_rows(view, scene.names, width - 2 * sight.layout.edge, sight.glyphs, picked)
    if not sight.layout.framed:
        return block(*size, rows)
    titles = ladder_titles(view, scene.names)
    title = shortened(titles, width - _CORNERS)
    if height - 2 >= len(ROOFS):
        rows = rung_rows(view, width - 2, sight.glyphs, picked)
        if title != titles[0] and height - 2 > len(ROOFS):
            counted = pgettext("above the heights of the next roofs, 12 cells", "floors")
            rows.insert(0, [Span(f"{counted:>{width - 2}}", Voice.DIM)])
    else:
        rows = rows[1:]
    return _in_frame(sight, size, title, rows)


def _log(sight: Sight, size: Size) -> Block:
    """The last lines; where they leave room, what towers score."""
    if not sight.layout.framed:
        return _lines(sight, size)
    inside = _lines(sight, (size[0] - 2, size[1] - 2))
    return _in_frame(sight, size, _("Log"), inside)


def _lines(sight: Sight, size: Size) -> Block:
    width, height = size
    rows = log_rows(sight.scene.log, size)
    if SCORING in sight.scene.taught.hidden:
        return rows
    scoring: Block = [[Span(f"{points} {_(why)}", Voice.DIM)] for points, why in SCORES]
    above = height - len(scoring)
    if above < 1 or not all(is_blank(row) for row in rows[max(0, above - 1) :]):
        return rows
    return [*rows[:above], *block(width, len(scoring), scoring)]


def _same(before: Sight, sight: Sight) -> bool:
    """Whether at most the player's choice differs."""
    selection, waiting = before.scene.selection, before.scene.waiting
    scene = sight.scene._replace(selection=selection, waiting=waiting)
    return sight._replace(scene=scene) == before


PARTS: Final[Mapping[str, Part[Sight]]] = {
    **{
        f"town-{place}": Part[Sight](
            partial(_town, place), partial(_tower_under, place), _same if place else differs
        )
        for place in range(MOST_SEATS)
    },
    "hand": Part(lambda sight, size: _cards(sight, size, *_hand(sight)), _card_under),
    "piles": Part(lambda sight, size: _cards(sight, size, *_piles(sight)), _pile_under),
    "ladder": Part(_ladder),
    "log": Part(_log, log_under, _same),
}
"""The parts of the board, by the ids of their widgets; towns by place: the player's own first."""


# Which moments of a match are worth a motion, and where they are seen. Pure ----------------------


class Roof(NamedTuple):
    """A tower is complete, and brought these points."""

    seat: int
    tower: int
    points: int


Peak: TypeAlias = Roof | Win

_LIT: Final = frozenset((*WINDOWS, *CATS, *MICE, *CLOCKS))
"""What has light in a street."""
_CAP: Final = 2
"""Rows of a tower that a win lights: the roof and what is below it."""


def peak(before: View, after: View) -> Peak | None:
    """What has happened between the two; None for nothing, or for more than one thing: after an
    absence nothing is played."""
    if len(before.towns) != len(after.towns):
        return None
    if after.phase is Phase.OVER and before.phase is not Phase.OVER:
        best = [seat for seat, points in enumerate(after.points) if points == max(after.points)]
        return Win(best[0]) if len(best) == 1 else None
    fresh = [
        Roof(seat, tower, points)
        for seat, town in enumerate(after.towns)
        for tower, points in enumerate(town.points)
        if points and not any(before.towns[seat].points[tower : tower + 1])
    ]
    return fresh[0] if len(fresh) == 1 else None


def _settles(sight: Sight, roof: Roof) -> Moment:
    """The roof comes down, the street lights its windows, and the points fly to those of the
    player. Where towers are text, the tower lights up instead."""
    part, label = _part(sight, roof.seat), f"+{roof.points}"
    place, tower = sight.places[part], _tower(sight, roof.seat, roof.tower)
    rows = without_night(PARTS[part].drawn(sight, (place.width, place.height)))
    score = on_board(place, written(rows, 0, f"  {sight.scene.view.points[roof.seat]}"))
    starts = above(tower[-1], label)
    ends = above(score[0]._replace(y=place.y + 2), label) if score else starts
    pitch = sight.pitches[seats_in_order(sight.scene.view).index(roof.seat)]
    if pitch is None:
        return Moment((part,), (*tower, *score), label, starts, ends)
    falls = tower[-1]._replace(height=1 if pitch.storey == PAIRED else pitch.scale.roof_rows)
    return Moment(
        (part,), (*on_board(place, inked(rows, _LIT)), *score), label, starts, ends, falls=falls
    )


def _roofs_light(sight: Sight, win: Win) -> Moment:
    """All the roofs of a street."""
    points = sight.scene.view.towns[win.seat].points
    complete = [tower for tower, scored in enumerate(points) if scored]
    roofs = [row for tower in complete for row in _tower(sight, win.seat, tower)[-_CAP:]]
    return Moment((_part(sight, win.seat),), tuple(roofs))


def _part(sight: Sight, seat: int) -> str:
    return f"town-{seats_in_order(sight.scene.view).index(seat)}"


def _tower(sight: Sight, seat: int, tower: int) -> tuple[Rect, ...]:
    """A tower's rows from the ground up."""
    view = sight.scene.view
    part, nth = _part(sight, seat), seats_in_order(view).index(seat)
    place = sight.places[part]
    size = place.width, place.height
    form = form_of(sight, nth, size)
    rows = without_night(PARTS[part].drawn(sight, size))
    found = upwards(rows, lambda x, y: place_at(view, seat, form, Marks(), x, y) == tower)
    return on_board(place, found)


MOMENTS: Final[Mapping[type, Callable[[Sight, Any], Moment]]] = {
    Roof: _settles,
    Win: _roofs_light,
}
