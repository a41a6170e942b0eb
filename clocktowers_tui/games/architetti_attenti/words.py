"""Kinds, tiles, parts of a score and options in words, each a phrase to be translated as one."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from clocktowers_tui.games.face import OptionField, choice_field, first_seat, take_back
from clocktowers_tui.games.spans import are_signs
from clocktowers_tui.text.i18n import N_, _, ngettext, pgettext
from clocktowers_tui.text.spelling import kept
from protocol.games.architetti_attenti import SEATS, TILES, Options
from protocol.games.architetti_attenti.board import cell_name

_LETTERS: Final = " HPSBKFTRNW"
"""Kind → the letter where a language's own ones cannot be told apart."""


class KindNames(NamedTuple):
    """What stands on a cell: `words` in a sentence; on a tile, in 7 cells (longer words are cut),
    its `title`; its `letter`; so many of it; and half of a tile, `built` on a cell."""

    words: str
    title: str
    letter: str
    counted: Callable[[int], str] = str
    built: str = ""


@kept
def _kinds() -> tuple[KindNames, ...]:
    """By `Kind`."""
    return (
        KindNames(_("free cell"), "", " "),
        KindNames(
            _("house"),
            pgettext("on a tile, 7 cells", "House"),
            pgettext("one letter for a house", "H"),
            lambda n: ngettext("{n} house", "{n} houses", n),
            pgettext("what is built", "a house on {cell}"),
        ),
        KindNames(
            _("park"),
            pgettext("on a tile, 7 cells", "Park"),
            pgettext("one letter for a park", "P"),
            lambda n: ngettext("{n} park", "{n} parks", n),
            pgettext("what is built", "a park on {cell}"),
        ),
        KindNames(
            _("school"),
            pgettext("on a tile, 7 cells", "School"),
            pgettext("one letter for a school", "S"),
            lambda n: ngettext("{n} school", "{n} schools", n),
            pgettext("what is built", "a school on {cell}"),
        ),
        KindNames(
            _("bakery"),
            pgettext("on a tile, 7 cells", "Bakery"),
            pgettext("one letter for a bakery", "B"),
            lambda n: ngettext("{n} bakery", "{n} bakeries", n),
            pgettext("what is built", "a bakery on {cell}"),
        ),
        KindNames(
            _("bookshop"),
            pgettext("on a tile, 7 cells", "Books"),
            pgettext("one letter for a bookshop", "K"),
            lambda n: ngettext("{n} bookshop", "{n} bookshops", n),
            pgettext("what is built", "a bookshop on {cell}"),
        ),
        KindNames(
            _("florist"),
            pgettext("on a tile, 7 cells", "Florist"),
            pgettext("one letter for a florist", "F"),
            lambda n: ngettext("{n} florist", "{n} florists", n),
            pgettext("what is built", "a florist on {cell}"),
        ),
        KindNames(
            _("toy shop"),
            pgettext("on a tile, 7 cells", "Toys"),
            pgettext("one letter for a toy shop", "T"),
            lambda n: ngettext("{n} toy shop", "{n} toy shops", n),
            pgettext("what is built", "a toy shop on {cell}"),
        ),
        KindNames(
            _("track"),
            pgettext("on a tile, 7 cells", "Track"),
            pgettext("one letter for a track", "R"),
            lambda n: ngettext("{n} track", "{n} tracks", n),
            pgettext("what is built", "a track on {cell}"),
        ),
        KindNames(
            _("station"),
            pgettext("on a tile, 7 cells", "Station"),
            pgettext("one letter for a station", "N"),
            lambda n: ngettext("{n} station", "{n} stations", n),
            pgettext("what is built", "a station on {cell}"),
        ),
        KindNames(
            _("town hall"),
            pgettext("on a tile, 7 cells", "Hall"),
            pgettext("one letter for the town hall", "W"),
        ),
    )


def kind_words(kind: int) -> str:
    return _kinds()[kind].words


def kind_title(kind: int) -> str:
    return _kinds()[kind].title


def counted_words(kind: int, n: int) -> str:
    """So many of what stands on cells; `kind` is one of those on tiles."""
    return _kinds()[kind].counted(n).format(n=n)


def kind_letter(kind: int) -> str:
    """The letter that stands for a kind on the board: capital, one cell; a blank for a free one."""
    return kind_letters()[kind]


