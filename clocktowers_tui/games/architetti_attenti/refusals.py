"""Why an action is impossible: for each of the game's codes the rule and what to do instead.

Law: parameters come over the wire and may be missing or of another type; there is a sentence
nevertheless.
"""

from typing import Final

from clocktowers_tui.games.architetti_attenti.actions import TILES
from clocktowers_tui.games.params import number
from clocktowers_tui.keys.actions import CONFIRM
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap, ways_to_move
from clocktowers_tui.text.i18n import _, ngettext
from protocol.errors import Refusal
from protocol.games.architetti_attenti import CELLS, Phase, Refused
from protocol.games.architetti_attenti.board import cell_name

_CODES: Final = frozenset(Refused)


def refusal_words(refusal: Refusal, keymap: Keymap = DEFAULT_KEYS) -> str | None:
    """One sentence; None for codes that are not this game's."""
    if refusal.code not in _CODES:
        return None
    return _sentence(Refused(refusal.code), refusal).format(
        position=number(refusal, "position"),
        cost=number(refusal, "cost"),
        gems=number(refusal, "gems"),
        cell=_cell(refusal, "cell"),
        first=_cell(refusal, "first"),
        second=_cell(refusal, "second"),
        tiles=keymap.names(TILES),
        confirm=keymap.name(CONFIRM),
        ways=ways_to_move(keymap),
    )


def _sentence(code: Refused, refusal: Refusal) -> str:
    # The dictionary is built at every call because sentences follow the language.
    return {
        Refused.WRONG_PHASE: _wrong_phase(refusal),
        Refused.NO_TILE_THERE: _("No tile lies there: pick another."),
        Refused.TOO_FEW_GEMS: ngettext(
            "Tile {position} costs {cost} gem, you have {gems}: take one that costs less.",
            "Tile {position} costs {cost} gems, you have {gems}: take one that costs less.",
            number(refusal, "cost"),
        ),
        Refused.NOT_NEIGHBOURS: _(
            "{first} and {second} are not side by side: a tile covers two cells that are."
        ),
        Refused.CELL_TAKEN: _("Something stands on {cell}: move the tile ({ways}) to free cells."),
        Refused.TOWN_HALL: _("{cell} is the town hall's: move the tile ({ways}) to free cells."),
        Refused.SAME_HALVES: _(
            "Both halves are the same, so the smaller cell comes first: {second}, then {first}."
        ),
    }[code]


def _wrong_phase(refusal: Refusal) -> str:
    if refusal.params.get("phase") == Phase.PLACE:
        return _("You have bought your tile: build it with {confirm}.")
    return _("First buy a tile: choose one with {tiles}.")


def _cell(refusal: Refusal, name: str) -> str:
    cell = number(refusal, name)
    return cell_name(cell) if 0 <= cell < CELLS else "?"
