"""Architetti Attenti in the registry: what each key does, how plain mode says it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, assert_never

from clocktowers_tui.games.architetti_attenti import choosing, costs, hinting, sentences, words
from clocktowers_tui.games.architetti_attenti.actions import (
    BEST,
    LAYOUT,
    MOVES,
    OTHERS,
    TILES,
    TURN,
)
from clocktowers_tui.games.architetti_attenti.choosing import NOTHING, Selection, Stage, turns_done
from clocktowers_tui.games.architetti_attenti.log import opens_turn, phrase
from clocktowers_tui.games.architetti_attenti.result import (
    ahead_in_words,
    result_details,
    result_lines,
    same_deal,
    stories,
)
from clocktowers_tui.games.face import Advice, Face
from clocktowers_tui.games.keys import Choose, Key
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed, KeyGroups
from clocktowers_tui.text.i18n import N_, _, pgettext
from protocol.games.architetti_attenti import Action, Phase, View

_BUY: Final = Deed("buy", N_("buy that tile of the row"), short="b", takes="TILE", waits=True)
_PLACE: Final = Deed(
    "place",
    N_("build your tile, first half first; without cells, at its best place"),
    short="p",
    takes="CELL CELL",
    waits=True,
)
_BEST: Final = Deed("best", N_("say where a tile goes best at first sight"), takes="[TILE]")
_TRY: Final = Deed(
    "try",
    N_("say what your tile, or a tile of the row, adds there"),
    short="y",
    takes="[TILE] CELL CELL",
)
_TOWN: Final = Deed(
    "town",
    N_("say what you have built, or what another player has; or what stands around a cell"),
    short="o",
    takes="[NAME|CELL]",
)

KEYS: Final = (
    *(
        # TRANSLATORS: keys 1 to 4: picks a tile of the row.
        Key(tile, N_("Tile"), partial(choosing.take_up, position=n), _BUY)
        for n, tile in enumerate(TILES, 1)
    ),
    *(
        # TRANSLATORS: arrow keys: moves the tile, a verb.
        Key(key, N_("Move"), partial(choosing.move, across=across, down=down))
        for key, across, down in zip(MOVES, (-1, 0, 0, 1), (0, 1, -1, 0), strict=True)
    ),
    # TRANSLATORS: a key: turns the tile by 90 degrees, a verb.
    Key(TURN, N_("Turn"), choosing.turn, _PLACE),
    Key(BEST, N_("Best place"), "best", _BEST),
    Key(None, deed=_TRY),
    Key(actions.CONFIRM, N_("Buy, then build"), choosing.confirm, _PLACE),
    Key(actions.CHOOSE, "", choosing.confirm),
    # TRANSLATORS: a key or a button: to what was before.
    Key(actions.BACK, N_("Back"), "back"),
    # TRANSLATORS: a key: shows the other players' towns.
    Key(OTHERS, N_("Others"), "others", _TOWN),
    # TRANSLATORS: a key: another arrangement of the board.
    Key(LAYOUT, N_("Layout"), "layout"),
)


def looking(view: View) -> KeyGroups:
    """The same while another's town is shown; the only one leads back by either key."""
    if view.seat is not None and len(view.boards) == 2:
        return [((OTHERS, actions.BACK), _("Back"))]
    # TRANSLATORS: a key: the next town.
    return [((OTHERS,), _("Next")), ((actions.BACK,), _("Back"))]


def actions_now(view: View, selection: Selection) -> KeyGroups:
    """The actions that lead somewhere from here."""
    others: KeyGroups = [((OTHERS,), _("Others"))] if len(view.boards) > 1 else []
    move: KeyGroups = [(MOVES, _("Move"))]
    turn: KeyGroups = [((TURN,), _("Turn")), ((BEST,), pgettext("in the key line", "Best"))]
    match selection.stage:
        case Stage.CHOOSE:
            return [(TILES, _("Tile")), *others]
        case Stage.LOOK:
            # TRANSLATORS: a key, a verb: buys the tile of the row.
            buy: KeyGroups = [((actions.CONFIRM,), _("Buy"))]
            buy = buy if choosing.confirm(view, selection).action else []
            return [*buy, (TILES, _("Tile")), *move, *turn, ((actions.BACK,), _("Back"))]
        case Stage.PLACE:
            # TRANSLATORS: a key, a verb: lays the bought tile.
            there = _("Build") if choosing.fits(view, selection.ghost) else _("Nearest place")
            # The arrows last: the key line of the purchase has named them, and may be too short.
            return [((actions.CONFIRM,), there), *turn, *move, *others]
        case Stage.NOTHING:
            return others
        case _:
            assert_never(selection.stage)


def leading(offered: KeyGroups, leads: Callable[[Choose], bool]) -> KeyGroups:
    """Those of these actions that lead on in a lesson, which names the place itself."""
    astray = {
        key.action for key in KEYS if not isinstance(key.does, str) and not leads(key.does)
    } | {BEST}
    led = (([one for one in together if one not in astray], words) for together, words in offered)
    return [(together, words) for together, words in led if together]


def _turn(view: View) -> int:
    """Each ends with a tile that is placed or discarded (rules: A turn)."""
    if view.turn is None or view.phase is Phase.OVER:
        return max(turns_done(view, seat) for seat in range(len(view.boards)))
    return turns_done(view, view.turn) + 1


def _advice(view: View, action: Action, names: Sequence[str], then: Any = None) -> Advice | None:
    """With the whole action: here no board shows the tile where it would lie."""
    found = hinting.advice(view, hinting.towards(view, NOTHING, action))
    return None if found is None else found._replace(what=hinting.choice(view, action))


FACE: Final = Face(
    game="architetti_attenti",
    minutes=20,
    keys=KEYS,
    pitch=sentences.pitch,
    about=sentences.about,
    expected=sentences.expected,
    turn=_turn,
    phrase=phrase,
    choice=hinting.choice,
    advice=_advice,
    costs=costs.costs,
    later=costs.later,
    refusal=sentences.refusal_words,
    result=result_lines,
    result_details=result_details,
    ahead=ahead_in_words,
    option_fields=words.option_fields,
    preset_names=words.PRESET_NAMES,
    opens_turn=opens_turn,
    stories=stories,
    same_deal=same_deal,
    notation=sentences.notation,
    open=True,
)
