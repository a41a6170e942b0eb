"""What came of a declaration: one loud word, and a line with its pairs or its counterexample.

Law: only ASCII of our own, so that every glyph set can show it.
"""

from collections.abc import Sequence

from clocktowers_tui.games.standings import listed
from clocktowers_tui.games.wild_wild_pattern.words import (
    card_title,
    card_words,
    feature_names,
    in_short,
    pattern_words,
)
from clocktowers_tui.text.i18n import _, ngettext, pgettext
from protocol.games.wild_wild_pattern import Declared
from protocol.games.wild_wild_pattern.bank import verdict
from protocol.games.wild_wild_pattern.pattern import PLACES, STEP, Direction, Fault, Pattern
from protocol.ids import Seat


def loud(declared: Declared) -> str:
    """In 7 cells."""
    if declared.wild:
        return pgettext("in the middle, 7 cells", "WILD!")
    if declared.anchors:
        return pgettext("in the middle, 7 cells", "HIT!")
    if declared.late:
        return pgettext("in the middle, 7 cells", "TIME!")
    return pgettext("in the middle, 7 cells", "WRONG!")


def spoken(declared: Declared, names: Sequence[str], you: Seat | None) -> str:
    """Who declared what, and what came of it."""
    mine, pattern = declared.seat == you, declared.pattern
    if pattern is not None:
        text = _("You declare: {pattern}") if mine else _("{name} declares: {pattern}")
        text += ". " + came_of(declared, pattern)
    elif declared.late:
        text = (
            _("Your time ran out: that counts as wrong")
            if mine
            else _("{name} ran out of time: that counts as wrong")
        )
    else:
        text = (
            _("You declare nothing: that counts as wrong")
            if mine
            else _("{name} declares nothing: that counts as wrong")
        )
    words = "" if pattern is None else pattern_words(pattern)
    return text.replace("{pattern}", words).replace("{name}", names[declared.seat])


def came_of(declared: Declared, pattern: Pattern) -> str:
    """Where it is so, and how often; or why it is worth nothing."""
    if declared.wild:
        return _("A Wild Wild Pattern!")
    if declared.anchors:
        said = _("HIT! {pairs}").format(pairs=pairs_counted(declared.anchors))
        if not declared.wheel:
            return said
        return f"{said}: {_pairs(pattern, verdict(declared.wheel, pattern).anchors)}"
    match declared.fault:
        case Fault.OLD:
            return _("Wrong: not new, the pattern was there before the shot")
        case Fault.APART:
            return _("Wrong: the card just shot must be in a pair, and is in none")
        case _ if declared.wheel:
            return _untrue(declared.wheel, pattern)
        case _:
            return _("That is wrong")


def pairs_counted(n: int) -> str:
    """How often a pattern is there."""
    return ngettext("{n} pair", "{n} pairs", n).format(n=n)


def _pairs(pattern: Pattern, anchors: Sequence[int]) -> str:
    """The pairs' places, clockwise: 7-8 and 2-3."""
    first = [(at + min(0, STEP[pattern.direction])) % PLACES for at in anchors]
    return listed([f"{at + 1}-{(at + 1) % PLACES + 1}" for at in first])


def _untrue(wheel: bytes, pattern: Pattern) -> str:
    found = verdict(wheel, pattern)
    if found.against is None:
        text = (
            _("Wrong: a pattern takes two, and there is only one ({feature})")
            if found.anchors
            else _("Wrong: there is none on the Wheel ({feature})")
        )
        return text.format(feature=feature_names(pattern.anchor).words)
    beside = found.beside(found.against)
    text = (
        _("Wrong: before {place} ({card}) comes {next} ({other}), not {partner}")
        if pattern.direction is Direction.BEFORE
        else _("Wrong: after {place} ({card}) comes {next} ({other}), not {partner}")
    )
    return text.format(
        place=found.against + 1,
        card=_inside(wheel[found.against], pattern),
        next=beside + 1,
        other=_inside(wheel[beside], pattern),
        partner=in_short(pattern.partner),
    )


def _inside(card: int, pattern: Pattern) -> str:
    """A card's words inside of brackets; its suit only where that matters."""
    if not pattern.has_suit:
        return card_title(card)
    return card_words(card).replace(" (", ", ").replace(")", "")
