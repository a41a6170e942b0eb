"""The help's words: the goal, what the keys do now, and the short forms on the board."""

from collections.abc import Iterator

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.wild_wild_pattern.actions import (
    BANK,
    CLICK,
    COLOURS,
    DIRECTIONS,
    PASS,
    PLACES,
    SUITS,
)
from clocktowers_tui.games.wild_wild_pattern.challenges import (
    challenge_code,
    challenge_does,
    challenge_words,
)
from clocktowers_tui.games.wild_wild_pattern.glyphs import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.offers import Task, task, why_nothing
from clocktowers_tui.games.wild_wild_pattern.remarks import remark
from clocktowers_tui.games.wild_wild_pattern.words import feature_letter, feature_names
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap, ways_to_move
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import Phase, View
from protocol.games.wild_wild_pattern.cards import CHALLENGES, FEATURES, FIRST_COLOUR, FIRST_SUIT


def explain(view: View, keymap: Keymap) -> Iterator[str]:
    """What you can do now and how, or why nothing."""
    yield _what(view).format(
        places=keymap.names(PLACES),
        ready=keymap.name(actions.CHOOSE),
        click=keymap.name(CLICK),
        pass_=keymap.name(PASS),
        directions=keymap.names(DIRECTIONS),
        colours=keymap.names(COLOURS),
        suits=keymap.names(SUITS),
        back=keymap.name(actions.BACK),
        moves=ways_to_move(keymap),
        confirm=keymap.name(actions.CONFIRM),
    ) or remark(why_nothing(view), keymap)
    told = (
        _("{bank}: what the Bank paid last, then what it pays.")
        if view.bank
        else _("{bank}: what the Bank pays.")
    )
    yield told.format(bank=keymap.name(BANK))


def _what(view: View) -> str:
    match task(view):
        case Task.READY:
            return _("{ready}: ready. Then all see their cards at once.")
        case Task.SHOOT if view.phase is Phase.CLICKED:
            return _(
                "{places}: shoot with the offered card. {pass_}: pass. "
                "If nobody uses the card, its owner takes any."
            )
        case Task.SHOOT:
            return _(
                "{places}: cover that card of the Wheel at once. "
                "{click}: Click! If nobody uses your card, you take any."
            )
        case Task.DECLARE:
            return _(
                "Three keys declare: {directions}, then a card ({places}) for its object and a "
                "colour ({colours}) or a suit ({suits}), in either order. {back}: undo."
            )
        case Task.TAKE:
            return _("{places}: take that card; or {moves} and {confirm}.")
        case Task.CHALLENGE:
            return _("Pick from the list by its keys, or {moves} and {confirm}. {pass_}: none.")
        case Task.LAY:
            return _("{places} or {moves} choose a place, {confirm} lays your card there.")
        case Task.NOTHING:
            return ""


def notation(look: Look) -> list[str]:
    """The short forms of the board, for the help."""
    glyphs = GLYPHS[look.glyphs]
    legend = [
        f"{glyphs.signs.get(one, '')}{feature_letter(one)} {feature_names(one).words}"
        for one in range(FEATURES)
    ]
    challenges = [
        f"[{challenge_code(card)}] {challenge_words(card)}: {challenge_does(card)}."
        for card in CHALLENGES
    ]
    before, after = glyphs.fresh
    return [
        ", ".join(legend[:FIRST_COLOUR]) + ".",
        ", ".join(legend[FIRST_COLOUR:FIRST_SUIT]) + "; " + ", ".join(legend[FIRST_SUIT:]) + ".",
        _("A won card shows object, colour and suit in this order: {card}.").format(
            card=f"{glyphs.signs[2]}{feature_letter(2)}{feature_letter(8)}{feature_letter(13)}"
        ),
        _("Challenge cards: win a turn, then you may play one."),
        *challenges,
        _("no WILD: only a Challenge card can still make these cards a WILD."),
        _("The arrows on the Wheel lead from each card to the one after it."),
        _("While you declare BEFORE, they lead to the one before it."),
        _("{before} {after} mark the card just played.").format(before=before, after=after),
    ]
