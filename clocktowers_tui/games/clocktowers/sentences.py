"""Tells the player in sentences what to do, and why something is impossible."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.clocktowers.actions import CARDS, DISCARD, NAMED
from clocktowers_tui.games.clocktowers.choosing import (
    NEW,
    OUT,
    Selection,
    Stage,
    costs_elsewhere,
    drawbacks,
    lost,
    marks,
    place,
    plays,
    roofless,
    target,
    targets,
    with_drawn,
    with_roof,
    worth,
    worths,
)
from clocktowers_tui.games.clocktowers.inks import GLYPHS, Glyphs
from clocktowers_tui.games.clocktowers.ladder import (
    complete,
    fits,
    fitting,
    floors_in_words,
    heights,
    is_spent,
    needed,
    open_towers,
    own_towers,
    roofless_towers,
    row_of,
    spent_in_words,
    unfit,
)
from clocktowers_tui.games.clocktowers.words import (
    card_phrase,
    card_words,
    colour_words,
    pile_words,
)
from clocktowers_tui.games.face import number
from clocktowers_tui.games.keys import not_now, with_keys
from clocktowers_tui.games.spans import shortened
from clocktowers_tui.games.standings import points_in_words
from clocktowers_tui.keys.actions import CONFIRM
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import N_, _, ngettext, pgettext
from protocol.errors import Refusal
from protocol.games.clocktowers import (
    FIRST_CLOCK,
    FIRST_ROOF,
    Action as Move,
    Choice,
    Discard,
    Phase,
    Pile,
    Play,
    Refused,
    View,
    height_of,
)

_with_keys: Final = partial(with_keys, named=NAMED)


def pitch() -> str:
    """What the game is, in a few words."""
    return pgettext("on a game's card, 22 cells", "Build the best towers")


def about() -> str:
    """What it is about."""
    return _("Stack floors, a clock and a roof. Most points win; animals cost some.")


def expected(view: View, names: Sequence[str]) -> str:
    """Whose turn it is and what they have to do."""
    if view.turn is None or view.phase is Phase.OVER:
        return _("The match is over")
    if view.turn == view.seat:
        if is_spent(view):
            return spent_in_words(view)
        if view.phase is Phase.DRAW:
            return _("Your turn: draw a card")
        return _("Your turn: play or discard a card")
    if view.phase is Phase.DRAW:
        return _("{name} is drawing a card").format(name=names[view.turn])
    return _("{name} is choosing a card").format(name=names[view.turn])


def asked_out(
    view: View, selection: Selection, keymap: Keymap, asked: Sequence[Move] | None
) -> str:
    """What to do with a card that fits nowhere, if a lesson asks to discard it."""
    goes = selection.stage is not Stage.TOWER or targets(view, selection)
    if goes or Discard(view.hand[selection.card]) not in (asked or ()):
        return ""
    return " " + _with_keys(_("{discard} discards it."), keymap)


def mouse_clock(glyphs: Glyphs) -> str:
    """The face of a clock with a mouse, for the help where it is drawn so."""
    return _("{mouse} is a clock with a mouse.").format(mouse=glyphs.clock_mouse)


def paired() -> str:
    """The letters of towers that are drawn with two floors a row, for the help there."""
    return _("High towers: c is a floor with a cat, m with a mouse; the left one is the lower.")


def notation(look: Look) -> list[str]:
    """The short forms of every board, for the help."""
    glyphs = GLYPHS[look.glyphs]
    signs = {"fresh": "1".join(glyphs.fresh), "picked": f"{glyphs.turn}4"}
    marks = _("{picked}: the card goes on tower 4. {fresh}: just played.")
    effects = _(
        "Above a tower: its height with the card (3 floors, h3), or its roof's points (+4)."
    )
    worth = _("Below it stands its height now, or what it has scored.")
    apart = _("Walls {walls} only stand between two cards. {back}: a card in a hand.")
    signs |= {"walls": " ".join(glyphs.walls), "back": glyphs.back}
    return [marks.format_map(signs), effects, worth, apart.format_map(signs)]


def codes() -> list[str]:
    """How cards are written where there is no room for pictures, for the help there."""
    return [
        _("1c.K-.Ry is a tower from the ground up: a floor with a cat, a clock, a yellow roof."),
        _("1, 2 floors, K clock, R roof; c cat, m mouse, - neither; b g p r y colours; +4 hidden."),
    ]


def goal() -> Iterator[str]:
    """What the game is about, for the help."""
    yield _("Build floors, a clock and a roof. Only towers with a roof score.")
    yield _("They score 5 without animals, 4 with cats, 3 with both, 2 with mice.")
    yield _("A roof needs as many floors as “Next roof” shows.")
    yield _("After a roof on 2 floors its colour needs 3.")
    yield _("A double floor counts as 2. Most points win when the cards run out.")


def hint(
    view: View,
    selection: Selection,
    keymap: Keymap = DEFAULT_KEYS,
    room: int | None = None,
    asked: Sequence[Move] | None = None,
) -> str:
    """What the play that is picked would do, and how it is done. `room`: cells for it; what the
    last line or the board shows as well is left out where all of it would not fit. `asked`: the
    only actions that a lesson takes."""
    if selection.stage is Stage.TOWER:
        return shortened(_tower_hint(view, selection, keymap, asked), room)
    if selection.stage is not Stage.PILE or asked is not None or is_spent(view):
        return ""
    # What fits nowhere is told only where the player looks for it.
    tops = (Pile.ROOF, Pile.CLOCK, Pile.FLOOR)
    there: dict[int, View] = {one: with_drawn(view, one) for one in tops if view.left[one]}
    useful = [pile for pile, then in there.items() if _serves(then, view.piles[pile])]
    piles = useful if selection.pile is None else [selection.pile]
    told = [goes_now(there[pile], view.piles[pile]) for pile in piles if pile in there]
    return shortened([" ".join(told[:n]) for n in range(len(told), -1, -1)], room)


def _serves(then: View, card: int) -> bool:
    """Whether a card of the hand goes on a tower that may get a roof, a roof also on one that lacks
    its clock."""
    if card >= FIRST_ROOF:
        return any(fits(then, card, height_of(tower)) for _n, tower in own_towers(then))
    return any(roofless(then, play) < 2 for play in plays(then, card).values())


def goes_now(view: View, card: int) -> str:
    """What a card of the hand is good for now; of a floor or a clock what the preview says of the
    tower that it is put on first."""
    said = {"card": _beginning(card)}
    if card >= FIRST_ROOF:
        takes = {n: one for n, one in own_towers(view) if fits(view, card, height_of(one))}
        if ready := takes.keys() - {n for n, _tower in open_towers(view)}:
            paid = {n: worth(view, takes[n]) for n in sorted(ready)}
            number = min(paid, key=lambda n: with_roof(view, paid[n], height_of(takes[n])))
            said["points"] = points_in_words(paid[number])
            return _("{card} completes tower {n} now: {points}.").format(n=number, **said)
        if takes:
            text = ngettext(
                "{card} fits tower {n} once it has a clock.",
                "{card} fits towers {n} once they have clocks.",
                len(takes),
            )
            return text.format(n=", ".join(map(str, takes)), **said)
        taking = heights(row_of(view, card))
        text = _("{card} fits no tower any more.")
        if taking:
            text = _("{card} fits no tower yet: it needs {floors}.")
        return text.format(floors=floors_in_words(taking), **said)
    if not (found := plays(view, card).values()):
        return _("{card} fits no tower yet.").format_map(said)
    best = min(found, key=partial(drawbacks, view))
    n, without, (before, points) = place(best) + 1, roofless(view, best), worths(view, best)
    if roof := next(fitting(view, view.hand, best.height), 0):
        told = _("{card} on a new tower: right for your {roof}, {points}.")
        if n:
            told = _("{card} on tower {n}: right for your {roof}, {points}.")
        return told.format(n=n, roof=card_words(roof), points=points_in_words(points), **said)
    if without == 2:
        dead = roofless_towers(view)
        if grown := [place(one) + 1 for one in found if place(one) + 1 not in dead]:
            told = _("{card} can go on tower {n} after a floor: now no roof fits it.")
            return told.format(n=grown[0], **said)
        return f"{_goes(card, n)}. " + _("No roof fits it any more: worth nothing.")
    if not n:
        told = _("{card} starts a new tower.")
        if costs_elsewhere(view, card):
            told = _("{card} starts a new tower: on any other it costs points.")
        return told.format_map(said)
    told = _("{card} on tower {n}: {worth}.")
    same = [
        place(one) + 1
        for one in found
        if place(one) != NEW and not lost(view, one) and roofless(view, one) == without
    ]
    if not (less := worth_less(before, points)):
        told = ngettext("{card} fits tower {n} now.", "{card} fits towers {n} now.", len(same))
    told = told.format(n=n if less else ", ".join(map(str, same)) or n, worth=less, **said)
    return told + (" " + _("No roof fits it yet.") if without else "")


def _tower_hint(
    view: View, selection: Selection, keymap: Keymap, asked: Sequence[Move] | None
) -> list[str]:
    """The same in fewer and fewer words."""
    card = view.hand[selection.card]
    discards = asked is not None and Discard(card) in asked
    if selection.tower == OUT or discards:
        goes = _("{card} goes out of the game, face down.").format(card=_beginning(card))
        key = keymap.name(DISCARD if discards else CONFIRM)
        said = _("{confirm}: discard it.").format(confirm=key)
        return [f"{goes} {said}", said if discards else goes]
    choice = target(view, selection)
    if choice is None or not isinstance(choice.action, Play):
        return ["" if targets(view, selection) else needed(view, card)]
    plays = " " + _with_keys(_("{confirm}: play it."), keymap)
    if asked is not None and choice.action not in asked:
        plays = ""
    told = [*(_scoring(card, choice) if choice.points else _growing(view, card, choice))]
    if place(choice) == NEW and costs_elsewhere(view, card):
        goes = _("{card} starts a new tower: on any other it costs points.")
        goes = goes.format(card=_beginning(card))
        told = [goes, *told]
    return [*(sentence + plays for sentence in told), *told]


def _scoring(card: int, choice: Choice) -> Iterator[str]:
    """A roof."""
    completes = ngettext(
        "{card} completes tower {n} for {points} point.",
        "{card} completes tower {n} for {points} points.",
        choice.points,
    ).format(card=_beginning(card), n=place(choice) + 1, points=choice.points)
    needs = _("{colour} then needs {floors}.")
    floors = floors_in_words([choice.next_height])
    yield f"{completes} {needs.format(colour=colour_words(card), floors=floors)}"
    yield completes


def _growing(view: View, card: int, choice: Choice) -> Iterator[str]:
    """A floor or a clock: the tower's height, and what it pays once it is complete, or that no roof
    fits that height; just the height where no roof is left. What the card costs is never left
    out."""
    new = place(choice) == NEW
    goes = _goes(card, place(choice) + 1)
    tall = floors_in_words([choice.height])
    if is_spent(view):
        yield f"{goes}, {tall}."
        return
    before, points = worths(view, choice)
    without = roofless(view, choice)
    worth = "" if without == 2 else worth_less(before, points)
    lost = worth and ", " + _("not {before}").format(before=before)
    worth = worth or _("worth up to {points}").format(points=points)
    none = ("", _("No roof fits it yet."), _("No roof fits it any more."))[without]
    if without == 2:
        yield f"{goes}. " + _("No roof fits it any more: worth nothing.")
    elif none:
        yield f"{goes}, {worth}. {none}"
    if none:
        yield f"{goes}{lost and ', ' + worth}. {none}"
        on = _("{card} on a new tower") if new else _("{card} on tower {n}")
        on = on.format(card=_beginning(card), n=place(choice) + 1)
        yield f"{on}: {worth}. {none}" if lost else f"{on}. {none}"
        return
    roofed = _("worth {points} when complete").format(points=points) + lost
    yield f"{goes}, {tall}, {roofed}."
    yield f"{goes}, {tall}, {worth}." if lost else f"{goes}, {roofed}."
    yield f"{goes}, {worth}."
    if not lost:
        yield f"{goes}."


def _goes(card: int, n: int) -> str:
    """Onto this tower; 0: a new one."""
    said = _("{card} goes on tower {n}") if n else _("{card} starts a new tower here")
    return said.format(card=_beginning(card), n=n)


def worth_less(before: int, points: int) -> str:
    """`worth 3, not 4`, of a tower that pays so many points less; "" of any other."""
    if points >= before:
        return ""
    parts = [_("worth {points}").format(points=points), _("not {before}").format(before=before)]
    return ", ".join(parts)


def _beginning(card: int) -> str:
    """A card, at the beginning of a sentence."""
    phrase = card_phrase(card)
    return phrase[:1].upper() + phrase[1:]


# Help ------------------------------------------------------------------------------------------


_EXPLAINED: Final[Mapping[Stage, Sequence[str]]] = {
    Stage.CARD: (
        N_("Pick a card: {cards}, or {moves} and {confirm}. You can still change your mind."),
    ),
    Stage.TOWER: (
        N_("Pick a tower for the card with {moves}. {confirm} plays it."),
        N_("{discard}: discard, or {down} and {confirm}. {back}: put the card back."),
    ),
    Stage.PILE: (N_("Draw the top card of a pile: {piles}, or {moves} and {confirm}."),),
}


def explain(view: View, selection: Selection, keymap: Keymap) -> Iterator[str]:
    """What is to be done and how, or why nothing is."""
    cards = keymap.names(CARDS[: len(view.hand)])
    for said in _EXPLAINED.get(selection.stage, (not_now(view),)):
        yield _with_keys(_(said), keymap, cards=cards)
    if NEW in marks(view, selection, sending=False).legal:
        yield _with_keys(_("{new}: start a new tower."), keymap)


# Why an action is impossible: for each of the game's codes the rule and what to do instead.
#
# Law: parameters come over the wire and may be missing or of another type; there is a sentence
# nevertheless.


_SENTENCES: Final[Mapping[str, str]] = {
    Refused.NOT_IN_HAND: N_("There is no {card} in your hand: choose one that is."),
    Refused.NO_SUCH_TOWER: N_("There is no tower {tower}: you have {towers}."),
    Refused.NEEDS_TOWER: N_("Only a floor starts a tower: put the {card} on one of yours."),
    Refused.NO_CLOCK: N_("A roof needs a clock below it: tower {tower} has none yet."),
    Refused.PILE_EMPTY: N_("There are no {pile} left: draw from another pile."),
}


def refusal_words(refusal: Refusal, keymap: Keymap = DEFAULT_KEYS) -> str | None:
    """One sentence; None for codes that are not this game's."""
    said = _sentence(refusal)
    if said is None:
        return None
    return _with_keys(
        _(said),
        keymap,
        tower=number(refusal, "tower") + 1,
        towers=number(refusal, "towers"),
        card=card_words(number(refusal, "card")),
        height=number(refusal, "height"),
        needs=_floors(refusal),
        pile=pile_words(number(refusal, "pile")),
    )


