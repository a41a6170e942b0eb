"""A player's town: its edge, and within it the towers, drawn or as text."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rich.cells import cell_len

from clocktowers_tui.games.clocktowers import street
from clocktowers_tui.games.clocktowers.choosing import Marks, label, places, tag
from clocktowers_tui.games.clocktowers.inks import ROOFS, Glyphs
from clocktowers_tui.games.clocktowers.sight import Scene, seats_in_order
from clocktowers_tui.games.clocktowers.street import (
    LADDER,
    SCORING,
    TOWER,
    Sky,
    notice,
    with_notice,
)
from clocktowers_tui.games.clocktowers.towers import hidden_text
from clocktowers_tui.games.clocktowers.words import (
    brief_scoring_words,
    card_words,
    points_written,
    scoring_words,
    short_code,
)
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.spans import Block, Edge, Row, Span, cells, cut, framed, line
from clocktowers_tui.text.i18n import _, ngettext, pgettext
from protocol.games.clocktowers import FIRST_ROOF, STOREYS, Phase, Town, View

_LABEL: Final = 4
_COMFORT: Final = 18
_LEAST: Final = 9


class Grid(NamedTuple):
    """Columns of `rows` places each, filled downwards; `first` is the first place drawn."""

    columns: int
    rows: int
    column_width: int
    first: int

    def place_at(self, x: int, y: int) -> int | None:
        """The index among the places drawn; None beside the columns."""
        column = x // (self.column_width + 1)
        if column < self.columns and 0 <= y < self.rows:
            return self.first + column * self.rows + y
        return None


def town_grid(town: Town, width: int, rows: int, marks: Marks) -> Grid:
    """As few columns as hold all places; if not all fit, a window that shows the one picked."""
    drawn = places(len(town.towers), marks)
    count, at = max(1, len(drawn)), drawn.index(marks.at) if marks.at in drawn else len(drawn) - 1
    most = max(1, (width + 1) // (_LEAST + 1))
    comfortable = max(1, (width + 1) // (_COMFORT + 1))
    columns = min(most, max(comfortable, -(-count // rows)))
    columns = max(1, min(columns, -(-count // rows)))
    room = columns * rows
    first = max(0, min(at - rows, count - room))
    return Grid(columns, rows, (width + 1) // columns - 1, first)


def ledger(town: Town, width: int, height: int, marks: Marks, glyphs: Glyphs) -> Block:
    """`height` rows of `width` cells."""
    drawn = places(len(town.towers), marks)
    shape = town_grid(town, width, height, marks)
    rows: list[Row] = [[] for _ in range(height)]
    window = drawn[shape.first : shape.first + shape.columns * shape.rows]
    for index, place in enumerate(window):
        row = rows[index % shape.rows]
        cards = town.towers[place] if place >= 0 else b""
        entry = _entry(place, cards, shape.column_width, marks, glyphs)
        row += [*([Span(" ")] if row else []), *entry]
    return [line(width, row) for row in rows]


def _entry(place: int, cards: bytes, width: int, marks: Marks, glyphs: Glyphs) -> Row:
    number = label(place, marks, glyphs)
    head = Span(f"{number.text:>2}".ljust(3), number.ink)
    pad = Span(" " * (_LABEL - len(head.text) if width > _LEAST + 1 else 0))
    room = width - cells([head, pad])
    play = marks.legal.get(place)
    end = [Span(f" {tag(play)}", Voice.LOUD)] if play else []
    row = _cards(cards, room - cells(end), glyphs)
    if place == marks.at:
        row = [Span("".join(span.text for span in row), Voice.MARKED)]
    return line(width, [head, pad, *row, *end])


def _cards(cards: bytes, width: int, glyphs: Glyphs) -> Row:
    texts = (text for text in _shorter_and_shorter(cards) if cell_len(text) <= width)
    return _coloured(next(texts, glyphs.ellipsis), cards)


def _shorter_and_shorter(cards: bytes) -> Iterator[str]:
    """All cards; with the fewest lowest floors hidden; without dots; only height and roof."""
    floors = [card for card in cards if STOREYS[card]]
    codes = [short_code(card) for card in cards]
    for dot in (".", ""):
        yield dot.join(codes)
        for hidden in range(2, len(floors) + 1):
            yield dot.join([hidden_text(floors[:hidden]), *codes[hidden:]])
    others = "".join(codes[len(floors) :])
    yield hidden_text(floors) + others.replace("-", "")
    yield f"+{sum(STOREYS[card] for card in floors)}{others[-2:].replace('-', '')}"


def _coloured(text: str, cards: bytes) -> Row:
    """The roof's code, always last, on its colour."""
    if not cards or cards[-1] < FIRST_ROOF:
        return [Span(text)]
    return [Span(text[:-2]), Span(text[-2:], ROOFS[cards[-1] - FIRST_ROOF])]


