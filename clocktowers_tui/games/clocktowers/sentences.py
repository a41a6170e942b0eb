"""What is to be done, in sentences: banner, hints and help.

Laws: only ASCII of our own, so that every glyph set can show them; what came over the wire is
never trusted to be complete (a missing parameter gives a plainer sentence, not an error).
"""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.clocktowers.actions import (
    DISCARD,
    NEW_TOWER,
    NUMBERS,
    PILES,
)
from clocktowers_tui.games.clocktowers.choosing import (
    Remark,
    Selection,
    Stage,
    place,
    target,
    targets,
)
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.layout import Arrangement
from clocktowers_tui.games.clocktowers.marks import NEW, OUT
from clocktowers_tui.games.clocktowers.needs import is_spent, needed
from clocktowers_tui.games.clocktowers.words import card_words, colour_words, scoring_words
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap, ways_to_move
from clocktowers_tui.text.i18n import _, ngettext, pgettext
from protocol.games.clocktowers import (
    Phase,
    Play,
    View,
    tower_points,
)
from protocol.text import cells

_MOVES: Final = (actions.LEFT, actions.RIGHT)


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
            return _("No roof is left: your towers score no more")
        if view.phase is Phase.DRAW:
            return _("Your turn: draw a card")
        return _("Your turn: play or discard a card")
    if view.phase is Phase.DRAW:
        return _("{name} is drawing a card").format(name=names[view.turn])
    return _("{name} is choosing a card").format(name=names[view.turn])


def remark(found: Remark, view: View, selection: Selection, keymap: Keymap = DEFAULT_KEYS) -> str:
    """Why a key did nothing, and what to do."""
    match found:
        case Remark.NOT_YOUR_TURN:
            return _("It is not your turn yet.")
        case Remark.WATCHING:
            return _("You are watching: you cannot play.")
        case Remark.OVER:
            return _("The match is over. {result}: result. {leave}: leave.").format(
                result=keymap.name(actions.RESULT), leave=keymap.name(actions.LEAVE)
            )
        case Remark.CHOOSE_CARD_FIRST:
            return _("Pick a card first: its number, or {moves} and {confirm}.").format(
                moves=keymap.names(_MOVES), confirm=keymap.name(actions.CONFIRM)
            )
        case Remark.NO_SUCH_CARD:
            return _("You have no such card: the numbers are on the cards.")
        case Remark.NO_SUCH_TOWER:
            return _("There is no such tower. {back} puts the card back.").format(
                back=keymap.name(actions.BACK)
            )
        case Remark.NO_TOWER_TAKES_IT:
            # What to do with it stands in the line of keys.
            return needed(view, view.hand[selection.card])
        case Remark.DRAW_NOW:
            return _("You have played: now draw with {piles}, or {moves} and {confirm}.").format(
                piles=keymap.names(PILES),
                moves=keymap.names(_MOVES),
                confirm=keymap.name(actions.CONFIRM),
            )
        case _:
            assert_never(found)


def _ways_out(keymap: Keymap, discard: Action = DISCARD) -> str:
    return _("{discard} discards, {back} back").format(
        discard=keymap.name(discard), back=keymap.name(actions.BACK)
    )


def notation(look: Look) -> list[str]:
    """The short forms of every board, for the help."""
    glyphs = GLYPHS[look.glyphs]
    signs = {
        "fresh": "1".join(glyphs.fresh),
        "legal": "4".join(glyphs.legal),
        "mouse": glyphs.clock_mouse,
        "step": glyphs.step,
    }
    marks = _("{legal} takes the card, {fresh} is new. {mouse} is a clock with a mouse.")
    effects = _("h3 on a tower: its height with the card. h3{step}4 +5: 5 points, next roof at 4.")
    worth = _("Below a tower stands its height (h3), or what a complete one scores (+4).")
    return [marks.format_map(signs), effects.format_map(signs), worth]


def codes() -> list[str]:
    """How cards are written where there is no room for pictures, for the help there."""
    return [
        _("1c.K-.Ry is a tower from the ground up: floor 1 with a cat, a clock, a yellow roof."),
        _("1, 2 floors, K clock, R roof; c cat, m mouse, - neither; b g p r y colours; +4 hidden."),
    ]


def goal() -> Iterator[str]:
    """What the game is about, for the help."""
    yield _("Build floors, a clock and a roof. Only towers with a roof score.")
    yield _("A tower scores {scoring}.").format(scoring=scoring_words(", "))
    yield _("A roof fits the height under Next roof. The next of its colour goes one higher.")
    yield _("Clocks do not add height. Most points win when the cards run out.")