def _sentence(refusal: Refusal) -> str | None:
    card = number(refusal, "card")
    match refusal.code:
        case Refused.WRONG_PHASE if refusal.params.get("phase") == Phase.DRAW:
            return N_("Now draw: {floors}, {clocks} or {roofs}.")
        case Refused.WRONG_PHASE:
            return N_("You cannot draw yet: play or discard a card.")
        case Refused.TOWER_COMPLETE:
            return complete(number(refusal, "tower"))
        case Refused.HAS_CLOCK if FIRST_CLOCK <= card < FIRST_ROOF:
            return N_("Tower {tower} has its clock, and one is all: it waits for a roof.")
        case Refused.HAS_CLOCK:
            return N_("No floor goes above a clock: tower {tower} waits for a roof.")
        case Refused.WRONG_HEIGHT if not _floors(refusal):
            return unfit(card)
        case Refused.WRONG_HEIGHT:
            return N_("The {card} needs {needs}; tower {tower} has {height}.")
        case code:
            return _SENTENCES.get(code)


def _floors(refusal: Refusal) -> str:
    """Numbers alone: a text in their place would be a stranger's, on the player's terminal."""
    heights = refusal.params.get("heights")
    numbers = heights if isinstance(heights, list | tuple) else ()
    fitting = [height for height in numbers if isinstance(height, int)]
    return floors_in_words(fitting) if fitting else ""