# A player's town: its edge with name, points and hand, and within it the towers.
#
# Pure: from the view to rows of text.


_SKY: Final = 97
"""Cells from one seat's sky to the next, so that no two are alike."""
_LEAST_NAME: Final = 6
_ENOUGH_NAME: Final = 13
"""Cells of a name for which words of the score are left out, as of a player who is away."""
_APART: Final = " " * 3
"""After what towers score."""
_AROUND: Final = 6
"""Blanks between the parts of an edge, and the rule before them."""


class Form(NamedTuple):
    """How to draw: pictures at this pitch, or without one the ledger; in a frame, or below a
    rule."""

    width: int
    height: int
    pitch: street.Pitch | None
    framed: bool = False

    @property
    def inner(self) -> tuple[int, int]:
        """Columns and rows for the towers."""
        return self.width - 2 * self.framed, self.height - 1 - self.framed


def town_block(scene: Scene, seat: int, form: Form, marks: Marks, glyphs: Glyphs) -> Block:
    """`form.height` rows of `form.width` cells."""
    town, (width, height), pitch = scene.view.towns[seat], form.inner, form.pitch
    # The rule is heavy for the seat to act.
    edge, rule = Edge.QUIET, glyphs.rule
    if scene.view.turn == seat:
        edge, rule = Edge.TURN, glyphs.turn_rule
    told = not town.towers if pitch is None else street.has_room(town, width, pitch)
    title, end = header(scene, seat, width - 2 * form.framed, glyphs, told=told)
    place = seats_in_order(scene.view).index(seat)
    known = {*scene.taught.hidden}
    if any(one.ink is Voice.DIM for one in end):
        known.add(SCORING)
    if any(any(one.points) for one in scene.view.towns):
        known |= {LADDER, TOWER}
    says = notice(place, height - (pitch is not None), glyphs, known)
    if pitch is not None:
        behind = Sky(not place, seat * _SKY, says)
        body = street.street(town, width, height, pitch, marks, glyphs, behind)
    else:
        body = ledger(town, width, height, marks, glyphs)
        body = body if town.towers else with_notice(body, width, says)
    if not form.framed:
        # Only its beginning is loud: a whole rule of every turn is dear over a slow line.
        head = [Span(f"{rule} ", edge), *title, Span(" ")]
        tail = [Span(" "), *end] if end else []
        above = line(width - cells(tail), head, Span(glyphs.rule, Edge.QUIET))
        return [[*above, *tail], *body]
    return framed((form.width, form.height), body, glyphs.light, title, end, edge, rule)


def place_at(view: View, seat: int, form: Form, marks: Marks, x: int, y: int) -> int | None:
    """Which place (a tower's index or NEW) is drawn at a cell of the block; None for none."""
    town, (width, height) = view.towns[seat], form.inner
    x, y = x - form.framed, y - 1
    if not (0 <= x < width and 0 <= y < height):
        return None
    if form.pitch is not None:
        return street.place_at(len(town.towers), width, form.pitch, marks, x)
    drawn = places(len(town.towers), marks)
    index = town_grid(town, width, height, marks).place_at(x, y)
    return drawn[index] if index is not None and index < len(drawn) else None


