"""The score as one table, a row for each part, a column for each player; and what signs mean."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.architetti_attenti import choosing, reasons
from clocktowers_tui.games.architetti_attenti.choosing import PARTS
from clocktowers_tui.games.architetti_attenti.inks import KINDS, Glyphs, Ink
from clocktowers_tui.games.architetti_attenti.reasons import (
    about,
    deciding,
    fitting,
    what_scores,
    why,
)
from clocktowers_tui.games.architetti_attenti.sight import Scene, seats_in_order, shown_seat
from clocktowers_tui.games.architetti_attenti.words import (
    cells_words,
    kind_letter,
    kind_title,
    kind_words,
    part_title,
)
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import Block, Edge, Row, Span, cells, cut, flowed, line, wrapped
from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.architetti_attenti import TILES, Kind, Parts, View

_INSET: Final = 3
_GAP: Final = 2


def rules(view: View, width: int, glyphs: Glyphs) -> Block:
    """What wins, then each part of the score behind its signs."""
    rows: Block = [[Span(row, Voice.BOLD)] for row in wrapped(reasons.goal(), width)]
    rows += _with_rule(_named(Kind.TOWN_HALL, glyphs), _("no tile lies on it"), width)
    for part, kinds in reasons.SIGNS.items():
        signs = _joined([_named(kind, glyphs) for kind in kinds]) or [Span(part_title(part))]
        rows += _with_rule(signs, reasons.what_scores(part, view)[0], width)
    gem = [Span(glyphs.gem, Ink.GEM), Span(f" {part_title('gems')}")]
    return [*rows, *_with_rule(gem, reasons.what_scores("gems", view)[0], width)]


def names(scene: Scene, width: int, height: int, glyphs: Glyphs) -> Block:
    """What each sign in sight is called, by its whole name or a short one; where there is no room
    for that, what each letter means."""
    # Every sign can lie in the market.
    whole = scene.shows("row")
    known = (kinds for part, kinds in reasons.SIGNS.items() if whole or scene.shows(part))
    kinds = [*(kind for kinds in known for kind in kinds), Kind.TOWN_HALL]
    titled = [[*_sign(kind, glyphs), Span(f" {kind_title(kind)}")] for kind in kinds]
    for told, gap in (([_named(kind, glyphs) for kind in kinds], _GAP), (titled, 1)):
        if len(rows := flowed(told, gap, width)) <= height:
            return rows
    return flowed(map(_lettered, kinds), 1, width)


def leads(part: str, tile: int, glyphs: Glyphs) -> Iterator[Row]:
    """What stands before the rule of a part, for a tile in hand: its signs with their names, then
    the signs alone; none for a part without signs. In one ink, for it changes as the tile moves."""
    kinds = reasons.SIGNS[part]
    here = [kind for kind in kinds if kind in TILES[tile]] or kinds
    for name in (_named, _sign) if here else ():
        named = _joined([name(kind, glyphs) for kind in here])
        yield [Span("".join(span.text for span in named) + ": ", Voice.DIM)]


def _lettered(kind: Kind) -> Row:
    return [Span(kind_letter(kind), KINDS[kind]), Span(f" {kind_title(kind)}")]


def _named(kind: Kind, glyphs: Glyphs) -> Row:
    return [*_sign(kind, glyphs), Span(f" {kind_words(kind)}")]


def _sign(kind: Kind, glyphs: Glyphs) -> Row:
    return [Span(glyphs.signs[kind] + kind_letter(kind), KINDS[kind])]


def _joined(names: Sequence[Row]) -> Row:
    return [span for at, name in enumerate(names) for span in ([Span(", ")] * bool(at) + name)]


def _with_rule(signs: Row, rule: str, width: int) -> Iterator[Row]:
    """Behind the signs, or below them where there is no room."""
    if cells(signs) + len(": ") + cells([Span(rule)]) <= width:
        yield [*signs, Span(f": {rule}")]
        return
    yield [*signs, Span(":")]
    for row in wrapped(rule, width - _INSET):
        yield [Span(" " * _INSET + row)]


# The score as one table: a row for each part, a column for each player.
#
# The player's own column is the first, and beside it stands what the tile in hand would add,
# and, where there is room, why, or else what scores: then come the others.


_TITLE: Final = 8
_NUMBER: Final = 4
_GAIN: Final = 4
_OTHER: Final = (5, 8)
"""The narrowest and the widest column of another player."""
_OWN: Final = _TITLE + _NUMBER + _GAIN
"""Up to where the player's own column goes."""
_RULE: Final = 2
"""A blank and the upright rule between the player's own column and the next, of whose cells they
take so many; the rule alone where a number of that one leaves no more."""
_WHY: Final = (14, 48)
"""The narrowest and the widest column of reasons, with the blank before it: a narrower one would
say too little, so a line below the table and the hint say it."""
_PARTS: Final = (*PARTS, "total", "gems")