@kept
def kind_letters() -> str:
    """By kind; every key draws some hundred."""
    letters = tuple(one.letter for one in _kinds()[1:])
    return f" {''.join(letters)}" if are_signs(letters) else _LETTERS


def cells_words(cells: Iterable[int]) -> str:
    """`e4 f4`: row by row, whichever half of a tile lies where, so that a place has one name."""
    found = sorted(cells)
    return halves_words(*found) if len(found) == 2 else " ".join(map(cell_name, found))


def halves_words(first: int, second: int) -> str:
    """`f4 e4`: the cells of a tile's halves, in their order."""
    both = pgettext("the two cells of a tile: c3 d3", "{one} {other}")
    return both.format(one=cell_name(first), other=cell_name(second))


def shuts_words(cells: Iterable[int]) -> str:
    """Of cells that a tile shuts in."""
    return _("it shuts in {cells}, where no tile fits").format(cells=cells_words(cells))


def built_words(kind: int, cell: int) -> str:
    """`a house on f4`: half a tile that lies there."""
    return _kinds()[kind].built.format(cell=cell_name(cell))


def laid_words(tile: int, first: int, second: int) -> str:
    """`a house on f4 and a track on e4`: a tile that lies there, for the middle of a sentence."""
    one, other = TILES[tile] if 0 <= tile < len(TILES) else TILES[0]
    if one == other:
        said = _("{tile} on {cells}")
        return said.format(tile=tile_words(tile), cells=cells_words((first, second)))
    halves = {"one": built_words(one, first), "other": built_words(other, second)}
    return pgettext("the two halves of a tile", "{one} and {other}").format_map(halves)


def tile_words(tile: int) -> str:
    """A tile in a sentence; "a tile" for what is no tile's number."""
    words = (
        _("a tile"),
        _("two houses"),
        _("a house and a park"),
        _("a house and a school"),
        _("a house and a bakery"),
        _("a house and a bookshop"),
        _("a house and a florist"),
        _("a house and a toy shop"),
        _("a house and a track"),
        _("a house and a station"),
        _("two tracks"),
        _("a station and a track"),
        _("a bakery and a park"),
        _("a bookshop and a park"),
        _("a florist and a school"),
        _("a toy shop and a school"),
    )
    return words[tile] if 0 <= tile < len(TILES) else words[0]


def part_title(part: str) -> str:
    """A field of `Parts`, "total" or "gems", in at most 8 cells (longer words are cut)."""
    return {
        "houses": pgettext("in the table of points, 8 cells", "Houses"),
        "blocks": pgettext("in the table of points, 8 cells", "Blocks"),
        "parks": pgettext("in the table of points, 8 cells", "Parks"),
        "rails": pgettext("in the table of points, 8 cells", "Rails"),
        "shops": pgettext("in the table of points, 8 cells", "Shops"),
        "schools": pgettext("in the table of points, 8 cells", "Schools"),
        "total": pgettext("in the table of points, 8 cells", "Total"),
        "gems": pgettext("in the table of points, 8 cells", "Gems"),
    }[part]


# A table's options and presets in words ----------------------------------------------------------


_choice: Final = partial(choice_field, Options)


def option_fields(seats: int | None = None) -> Sequence[OptionField]:
    """In the order of the form; the first value of each is the default. See `Face`."""
    return (
        _choice(
            "blocks",
            _("Blocks of houses"),
            _("a house counts once"),
            _("every block counts"),
            sentence=_("Blocks of 2x2 or 3x3 houses: may a house count in several?"),
        ),
        _choice(
            "parks",
            _("Parks"),
            _("each park with each house"),
            _("each house once"),
            sentence=_("Does a house beside two parks bring 2 points, or 1?"),
        ),
        _choice(
            "rails",
            # TRANSLATORS: name of a rule: how railways score.
            _("Rails"),
            _("stations x tracks"),
            _("2 for each track"),
            sentence=_("What tracks between stations bring: 1 for each station, or 2."),
        ),
        _choice(
            "end",
            # TRANSLATORS: name of a rule: when the match ends.
            _("The end"),
            _("when the pile is empty"),
            _("when the row is empty"),
            sentence=_("Stop when the pile is empty, or play the last tiles too?"),
        ),
        take_back(),
        first_seat(seats or max(SEATS)),
    )


PRESET_NAMES: Final = N_("Standard"), N_("Word for word"), N_("To the last tile")