def header(scene: Scene, seat: int, width: int, glyphs: Glyphs, *, told: bool) -> tuple[Row, Row]:
    """`► Ann (you)  7 pts · 3 towers done`, and `hand ▒▒▒`; where there is room, what was built
    last stands before the hand; in the own town, what towers score, for which other words are left
    out: unless the sky has `told` it, even how many are done."""
    view, names = scene.view, scene.names
    acting = view.turn == seat
    start = f"{glyphs.turn} " if acting else ""
    end = _end(scene, seat, glyphs)
    you = " " + _("(you)") if seat == view.seat else ""
    fixed = cell_len(start + you) + _AROUND + cells(end)
    score, room = _score(view, seat, width - fixed, names[seat], glyphs)
    name = cut(names[seat], room, glyphs.ellipsis)
    title = [Span(f"{start}{name}{you}", Voice.LOUD if acting else Voice.BOLD), Span(f"  {score}")]
    apart = f"{glyphs.dot} " if len(end) > 1 else ""
    hand = Span(apart + pgettext("above a town, before backs of cards", "hand") + " ")
    bare = end
    if end[-1].text and cells(title) + fixed + cells([hand]) <= width:
        end = [*end[:-1], hand, end[-1]]
        fixed += cells([hand])
    if gone := _gone(view, seat, width - cells(title) - fixed, glyphs):
        end, bare = [gone, *end], [gone, *bare]
        fixed += cells([gone])
    dot = f" {glyphs.dot} "
    follows = any(one.text for one in end)
    built = Span(_built(scene, seat, dot if follows else ""), Voice.LOUD)
    if built.text and cells(title) + fixed + cells([built]) <= width:
        end = [built, *end]
    if seat == view.seat and SCORING not in scene.taught.hidden:
        few_words = brief_scoring_words(dot)
        brief = brief_scoring_words(dot, briefer=True)
        few = [title[0], Span(f"  {_few_words(view, seat, dot)}")]
        least = [title[0], Span(f"  {points_written(view.points[seat])}")]
        ways = [(title, end, scoring_words(dot)), (title, end, few_words), (few, bare, few_words)]
        ways += [(few, end, brief), (few, bare, brief)]
        ways += [*([] if told else [(least, bare, brief)])]
        for said, others, words in ways:
            others = [one for one in others if one.text]
            apart = _APART if others else ""
            scoring = [Span(words + apart, Voice.DIM), *others]
            if cells([*said, *scoring]) + _AROUND <= width + len(apart):
                return said, scoring
    return title, [one for one in end if one.text]


def _built(scene: Scene, seat: int, dot: str) -> str:
    """What another has put on which tower since the player's turn; `dot`: before what follows."""
    towers = scene.view.towns[seat].towers
    said = [
        _("{card} on tower {n}").format(card=card_words(towers[tower][-1]), n=tower + 1)
        for tower in sorted(scene.news.of(seat))
        if seat != scene.view.seat and tower < len(towers)
    ]
    return ", ".join(said) + dot * bool(said)


def _gone(view: View, seat: int, room: int, glyphs: Glyphs) -> Span | None:
    """With all hands open the seat's discards, oldest first, the newest of them where there is no
    room for all; at the end, which others see in a picture, how many. None: there are none, or no
    room for one."""
    if not _shows_discards(view):
        return None
    words = pgettext("above a town, 10 cells", "discarded")
    codes = [*map(short_code, view.shown[seat])]
    if (n := len(codes)) and view.phase is Phase.OVER:
        words, codes = ngettext("{n} card discarded", "{n} cards discarded", n).format(n=n), [""]
    for skipped in range(len(codes)):
        left = [*([glyphs.ellipsis] if skipped else []), *codes[skipped:]]
        gone = Span(f"{words} {' '.join(left)}  ")
        if cells([gone]) <= room:
            return gone
    return None


def _shows_discards(view: View) -> bool:
    return bool(view.known and view.shown)


def _score(view: View, seat: int, room: int, name: str, glyphs: Glyphs) -> tuple[str, int]:
    """Points and complete towers, in as many words as leave room for a name, and that room."""
    points = view.points[seat]
    done = sum(map(bool, view.towns[seat].points))
    short = points_written(points)
    towers = ngettext("{n} tower done", "{n} towers done", done).format(n=done)
    count = _few_words(view, seat, f" {glyphs.dot} ")
    ways = ((f"{short} {glyphs.dot} {towers}", _ENOUGH_NAME), (count, _ENOUGH_NAME))
    for score, enough in (*ways, (short, _LEAST_NAME)):
        least = min(enough, cell_len(name))
        if room - cell_len(score) >= least:
            return score, room - cell_len(score)
    return str(points), max(0, room - cell_len(str(points)))


def _few_words(view: View, seat: int, dot: str) -> str:
    """Points and complete towers."""
    done = sum(map(bool, view.towns[seat].points))
    count = ngettext("{n} done", "{n} done", done).format(n=done)
    return f"{points_written(view.points[seat])}{dot}{count}"


def _end(scene: Scene, seat: int, glyphs: Glyphs) -> Row:
    """Of another's hand one back a card; on open-memory tables the cards that are certain, then the
    backs. Before them whether one was just discarded."""
    view = scene.view
    known = view.known[seat] if view.known and seat != view.seat else b""
    backs = "" if seat == view.seat else glyphs.back * (view.hands[seat] - len(known))
    hand = " ".join([*(short_code(card) for card in known), *([backs] if backs else [])])
    thrown = Span(pgettext("above a town, 10 cells", "discarded") + " ", Voice.LOUD)
    told = seat in scene.news.thrown and not _shows_discards(view)
    return [*([thrown] if told else []), Span(hand)]
