"""The scene of a view, the parts of the board that show it, and its peaks."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, Final, NamedTuple, TypeAlias

from clocktowers_tui.games.motion import Moment, Win, fitting, on_board
from clocktowers_tui.games.painting import Voice
from clocktowers_tui.games.parts import UNTAUGHT, Cell, Given, Hit, Part, Size, log_rows, log_under
from clocktowers_tui.games.spans import Block, Edge, Rect, Span, block, framed, whole, wrapped
from clocktowers_tui.games.wild_wild_pattern import choosing
from clocktowers_tui.games.wild_wild_pattern.cards import Form
from clocktowers_tui.games.wild_wild_pattern.choosing import DECLARATION_ROWS, RACES, asked
from clocktowers_tui.games.wild_wild_pattern.hinting import missed, missed_title, missed_words
from clocktowers_tui.games.wild_wild_pattern.inks import Glyphs
from clocktowers_tui.games.wild_wild_pattern.sheet import (
    brief,
    prices_aside,
    prices_block,
    sheet_block,
)
from clocktowers_tui.games.wild_wild_pattern.side import (
    Written,
    legend,
    picked,
    picker,
    player_rows,
)
from clocktowers_tui.games.wild_wild_pattern.sight import (
    Layout,
    Scene,
    Sheet,
    Sight,
    beside,
    layout,
    news,
    stacked,
)
from clocktowers_tui.games.wild_wild_pattern.wheel import (
    own_block,
    own_under,
    place_under,
    told_rows,
    wheel_block,
    wild_moment,
)
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import N_, _
from protocol.games.wild_wild_pattern import Phase, View
from protocol.games.wild_wild_pattern.cards import PLACES, pairs

_LOG: Final = 5
"""Rows of the log: every new line moves all of them."""

_GOAL: Final = 6
"""Rows in which something of the goal can be said."""


def staged(given: Given, before: Scene | None) -> Scene:
    """The scene of a new view, after the last one."""
    view: View = given.view
    seen = before.view if before else None
    selection = choosing.settle(view, seen, before.selection if before else choosing.NOTHING)
    return Scene(
        view,
        given.names,
        selection,
        given.waiting,
        given.log,
        sheet=_sheet(view, before),
        top=before.top if before else 0,
        goes_on=_goes_on(view, before),
        taught=UNTAUGHT if before is None else before.taught,
    )


def _goes_on(view: View, before: Scene | None) -> bool:
    """True once the player has to look at the Wheel as it is now: from then on, and before a race,
    which is about the new Wheel, it does not go back by itself. A lesson speaks of the shot until
    then; the end of a match shows what led to it."""
    if view.phase is Phase.OVER or (before is not None and before.taught.guided):
        return False
    seen = None if before is None else (before.view.declared, before.view.phase)
    if view.phase is Phase.READY and seen != (view.declared, Phase.READY):
        return True
    if before is None or before.view.declared != view.declared:
        return False
    return before.goes_on or asked(view) in (Phase.TAKE, Phase.CHALLENGE, Phase.LAY)


def _sheet(view: View, before: Scene | None) -> Sheet | None:
    """What the Bank has paid is shown as soon as it has; any sheet makes way for the next race and
    for what the player has to do; a new match knows of no visit yet, and the result tells of the
    last one."""
    if before is None or view.phase in RACES:
        return None
    now = asked(view)
    if now is not asked(before.view) and now not in (None, Phase.READY):
        return None
    if view.bank != before.view.bank:
        return Sheet.PAID if view.bank and view.phase is not Phase.OVER else None
    return before.sheet


def sight(
    scene: Scene, width: int, height: int, glyphs: Glyphs, keymap: Keymap = DEFAULT_KEYS
) -> Sight | None:
    """None when the board is too small."""
    found = layout(width, height, told=2 if scene.replayed else 4)
    if found is None:
        return None
    seen = Sight(scene, found, glyphs, {}, {}, keymap)
    wide = found.side.width - (4 if found.framed else 0)
    seen = seen._replace(side={"picker": _picker(seen, wide), "missed": _missed(seen, wide)})
    seen = seen._replace(side={**seen.side, "players": _players(seen, wide)})
    return seen._replace(places=_places(seen))


# Where the parts stand ---------------------------------------------------------------------------


def _places(seen: Sight) -> Mapping[str, Rect]:
    """What the Bank shows lies over the rest, and on a small board over all of it; but it never
    covers a choice."""
    found = seen.layout
    ring = {"wheel": found.wheel, "own-card": found.own, "told": found.told}
    if seen.scene.has_sheet_aside:
        return {**ring, "bank": found.side}
    if seen.scene.sheet is not None and not found.framed:
        return {"bank": found.whole()}
    bank = {} if seen.scene.sheet is None else {"bank": _over(seen, found.whole())}
    return {**ring, **_beside(seen, found), **bank}


def _over(seen: Sight, board: Rect) -> Rect:
    """In the middle, as large as what is shown."""
    width = min(_BROAD, board.width)
    height = len(_bank_rows(seen, width - 4, board.height - 2)) + 2
    return Rect((board.width - width) // 2, (board.height - height) // 2, width, height)


_BROAD: Final = 90
"""Columns of what the Bank shows, at most."""


def _beside(seen: Sight, found: Layout) -> Mapping[str, Rect]:
    """The players; below them what is to be picked, or what there was; the log; the goal."""
    edges = 2 if found.framed else 0
    needs = {"players": len(seen.side["players"]) + edges}
    middle = next(((name, rows) for name in _MIDDLE if (rows := len(seen.side[name]))), None)
    if middle is not None:
        needs[middle[0]] = middle[1] + (edges or 1)
    if not found.framed:
        room = found.side.height - (0 if middle is None else middle[1])
        needs["players"] = min(needs["players"] + 1, room)
    needs["log"] = _LOG + edges
    left = found.side.height - sum(needs.values())
    if left >= _GOAL + edges and _tells_the_goal(seen):
        goal = len(_goal(seen, found.side.width - 2 * edges, left - edges)) + edges
        return stacked(found.side, {**needs, "log": needs["log"] + left - goal}, "goal")
    return stacked(found.side, needs, "log" if found.framed else None)


def _tells_the_goal(seen: Sight) -> bool:
    """A lesson tells it itself; on a small board it makes way for the cards that are won."""
    view = seen.scene.view
    if seen.scene.taught.guided:
        return False
    return seen.layout.framed or (view.round == 1 and not any(view.won))


_MIDDLE: Final = ("picker", "missed")


# What they show ----------------------------------------------------------------------------------


def _players(seen: Sight, width: int) -> Block:
    """In the longest form that leaves room for the log, and for a declaration: so the players stay
    as they are when one begins and ends."""
    found, scene, glyphs = seen.layout, seen.scene, seen.glyphs
    frames = 4 if found.framed else 0
    middle = (len(seen.side[name]) for name in _MIDDLE)
    room = found.side.height - frames - max(DECLARATION_ROWS, *middle)
    for form, kinds in product([None] if found.wide else Form, _KINDS):
        rows = player_rows(scene, width, glyphs, Written(form, *kinds))
        if len(rows) <= room:
            break
    told = [] if found.wide else [*rows, *legend(width)]
    return told if told and len(told) <= room + (form is Form.CODE) else rows


_KINDS: Final = ((True, True), (True, False), (False, False))
"""Whether Challenge cards stand apart, and are explained."""


def _picker(seen: Sight, width: int) -> Block:
    return [[span for _offer, row in line for span in row] for line in picker(seen, width)]


def _missed(seen: Sight, width: int) -> Block:
    view = seen.scene.view
    found = None if seen.scene.taught.guided else missed(view)
    if found is None:
        return []
    head: Block = [] if seen.layout.framed else [[Span(missed_title(view), Voice.BOLD)]]
    most = 8 if seen.layout.framed else 3
    rows = [row for text in missed_words(view, found, most) for row in wrapped(text, width)]
    return [*head, *([Span(row)] for row in rows)]


def _goal(seen: Sight, width: int, height: int) -> Block:
    """Whole sentences, as many as there is room for."""
    above: Block = [] if seen.layout.framed else [[]]
    shown = whole(brief(seen.scene.view.options), width, seen.rows(height) - len(above))
    below: Block = [[]] * (height - seen.rows(height))
    return [*above, *([Span(row)] for rows in shown for row in rows), *below]


_TITLES: Final = {
    # TRANSLATORS: title of what the player can do at this moment.
    "told": N_("Now"),
    "players": N_("Players"),
    "picker": N_("Choose"),
    "goal": N_("How to win"),
    "log": N_("Log"),
    "bank": N_("The Bank"),
}


def _part(name: str, says: Callable[[Sight, int, int], Block] | None = None) -> Part[Sight]:
    """With its title in a frame, where the parts have frames; without one a rule parts what is said
    below the Wheel from the sentences beside it. `says`: in so many cells and rows;
    None: what was said when the parts were arranged."""

    def said(seen: Sight, width: int, height: int) -> Block:
        return seen.side[name] if says is None else says(seen, width, height)

    def drawn(seen: Sight, size: Size) -> Block:
        width, height = size
        if not seen.layout.framed:
            room = width - 2 * (name == "told")
            rows = block(room, height, said(seen, room, height))
            rule = Span(f" {seen.glyphs.light.down}", Edge.QUIET)
            return [[*row, rule] for row in rows] if room < width else rows
        inside = [[Span(" "), *row] for row in said(seen, width - 4, height - 2)]
        view = seen.scene.view
        title = _(_TITLES[name]) if name in _TITLES else missed_title(view)
        asks = name in ("picker", "told") and asked(view) is not None
        edge = Edge.TURN if asks else Edge.QUIET
        return framed(size, inside, seen.glyphs.light, [Span(title, Voice.BOLD)], edge=edge)

    return Part(drawn)


def _log(seen: Sight, width: int, height: int) -> Block:
    return log_rows(tuple(seen.scene.log), (width, height))


def _offer_under(seen: Sight, size: Size, at: Cell) -> Hit | None:
    """What of the list is under a cell."""
    x, y = (2, 1) if seen.layout.framed else (0, 0)
    offer = picked(picker(seen, size[0] - 2 * x), at[0] - x, at[1] - y)
    return None if offer is None else Hit(choosing.point, (offer,))


def _bank_rows(seen: Sight, width: int, height: int) -> Block:
    keys = (actions.BACK,) if seen.scene.has_sheet_aside else _CLOSING
    closes = _("{keys}: close").format(keys=", ".join(map(seen.keymap.name, keys)))
    if seen.scene.taught.reads or seen.scene.taught.led:
        closes = ""
    if seen.scene.sheet is Sheet.PAID:
        return sheet_block(seen.scene, width, height, seen.glyphs, closes)
    if seen.scene.has_sheet_aside:
        return prices_aside(seen.scene.view, width, height, seen.glyphs, closes)
    return prices_block(seen.scene.view, width, seen.glyphs, closes)


_CLOSING: Final = (actions.CHOOSE, actions.CONFIRM, actions.BACK)


PARTS: Final[Mapping[str, Part[Sight]]] = {
    "wheel": Part(wheel_block, place_under),
    "own-card": Part(own_block, own_under),
    "told": _part("told", told_rows)._replace(under=own_under),
    "players": _part("players"),
    "picker": _part("picker")._replace(under=_offer_under),
    "missed": _part("missed"),
    "goal": _part("goal", _goal),
    "log": _part("log", _log)._replace(under=log_under),
    "bank": _part("bank", _bank_rows)._replace(under=lambda seen, _size, _at: seen.scene.sheet),
}
"""The parts of the board, by the ids of their widgets; the player's card lies over the Wheel."""


