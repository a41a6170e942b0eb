"""The end of a match in lines, the proof of its deal, and the story of each tile."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from clocktowers_tui.games.architetti_attenti.choosing import PARTS
from clocktowers_tui.games.architetti_attenti.words import (
    counted_words,
    laid_words,
    part_title,
    tile_words,
)
from clocktowers_tui.games.face import Story, deed, plies_of
from clocktowers_tui.games.spans import wrapped
from clocktowers_tui.games.standings import (
    ResultLine,
    ahead,
    level_at_the_top,
    lost_in_words,
    points_in_words,
    ranked,
    standings,
    winners_in_words,
)
from clocktowers_tui.text.fitting import aligned
from clocktowers_tui.text.i18n import _, ngettext
from protocol.games.architetti_attenti import (
    SEATS,
    Bought,
    Dealt,
    DecidedBy,
    Discarded,
    Event,
    Kind,
    Outcome,
    Phase,
    Placed,
    Revealed,
    View,
    dealt,
)
from protocol.games.architetti_attenti.board import cell_name, kinds
from protocol.games.architetti_attenti.score import Counting, Thing, things
from protocol.ids import Seat

_COUNTED: Final[Mapping[str, Sequence[Kind]]] = {
    "houses": (Kind.HOUSE,),
    "parks": (Kind.PARK,),
    "rails": (Kind.STATION, Kind.TRACK),
    "schools": (Kind.SCHOOL,),
}
"""Part of the score → what is counted for it; blocks and rows of shops have lines of their own."""


def result_lines(
    view: View, outcome: Outcome, names: Sequence[str], width: int
) -> list[ResultLine]:
    """The winners, what decided, and a line a seat, best first."""
    gems = [ngettext("{n} gem left", "{n} gems left", n).format(n=n) for n in view.gems]
    if outcome.decided_by is DecidedBy.ALONE:
        first = ResultLine(_whose_town(view, 0, names, outcome), "bold")
        more = points_in_words(outcome.scores[0] + 1)
        said = _("{gems}. Next time you can try for {points}.")
        return [first, ResultLine(said.format(gems=gems[0], points=more))]
    first = ResultLine(winners_in_words(outcome, names, view.seat), "bold")
    places = standings(outcome, names, gems, width)
    decided = ahead(outcome, names, view.seat)
    if (how := outcome.decided_by) in (DecidedBy.TIME, DecidedBy.LEFT):
        decided = lost_in_words(outcome.late, names, view.seat, left=how is DecidedBy.LEFT)
    elif outcome.decided_by is DecidedBy.SHARED:
        level = level_at_the_top(outcome, names, view.seat)
        decided = _("{names} have the same points and share the win.").format(names=level)
    return [first, ResultLine(decided), ResultLine(""), *places]


def _whose_town(view: View, seat: int, names: Sequence[str], outcome: Outcome) -> str:
    points = points_in_words(outcome.scores[seat])
    if seat == view.seat:
        return _("Your town: {points}").format(points=points)
    return _("Town of {name}: {points}").format(name=names[seat], points=points)


# What the points are made of ---------------------------------------------------------------------


def result_details(
    view: View, outcome: Outcome, names: Sequence[str], width: int
) -> list[ResultLine]:
    """All seats side by side, part by part; then for each, the player's own
    first, what its buildings have brought."""
    seats = ranked(outcome)
    lines = [*_table(outcome, [names[seat] for seat in seats], seats, width), ResultLine("")]
    for seat in sorted(seats, key=lambda seat: seat != view.seat):
        lines.append(ResultLine(_whose_town(view, seat, names, outcome), "bold"))
        for told in _brought(view, seat):
            first, *more = wrapped(told, width - 4)
            lines += [ResultLine(f"  {first}"), *(ResultLine(f"    {row}") for row in more)]
        lines.append(ResultLine(""))
    return lines


def _table(
    outcome: Outcome, names: Sequence[str], seats: Sequence[int], width: int
) -> Iterator[ResultLine]:
    """A column a seat, best first; names are cut where the width ends, numbers never. The parts in
    which the winner is furthest ahead of the next seat stand first: they decided."""
    rows = [["", *names]]
    for part in sorted(PARTS, key=lambda part: _lead(outcome, seats, part), reverse=True):
        rows.append([part_title(part), *(_points_of(outcome, seat, part) for seat in seats)])
    rows.append([part_title("total"), *(str(outcome.scores[seat]) for seat in seats)])
    head, *parts, total = aligned(rows, (0, *[1] * len(seats)), width)
    yield ResultLine(head, "dim")
    yield from map(ResultLine, parts)
    yield ResultLine(total, "bold")


def _lead(outcome: Outcome, seats: Sequence[int], part: str) -> int:
    """By how much the first of these seats is ahead of the second; alone, its points."""
    first, *others = (getattr(outcome.parts[seat], part) for seat in seats)
    return int(first - others[0]) if others else int(first)


def ahead_in_words(
    view: View, outcome: Outcome, names: Sequence[str], own: int, seats: tuple[int, int]
) -> Sequence[str]:
    """The part in which the first of these seats was ahead most, where that makes a third of it."""
    first, second = seats
    part = max(PARTS, key=lambda part: _lead(outcome, seats, part))
    if 3 * _lead(outcome, seats, part) < outcome.scores[first] - outcome.scores[second]:
        return ()
    yours = _("You were ahead most in {part}: {points} to {less}.")
    theirs = _("{name} was ahead most in {part}: {points} to {less}.")
    points, less = (getattr(outcome.parts[seat], part) for seat in seats)
    told = {"part": part_title(part), "points": points_in_words(points), "less": less}
    return [deed(names, Seat(own), first, yours, theirs, **told)]


def _points_of(outcome: Outcome, seat: int, part: str) -> str:
    """With its last digit above that of the total."""
    return str(getattr(outcome.parts[seat], part)).rjust(len(str(outcome.scores[seat])))


def _brought(view: View, seat: int) -> Iterator[str]:
    """Part by part as in the table: what there is of it, and its points. All lines together are the
    town's points."""
    board, found = view.boards[seat], defaultdict[str, list[Thing]](list)
    for thing in things(board, view.gems[seat], Counting.of(view)):
        found[thing.part].append(thing)
    stand = Counter(kinds(board))
    for part, counted in _COUNTED.items():
        joined = [*_joined(found[part])] if part == "rails" else []
        there = [counted_words(kind, stand[kind]) for kind in counted if stand[kind]]
        yield from joined
        if there and not joined:
            points = points_in_words(sum(thing.worth for thing in found[part]))
            yield f"{', '.join(there)}: {points}"
        if part == "houses":
            yield from _blocks(found["blocks"])
    for row in found["shops"]:
        said = _("Row of {n} shops on {cells}: {points}")
        where, points = " ".join(map(cell_name, row.cells)), points_in_words(row.worth)
        yield said.format(n=len(row.cells), cells=where, points=points)