class Columns(NamedTuple):
    """Cells of each other player's column, and of the reasons; 0: there is no room for them."""

    other: int
    why: int

    @classmethod
    def of(cls, seats: int, width: int) -> "Columns":
        least, most = _OTHER
        others = seats - 1
        spare = width - _OWN - others * least
        for_names = spare - _WHY[0] if spare >= _WHY[0] else spare
        wider = min(most - least, for_names // others) if others else 0
        left = spare - others * wider
        return cls(least + wider, min(_WHY[1], left) if left >= _WHY[0] else 0)

    def at(self, x: int) -> int:
        """Which of the players in order stands at a cell of the table; -1: none."""
        return max(0, (x - _OWN - self.why) // self.other + 1) if x >= _TITLE else -1

    def total(self, place: int) -> tuple[int, int, int]:
        """Column, row and cells of a player's total; `place`: which of the players in order."""
        end = _OWN + self.why + place * self.other if place else _TITLE + _NUMBER
        return end - _NUMBER + 1, _PARTS.index("total"), _NUMBER - 1


class ScoreTable:
    """What every player has of each kind of points, and what the turn would add. `told`: what else
    stands on the board, "rules" or "signs"."""

    def __init__(self, scene: Scene, width: int, glyphs: Glyphs, told: str) -> None:
        view, selection = scene.view, scene.selection
        self._told = told
        self._scene, self._width, self._glyphs = scene, width, glyphs
        self._seats = seats_in_order(view)
        self._columns = Columns.of(len(self._seats), width)
        self._points = [_of(choosing.points(view, seat), view.gems[seat]) for seat in self._seats]
        beside = [len(f"{n}") for points in self._points[1:2] for n in points.values()]
        blank = max(beside, default=0) + _RULE <= self._columns.other
        self._upright = [Span(" " * blank), Span(glyphs.light.down, Edge.QUIET)]
        self._tile = 0
        self._gains: Mapping[str, int] = {}
        self._why: Mapping[str, Sequence[str]] = {}
        if shown_seat(scene) == view.seat:
            self._tile = choosing.tile(view, selection)
            self._points[0] = _of(
                choosing.before(view, selection), gems := choosing.gems_before(view, selection)
            )
            if choosing.too_dear(view, selection):
                self._gains = {"gems": -choosing.cost(view, selection.position)}
            elif found := choosing.gains(view, selection):
                paid = choosing.gems_after(view, selection) - gems
                self._gains = {**found, "total": sum(found.values()), "gems": paid}
                self._why = why(view, selection, glyphs.becomes)
        self._fits = "total" in self._gains or not self._tile

    def head(self, title: Row, before: int) -> Row:
        """A title, and each player's name above their column, to stand in a rule, of which so many
        cells come before it."""
        scene, (own, *others) = self._scene, self._seats
        rule = Span(self._glyphs.light.across, Edge.QUIET)
        row = line(_TITLE - before, title)
        if not others:
            return [*row, *self._name(own, _NUMBER, Span(" "))]
        # A watcher's first name is more than "You"; nothing is gained in their column.
        wide = _NUMBER if own == scene.view.seat else _NUMBER + _GAIN - 1
        named = min(wide, max(_NUMBER, cell_len(scene.names[own]) + 1))
        row += [
            *self._name(own, named, rule),
            *line(_NUMBER + _GAIN - named, [Span(" ")], rule),
        ]
        above = self._above_reasons()
        # A long first name takes what is free before it.
        lacks = 1 + cell_len(scene.names[others[0]]) - self._columns.other
        taken = max(0, min(lacks, self._columns.why - cells(above)))
        row += line(self._columns.why - taken, above, rule)
        for seat in others:
            room = self._columns.other + (taken if seat == others[0] else 0)
            if seat == others[-1] and room >= _OTHER[1]:  # behind it there is nothing
                spare = self._width - before - cells(row)
                room = max(room, min(1 + cell_len(scene.names[seat]), spare))
            row += self._name(seat, room, rule, " " * (seat != others[0]))
        return row

    def _above_reasons(self) -> Row:
        """What the column of reasons is about, with a blank on each side, where there is room; not
        where another pane says it."""
        said = " ".join(["", _("What scores"), ""])
        fits = self._told != "rules" and cell_len(said) <= self._columns.why
        return [Span(said, Voice.BOLD)] if fits else []

    def _name(self, seat: int, room: int, rule: Span, lead: str = "") -> Row:
        """The player's name at the right end of its column, with a mark on their turn; a player
        alone has no mark. While another's town is shown, the player's own name has none: else they
        take that town for theirs."""
        scene, view, own = self._scene, self._scene.view, seat == self._scene.view.seat
        turn = (
            seat == view.turn and len(self._seats) > 1 and not (own and scene.looking is not None)
        )
        name = pgettext("above your points, 3 cells", "You") if own else scene.names[seat]
        shown = cut(name, room - 1, self._glyphs.ellipsis if room > _OTHER[0] else "")
        looked_at = seat == shown_seat(scene) != view.seat
        mark = Span(self._glyphs.turn, Voice.LOUD) if turn else Span(" ")
        row = [mark, Span(shown, Voice.MARKED if looked_at else scene.name_ink(seat))]
        return [*line(room - cells(row), [Span(lead)], rule), *row]

    def rows(self) -> Block:
        """What stands below the names: parts, total, gems, and what was built last."""
        shows = self._scene.shows
        told = [list(self._row(part)) if shows(part) else [] for part in _PARTS]
        return [*told, self._rule() or self._built()]

    def _rule(self) -> Row:
        """Where the board does not say it elsewhere, what the signs on the tile in hand mean and
        score, for the part that decides, or else for the tile. It stays while the tile does not
        fit, which the cross beside the total and the hint say: so fewer bytes are sent."""
        if not self._tile or (self._columns.why and (self._told or not self._fits)):
            return []
        gains = {part: self._gains.get(part, 0) for part in PARTS if part != "houses"}
        part = deciding(gains, self._gains.get("total", 0)) or about(self._tile)
        if not self._scene.shows(part):
            return []
        rules = what_scores(part, self._scene.view)
        rows = [*leads(part, self._tile, self._glyphs)]
        if not self._columns.why:
            rows.append(line(_TITLE, [Span(part_title(part), Voice.DIM)]))
        for lead in rows:
            if told := fitting(rules, self._width - cells(lead)):
                return [*lead, Span(told, Voice.DIM)]
        return []

    def _row(self, part: str) -> Iterator[Span]:
        ink = {"total": Voice.BOLD, "gems": Ink.GEM}.get(part)
        own, *others = (points[part] for points in self._points)
        yield from line(_TITLE, [Span(part_title(part), ink)])
        yield Span(str(own).rjust(_NUMBER), ink)
        yield self._gain(part)
        if self._columns.why:
            yield from line(self._columns.why, self._reason(part))
        numbers = "".join(str(points).rjust(self._columns.other) for points in others)
        if others:
            yield from self._upright
            yield Span(numbers[cells(self._upright) :], ink)

    def _gain(self, part: str) -> Span:
        if part == "total" and not self._fits:
            return Span(self._glyphs.cross.rjust(_GAIN), Ink.MISFIT)
        gain = self._gains.get(part, 0)
        shown = gain or (part == "total" and self._gains)
        text = f"{gain:+}" if shown else ""
        return Span(text.rjust(_GAIN), Ink.LOSS if gain < 0 else Ink.GAIN)

    def _reason(self, part: str) -> Row:
        """Why the tile in hand changes it, or else what scores."""
        lead = Span("  " if self._columns.why > _WHY[0] + _RULE else " ")
        if part == "total" and not self._fits:
            misfit = pgettext("a tile in the place shown, 12 cells", "does not fit")
            if choosing.too_dear(self._scene.view, self._scene.selection):
                misfit = pgettext("a tile in the place shown, 12 cells", "too dear")
            return [lead, Span(misfit, Ink.MISFIT)]
        room = self._columns.why - len(lead.text)
        if told := fitting(self._why.get(part, ()), room):
            return [lead, Span(told)]
        rule = () if self._told == "rules" else what_scores(part, self._scene.view)
        after = choosing.town_after(self._scene.view, self._scene.selection)
        if part == "gems" and self._tile and after:
            rule = [*reasons.gems_lacking(*after), *rule]
        if part == "schools" and self._scene.view.seat is not None:
            view = self._scene.view
            gems = self._points[0]["gems"]
            rule = [*reasons.kept(view, choosing.own_board(view), gems), *rule]
        return [lead, Span(fitting(rule, room), Voice.DIM)]

    def _built(self) -> Row:
        """Who of the others has built where since the player's last turn."""
        fresh = {seat: self._fresh(seat) for seat in self._seats}
        built = {seat: told for seat, told in fresh.items() if told}
        if not built:
            return [Span("")]
        said = fitting([*self._who_built(built)], self._width)
        return [Span(said, Voice.LOUD)] if said else self._below_names(built)

    def _fresh(self, seat: int) -> str:
        """`c4 d4`; "" where it has not built one tile."""
        fresh = self._scene.news.get(seat, ())
        return cells_words(fresh) if len(fresh) == 2 else ""

    def _who_built(self, built: Mapping[int, str]) -> Iterator[str]:
        """With whole names, then with those that stand above the columns."""
        for room in (self._width, self._columns.other - 1):
            names = {seat: cut(self._scene.names[seat], room, "") for seat in built}
            if len(built) == 1:
                ((seat, where),) = built.items()
                yield _("{name} built on {cells}").format(name=names[seat], cells=where)
            else:
                told = ", ".join(f"{names[seat]} {where}" for seat, where in built.items())
                yield _("Built: {names_and_cells}").format(names_and_cells=told)

    def _below_names(self, built: Mapping[int, str]) -> Row:
        """The first cell of each, below the player's points."""
        label = pgettext("before cells like c4 d4, 12 cells", "Built last")
        firsts = (built.get(seat, "")[:2].rjust(self._columns.other) for seat in self._seats[1:])
        said = label.ljust(_OWN + self._columns.why) + "".join(firsts)
        return [Span(said, Voice.LOUD)]


def _of(parts: Parts, gems: int) -> Mapping[str, int]:
    return {part: getattr(parts, part) for part in (*PARTS, "total")} | {"gems": gems}
