"""Tells the player in sentences what to do, and why something is impossible."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.architetti_attenti import choosing, reasons
from clocktowers_tui.games.architetti_attenti.actions import NAMED
from clocktowers_tui.games.architetti_attenti.choosing import Remark, Selection, Stage
from clocktowers_tui.games.architetti_attenti.inks import GLYPHS
from clocktowers_tui.games.architetti_attenti.words import (
    cells_words,
    kind_letter,
    kind_title,
    kind_words,
    part_title,
    tile_words,
)
from clocktowers_tui.games.face import number
from clocktowers_tui.games.keys import not_now, with_keys
from clocktowers_tui.games.spans import shortened
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import N_, _, ngettext, pgettext
from protocol.errors import Refusal
from protocol.games.architetti_attenti import CELLS, HALL, Kind, Phase, Refused, View, turns_after
from protocol.games.architetti_attenti.board import cell_name

_MANY: Final = 3
"""So many keys do not lead to one place: the player looks for it."""
_TURNS_TOLD: Final = 3
"""After so many tiles a player knows what scores, the letters, and what the second key is for."""
_with_keys: Final = partial(with_keys, named=NAMED)


def pitch() -> str:
    """What the game is, in a few words."""
    return pgettext("on a game's card, 22 cells", "A town of tiles")


def about() -> str:
    """What it is about."""
    return _("Buy tiles and build a town: what stands together brings points.")


def expected(view: View, names: Sequence[str]) -> str:
    """Whose turn it is and what they have to do."""
    if view.turn is None or view.phase is Phase.OVER:
        return _("The match is over")
    if view.turn == view.seat:
        places = view.phase is Phase.PLACE
        if not turns_after(view):
            last = _("Your last turn: buy a tile")
            return _("Your last turn: build your tile") if places else last
        told = _("Your turn {n} of {turns}: buy a tile")
        if places:
            told = _("Your turn {n} of {turns}: build your tile")
        n = choosing.turns_done(view, view.seat) + 1
        return told.format(n=n, turns=n + turns_after(view))
    if view.phase is Phase.PLACE:
        return _("{name} is building a tile").format(name=names[view.turn])
    return _("{name} is choosing a tile").format(name=names[view.turn])


def remark(found: str, view: View, selection: Selection, keymap: Keymap, room: int | None) -> str:
    """Why a key did nothing, or what it has found, and what to do; `room` as in `hint`."""
    match found:
        case Remark.TOO_DEAR:
            return _too_dear(view, selection)
        case Remark.NO_PLACE:
            return gives(view, selection)
        case Remark.BEST_PLACE:
            return best_place(view, selection, room)
        case _:
            return _with_keys(_(found), keymap)


def best_place(view: View, selection: Selection, room: int | None) -> str:
    """What the tile brings at its best place; `room` as in `hint`."""
    best, gains = _best(choosing.gain(view, selection)), reasons.gains(view, selection)
    shut = reasons.shut(view, selection)
    why = f"{reasons.parted(view, selection, gains)}." if len(gains) > 1 else _why(view, selection)
    ways = [(why, shut), (why,), (shut,), ()]
    return shortened([" ".join(filter(None, (best, *way))) for way in ways], room)


def _best(gain: int) -> str:
    said = _("Its best place: {n} now.")
    return said.format(n=f"{gain:+}" if gain else "0")


def not_yet(view: View, selection: Selection, offered: Sequence[Action], keymap: Keymap) -> str:
    """In a lesson, where it does not take the tile as it lies: the key that leads on, of those
    offered; or what the place brings."""
    if len(offered) < _MANY:
        return _("Next, press {key}.").format(key=keymap.name(offered[0])) if offered else ""
    if selection.stage is Stage.LOOK:
        return _("Not this tile: look at another.")
    return gives(view, selection)


def _elsewhere(view: View, selection: Selection, keymap: Keymap) -> str:
    """Where a key brings the tile that does not fit."""
    then = choosing.confirm(view, selection).selection
    said = _("It does not fit here: {confirm} moves it to {cells}.")
    return _with_keys(said, keymap, cells=cells_words(then.ghost))


def _too_dear(view: View, selection: Selection) -> str:
    lacks = choosing.too_dear(view, selection)
    said = ngettext(
        "Too dear: you lack {n} gem. Take a tile nearer to 1.",
        "Too dear: you lack {n} gems. Take a tile nearer to 1.",
        lacks,
    )
    return said.format(n=lacks)


def hint(
    view: View,
    selection: Selection,
    keymap: Keymap = DEFAULT_KEYS,
    room: int | None = None,
    *,
    told: bool = False,
    taught: bool = False,
) -> str:
    """What may follow, and what it would bring; before a choice what each part brings, before the
    second and the third tile what the letters mean, and late where most is to be gained. `room`:
    cells for it; what the key line or the board shows as well is left out where all of it would not
    fit. `told`: the board has room to tell what scores, and why. `taught`: a lesson says what
    follows on a purchase."""
    if selection.stage in (Stage.LOOK, Stage.PLACE):
        return shortened([*_hints(view, selection, keymap, told=told, taught=taught)], room)
    if selection.stage is Stage.NOTHING or told or room is None:
        return ""
    built = choosing.tiles_built(view)
    known = reasons.fitting([letters()], room) if 0 < built < _TURNS_TOLD else ""
    return known or reasons.tip(view, room) or _most_to_gain(view, selection)


def _most_to_gain(view: View, selection: Selection) -> str:
    """Which part of the score the tile that brings most in this turn is for."""
    looks = (choosing.take_up(view, selection, n + 1).selection for n in range(len(view.row)))
    looks = (choosing.most_at_once(view, one) for one in looks)
    best = max(looks, key=lambda one: (-choosing.too_dear(view, one), choosing.gain(view, one)))
    told = (f"{part_title(part)} {gain:+}" for part, gain in reasons.gains(view, best).items())
    return _("Most to gain now: {part}.").format(part=part) if (part := next(told, "")) else ""


def letters() -> str:
    """What the letters on the tiles mean: `H=House P=Park`."""
    kinds = (kind for kind in Kind if kind not in (Kind.FREE, Kind.TOWN_HALL))
    return " ".join(f"{kind_letter(kind)}={kind_title(kind)}" for kind in kinds)


def _hints(
    view: View, selection: Selection, keymap: Keymap, *, told: bool, taught: bool
) -> Iterator[str]:
    """The same in fewer and fewer words."""
    if choosing.too_dear(view, selection):
        yield _too_dear(view, selection)
        return
    ghost = choosing.shown_ghost(view, selection)
    if ghost is None:
        yield _with_keys(_(Remark.FITS_NOWHERE), keymap)
        return
    if not choosing.fits(view, ghost):
        bought = selection.stage is Stage.PLACE
        yield _elsewhere(view, selection, keymap) if bought else gives(view, selection)
        return
    here, gain = gives(view, selection), choosing.gain(view, selection)
    built, best = choosing.tiles_built(view), choosing.at_its_best(view, selection)
    why = "" if told and gain >= 0 else _why(view, selection)
    tile = tile_words(choosing.tile(view, selection))
    known = taught or built >= _TURNS_TOLD or gain < 0  # why is worth more
    if selection == best and not taught:
        here = _best(gain)
    ways = [_("{confirm} buys {tile}."), _("{confirm} buys it.")]
    if selection.stage is Stage.PLACE:
        ways = [_("{confirm} builds it.")]
    elif not (known or selection == best):
        ways = [
            _("{confirm} buys {tile}, {confirm} again builds."),
            _("{confirm} buys it, {confirm} again builds."),
        ]
    ways = [_with_keys(then, keymap, tile=tile) for then in ways]
    # What changes with every move stands last: the rest need not be sent again.
    if why:
        yield from (f"{then} {here} {why}" for then in ways)
        if known:
            yield f"{here} {why}"
    yield from (f"{then} {here}" for then in ways)
    yield here


def _why(view: View, selection: Selection) -> str:
    """`Schools -8: you pay 4 gems.` and the like, of the part that decides; not of houses, which
    all count the same; "" where no other part changes."""
    gains = choosing.gains(view, selection)
    others = {part: gain for part, gain in gains.items() if part != "houses"}
    part = reasons.deciding(others, sum(gains.values()))
    return "" if part is None else because(view, selection, part)


def because(view: View, selection: Selection, part: str) -> str:
    """`Schools -8: you pay 4 gems.`, of a part that changes."""
    gain = f"{choosing.gains(view, selection)[part]:+}"
    reason = reasons.why(view, selection, becomes="->")[part][0]
    return _("{part} {gain}: {reason}.").format(part=part_title(part), gain=gain, reason=reason)


def gives(view: View, selection: Selection) -> str:
    """`It adds 3 points here.`"""
    if choosing.with_ghost(view, selection) is None:
        ghost = choosing.shown_ghost(view, selection)
        if ghost is not None and HALL in ghost:
            return _("No tile lies on the town hall: move or turn it.")
        return _("It does not fit here: move or turn it.")
    gain = choosing.gain(view, selection)
    if gain == 0:
        return _("It adds no points here.")
    if gain < 0:
        said = ngettext("It costs you {n} point here.", "It costs you {n} points here.", -gain)
    else:
        said = ngettext("It adds {n} point here.", "It adds {n} points here.", gain)
    return said.format(n=abs(gain))


def notation(look: Look) -> list[str]:
    """The short forms of the board, for the help."""
    glyphs = GLYPHS[look.glyphs]
    kinds = [kind for kind in Kind if kind is not Kind.FREE]
    legend = [f"{glyphs.signs[kind]}{kind_letter(kind)} {kind_words(kind)}" for kind in kinds]
    half = len(legend) // 2
    fresh, rail = "H".join(glyphs.fresh), glyphs.thin[0] + kind_letter(Kind.TRACK)
    return [
        ", ".join(legend[:half]) + ",",
        ", ".join(legend[half:]) + ".",
        _("{gem}2: two gems; pay 2: the tile costs two gems.").format(gem=glyphs.gem),
        _(
            "{fresh}: built since your last turn; {cross} in the corners: the tile does not fit."
        ).format(fresh=fresh, cross=glyphs.cross),
        _("{rail}: a track that joins no two stations: it scores nothing.").format(rail=rail),
        _("Beside your points: what the tile adds where it lies."),
        _("Schools count the gems that you hold now: when you pay, your points can fall."),
    ]


def whose(view: View, names: Sequence[str], seat: int, keymap: Keymap, room: int | None) -> str:
    """Whose board is looked at, and how to go on; `room` as in `hint`."""
    said = _("The town of {name}: {others} shows the next one, {back} goes back.")
    less = _("The town of {name}: {back} goes back.")
    if view.seat is None:
        said = less = _("The town of {name}: {others} shows the next one.")
    elif len(view.boards) == 2:
        said = less
    return shortened([_with_keys(text, keymap, name=names[seat]) for text in (said, less)], room)


def alone() -> str:
    return _("You play alone: there is no other town.")


# Help ------------------------------------------------------------------------------------------


def goal(view: View) -> Iterator[str]:
    """What wins, what each part of the score brings, and what gems are for."""
    yield reasons.goal()
    yield _("A tile lies on any two free cells side by side, never on the town hall.")
    for part in (*choosing.PARTS, "gems"):
        yield f"{reasons.scoring(part, view)[0]}."


_EXPLAINED: Final[Mapping[Stage, Sequence[str]]] = {
    Stage.CHOOSE: (N_("{tiles} show what a tile would add: you buy nothing yet."),),
    Stage.LOOK: (
        N_("Move it with {moves}, {turn} turns it: the score shows what it adds."),
        N_("It begins at the best place at first sight; {best} goes back there."),
        N_("{confirm} buys it, {confirm} again builds it, {back} puts it back."),
    ),
    Stage.PLACE: (
        N_("Build your tile: {moves} move it, {turn} turns it, {confirm} builds it here."),
        N_("{best} shows the best place at first sight."),
    ),
}


def explain(view: View, selection: Selection, keymap: Keymap) -> Iterator[str]:
    """What you can do and how, or why nothing."""
    others = [N_("{others} shows the next player's town.")] if len(view.boards) > 1 else []
    for said in (*_EXPLAINED.get(selection.stage, (not_now(view),)), *others):
        yield _with_keys(_(said), keymap)


# Why an action is impossible: for each of the game's codes the rule and what to do instead.
#
# Law: parameters come over the wire and may be missing or of another type; there is a sentence
# nevertheless.


_SENTENCES: Final[Mapping[str, str]] = {
    Refused.NO_TILE_THERE: Remark.NO_TILE_THERE,
    Refused.NOT_NEIGHBOURS: N_(
        "{first} and {second} are not side by side: a tile covers two cells that are."
    ),
    Refused.CELL_TAKEN: N_("Something stands on {cell}: move the tile ({ways}) to free cells."),
    Refused.TOWN_HALL: N_("{cell} is the town hall's: move the tile ({ways}) to free cells."),
    Refused.SAME_HALVES: N_(
        "Both halves are the same, so the smaller cell comes first: {second}, then {first}."
    ),
}


def refusal_words(refusal: Refusal, keymap: Keymap = DEFAULT_KEYS) -> str | None:
    """One sentence; None for codes that are not this game's."""
    said = _sentence(refusal)
    if said is None:
        return None
    told: dict[str, Any] = {name: number(refusal, name) for name in ("position", "cost", "gems")}
    told |= {name: _cell(refusal, name) for name in ("cell", "first", "second")}
    return _with_keys(_(said), keymap, **told)


def _sentence(refusal: Refusal) -> str | None:
    match refusal.code:
        case Refused.WRONG_PHASE if refusal.params.get("phase") == Phase.PLACE:
            return N_("You have bought your tile: build it with {confirm}.")
        case Refused.WRONG_PHASE:
            return N_("First buy a tile: choose one with {tiles}.")
        case Refused.TOO_FEW_GEMS:
            return ngettext(
                "Tile {position} costs {cost} gem, you have {gems}: take one that costs less.",
                "Tile {position} costs {cost} gems, you have {gems}: take one that costs less.",
                number(refusal, "cost"),
            )
        case code:
            return _SENTENCES.get(code)


def _cell(refusal: Refusal, name: str) -> str:
    cell = number(refusal, name)
    return cell_name(cell) if 0 <= cell < CELLS else "?"