def _joined(rails: Sequence[Thing]) -> Iterator[str]:
    """The railways whose stations are multiplied with their tracks."""
    for thing in sorted(rails, reverse=True):
        if thing.size:
            stations, tracks = thing.size
            yield _("{stations} times {tracks} between them: {points}").format(
                stations=counted_words(Kind.STATION, stations),
                tracks=counted_words(Kind.TRACK, tracks),
                points=points_in_words(thing.worth),
            )


def _blocks(blocks: Sequence[Thing]) -> Iterator[str]:
    """The small ones, then the large ones."""
    for (worth, size), n in sorted(Counter((one.worth, one.size) for one in blocks).items()):
        counted = ngettext("{n} block of 2x2 houses", "{n} blocks of 2x2 houses", n)
        if size == (3, 3):
            counted = ngettext("{n} block of 3x3 houses", "{n} blocks of 3x3 houses", n)
        yield f"{counted.format(n=n)}: {points_in_words(n * worth)}"


# Deals again from the seed shown at the end, and compares that with what was seen of the match.
#
# Law: only a contradiction counts against the seed. What was not seen leaves the question open,
# so a gap in the events accuses nobody.


def same_deal(events: Sequence[Event], view: View, seed: bytes) -> bool | None:
    """See `Face.same_deal`: the first seat, the first row, every tile revealed in the pile's order,
    and the removed tiles of the last view."""
    seats = len(view.boards)
    if seats not in SEATS:
        return False
    openings = [event for event in events if isinstance(event, Dealt)]
    deal = dealt(seats, seed, openings[0].options.first_seat if openings else None)
    revealed = bytes(event.tile for event in events if isinstance(event, Revealed))
    begun = deal.row, len(deal.pile), deal.first_seat
    possible = (
        view.removed in (b"", deal.removed)
        and all((one.row, one.left, one.first_seat) == begun for one in openings)
        and _in_order(revealed, deal.pile)
    )
    if not possible:
        return False
    # Of two players no tile is removed, so an empty row of them is all there is at the end.
    whole = view.phase is Phase.OVER and view.removed == deal.removed
    return True if whole and openings and len(revealed) == len(deal.pile) else None


def _in_order(revealed: bytes, pile: bytes) -> bool:
    """Whether these are tiles of the pile from top to bottom, some perhaps unseen."""
    # A test of membership uses the iterator up as far as the tile: each is looked for below the
    # one before.
    below = iter(pile)
    return all(tile in below for tile in revealed)


# The story of each tile: it comes into the row, is bought, and stands in a town ------------------


def stories(told: Sequence[Sequence[Event]], names: Sequence[str]) -> Sequence[Story]:
    """Of all tiles, in the order in which they came into the row."""
    row = _Row(names)
    return [Story(row.words[tile], plies) for tile, plies in plies_of(told, row.tiles).items()]


class _Row:
    """Tells tiles apart that look alike, by following the row through the match: the n-th tile that
    came into it is tile n. `words`: what each is called at the end."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self.words: list[str] = []
        self._row: list[int] = []
        self._bought = 0

    def tiles(self, event: Event) -> Sequence[int]:
        """Those that it happens to; of each event, in the order of the match."""
        match event:
            case Dealt():
                return [self._came(tile) for tile in event.row if tile]
            case Revealed():
                return (self._came(event.tile),)
            case Bought():
                self._bought = self._row.pop(event.position - 1)
            case Placed():
                laid = laid_words(event.tile, event.first, event.second)
                told = _("{laid} ({name})").format(laid=laid, name=self._names[event.seat])
                self.words[self._bought] = told
            case Discarded():
                pass
        return (self._bought,)

    def _came(self, tile: int) -> int:
        self.words.append(tile_words(tile))
        self._row.append(len(self.words) - 1)
        return self._row[-1]