def hint(
    view: View, selection: Selection, keymap: Keymap = DEFAULT_KEYS, room: int | None = None
) -> str:
    """What may follow, and what the play that is picked would do. `room`: cells for it; what the
    last line or the board shows as well is left out where all of it would not fit."""
    match selection.stage:
        case Stage.TOWER:
            said = _tower_hint(view, selection, keymap)
            fitting = (text for text in said if room is None or cells(text) <= room)
            return next(fitting, said[-1])
        case Stage.CARD | Stage.PILE | Stage.NOTHING:
            return ""
        case _:
            assert_never(selection.stage)


def _tower_hint(view: View, selection: Selection, keymap: Keymap) -> list[str]:
    """The same in fewer and fewer words."""
    if selection.tower == OUT:
        goes = _("Discard {card}, face down").format(card=card_words(view.hand[selection.card]))
        return [f"{goes}. {_ways_out(keymap, actions.CONFIRM)}", goes]
    choice = target(view, selection)
    if choice is None or not isinstance(choice.action, Play):
        return ["" if targets(view, selection) else needed(view, view.hand[selection.card])]
    card = choice.action.card
    where = (
        _("new tower")
        if selection.tower == NEW
        else _("tower {n}").format(n=(selection.tower or 0) + 1)
    )
    gives = _("{card} on {where}: height {height}").format(
        card=card_words(card), where=where, height=choice.height
    )
    plays = _("{confirm} plays").format(confirm=keymap.name(actions.CONFIRM))
    if not choice.points:
        bare, gives = gives, _with_worth(gives, view, choice.action)
        return [f"{gives}. {plays}, {_ways_out(keymap)}", f"{gives}. {plays}", gives, bare]
    points = ngettext("{n} point", "{n} points", choice.points).format(n=choice.points)
    after = _("next {colour} at {height}").format(
        colour=colour_words(card), height=choice.next_height
    )
    scores = f"{gives}, {points}"
    return [f"{scores}, {after}. {plays}", f"{scores}, {after}", scores]


def _with_worth(gives: str, view: View, play: Play) -> str:
    """With what the tower pays once it is complete, and what it paid without the card; as it is
    where no roof is left."""
    if is_spent(view):
        return gives
    tower = b"" if play.tower is None else view.towns[view.seat or 0].towers[play.tower]
    before = tower_points(tower, view.count_clock_mice)
    after = tower_points(tower + bytes((play.card,)), view.count_clock_mice)
    if after == before or play.tower is None:
        return _("{gives}, would pay {points}").format(gives=gives, points=after)
    return _("{gives}, would pay {points}, not {before}").format(
        gives=gives, points=after, before=before
    )


def layout_words(wish: Arrangement) -> str:
    match wish:
        case Arrangement.AUTOMATIC:
            return _("automatic")
        case Arrangement.PICTURES:
            return _("pictures")
        case Arrangement.LARGE:
            return _("large")
        case Arrangement.LEDGER:
            return _("ledger")
        case _:
            assert_never(wish)


# Help ------------------------------------------------------------------------------------------


def explain(view: View, selection: Selection, keymap: Keymap) -> Iterator[str]:
    """What is to be done and how, or why nothing is."""
    names = {
        "moves": ways_to_move(keymap),
        "confirm": keymap.name(actions.CONFIRM),
        "back": keymap.name(actions.BACK),
    }
    match selection.stage:
        case Stage.NOTHING:
            yield _why_nothing(view)
        case Stage.CARD:
            cards = keymap.names(NUMBERS[: len(view.hand)])
            yield _(
                "Pick a card: {cards}, or {moves} and {confirm}. You can still change your mind."
            ).format(cards=cards, **names)
        case Stage.TOWER:
            sentence = _("Pick a tower for the card: its number, or {moves}. {confirm} plays it.")
            yield sentence.format(**names)
            sentence = _("{discard}: discard. {back}: put the card back.")
            yield sentence.format(discard=keymap.name(DISCARD), back=names["back"])
            if any(place(choice) == NEW for choice in targets(view, selection)):
                yield _("{new}: start a new tower.").format(new=keymap.name(NEW_TOWER))
        case Stage.PILE:
            yield _("Draw the top card of a pile: {piles}, or {moves} and {confirm}.").format(
                piles=keymap.names(PILES), **names
            )
        case _:
            assert_never(selection.stage)


def _why_nothing(view: View) -> str:
    if view.turn is None:
        return expected(view, ())
    if view.seat is None:
        return _("You are watching: you cannot play.")
    return _("It is not your turn yet: wait until your name is marked.")