# Which moments of a match are worth a motion, and where they are seen. Pure ----------------------


class PatternHit(NamedTuple):
    """A declared pattern is true: `places` are its cards, each anchor before its partner; they
    light up pair by pair."""

    seat: int
    places: tuple[int, ...]


class Turned(NamedTuple):
    """A turn begins; its race has not yet."""


Peak: TypeAlias = PatternHit | Turned | Win


def peak(before: View, after: View) -> Peak | None:
    """What has happened between the two; None for nothing."""
    if after.outcome is not None and before.outcome is None:
        winners = after.outcome.winners
        return Win(winners[0]) if len(winners) == 1 else None
    if (hit := _hit(before, after)) is not None:
        return hit
    begins = (after.round, after.turn) != (before.round, before.turn)
    return Turned() if begins and after.phase is Phase.READY else None


def _hit(before: View, after: View) -> PatternHit | None:
    said = news(after)
    if said is None or said.pattern is None or said == before.declared:
        return None
    if said.fault is not None or not said.wheel:
        return None
    found = pairs(said.wheel, said.pattern)
    places = [place for anchor in found.anchors for place in (anchor, found.beside(anchor))]
    return PatternHit(said.seat, tuple(dict.fromkeys(places)))


def _wheel_lights(sight: Sight, _win: Win) -> Moment | None:
    """All of it, or the word and the cards that are WILD."""
    return wild_moment(sight) if sight.scene.wild else _cards_light(sight, range(PLACES))


def _cards_light(sight: Sight, places: Sequence[int]) -> Moment | None:
    if (wheel := sight.places.get("wheel")) is None:
        return None
    cards = fitting([sight.layout.places[place] for place in places])
    return Moment(("wheel",), on_board(wheel, cards))


def _wheel_turns(sight: Sight, _turned: Turned) -> Moment | None:
    """The arrows light up all the way round."""
    if (wheel := sight.places.get("wheel")) is None:
        return None
    arrows = [Rect(x, y, width, 1) for x, y, width, _way in beside(sight.layout.scale)]
    return Moment(("wheel",), on_board(wheel, arrows))


MOMENTS: Final[Mapping[type, Callable[[Sight, Any], Moment | None]]] = {
    PatternHit: lambda sight, hit: _cards_light(sight, hit.places),
    Turned: _wheel_turns,
    Win: _wheel_lights,
}
