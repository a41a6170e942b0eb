"""Tells the player in sentences what to do, and why something is impossible."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.face import number
from clocktowers_tui.games.keys import with_keys
from clocktowers_tui.games.standings import listed
from clocktowers_tui.games.wild_wild_pattern import choosing
from clocktowers_tui.games.wild_wild_pattern.actions import CLICK, NAMED, PASS, PLACES
from clocktowers_tui.games.wild_wild_pattern.choosing import (
    RACES,
    TWO_CARDS,
    Remark,
    Selection,
    asked,
    cursor,
    own_hit,
    usable,
    why_nothing,
    wild,
)
from clocktowers_tui.games.wild_wild_pattern.hinting import nearness
from clocktowers_tui.games.wild_wild_pattern.inks import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.log import pairs_counted
from clocktowers_tui.games.wild_wild_pattern.words import (
    card_words,
    cards_counted,
    challenge_names,
    feature_letter,
    feature_names,
    unfinished_words,
)
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from clocktowers_tui.text.i18n import N_, _, ngettext, pgettext
from protocol.errors import Refusal, RefusalCode
from protocol.games.wild_wild_pattern import (
    BOT_FIRST,
    CHOICE_MS,
    READY_MS,
    SONG_MS,
    Options,
    Phase,
    Refused,
    View,
)
from protocol.games.wild_wild_pattern.bank import MAX_CARDS
from protocol.games.wild_wild_pattern.cards import (
    CHALLENGES,
    FEATURES,
    FEATURES_OF,
    FIRST_COLOUR,
    FIRST_SUIT,
    Challenge,
    Direction,
    colour_of,
)

_with_keys: Final = partial(with_keys, named=NAMED)


def pitch() -> str:
    """What the game is, in a few words."""
    return pgettext("on a game's card, 22 cells", "Spot the pattern first")


def phase_title(view: View) -> str:
    """The phase in the middle of the Wheel."""
    return {
        Phase.READY: pgettext("in the middle, 7 cells", "Ready?"),
        Phase.RACE: pgettext("in the middle, 7 cells", "SHOOT!"),
        Phase.CLICKED: pgettext("in the middle, 7 cells", "Click!"),
        Phase.DECLARE: pgettext("in the middle, 7 cells", "Shot!"),
        Phase.TAKE: pgettext("in the middle, 7 cells", "Take"),
        Phase.CHALLENGE: pgettext("in the middle, 7 cells", "Extra"),
        Phase.LAY: pgettext("in the middle, 7 cells", "Lay"),
        Phase.OVER: pgettext("in the middle, 7 cells", "The end"),
    }[view.phase]


# Whose turn it is --------------------------------------------------------------------------------


def about() -> str:
    """What it is about."""
    return _("A Wheel of eight cards. Be the first to shoot at one and declare a new pattern.")


def expected(view: View, names: Sequence[str]) -> str:
    """Which players have to do what, and within how many seconds."""
    said = _asked(view, names)
    seconds = 0 if view.due_ms is None else limit_s(view.options, view.phase)
    return said if asked(view) is None or wild(view) else within(said, seconds)


def within(said: str, seconds: int) -> str:
    """With the time that there is, unless somebody is faster; 0: no limit."""
    if not seconds:
        return said
    return _("{what} ({n} s at most)").format(what=said, n=seconds)


def limit_s(options: Options, phase: Phase) -> int:
    """How long a phase lasts where it ends by itself; a race that never does: 0."""
    if phase is Phase.RACE:
        return options.race_limit_s
    return {Phase.READY: READY_MS, Phase.CLICKED: SONG_MS}.get(phase, CHOICE_MS) // 1000


def _asked(view: View, names: Sequence[str]) -> str:
    match asked(view):
        case Phase.READY:
            return _("Ready for your card?")
        case Phase.CLICKED:
            return _("Shoot with {name}'s card, or pass").format(name=_name(names, view.clicker))
        case Phase.RACE | Phase.CLICKED:
            return _("Shoot: make a new pattern")
        case Phase.DECLARE:
            return _("You shot: declare a new pattern")
        case Phase.TAKE:
            return ngettext("Take {n} card", "Take {n} cards", view.takes).format(n=view.takes)
        case Phase.CHALLENGE if wild(view):
            return _("You have WILD and win the match")
        case Phase.CHALLENGE:
            return _("You won: you may play a Challenge card")
        case Phase.LAY:
            return _("Lay your card on the Wheel")
        case _:
            return _waiting(view, names)


_WAITING: Final[Mapping[Phase, str]] = {
    Phase.OVER: N_("The match is over"),
    Phase.READY: N_("Waiting for {names}"),
    Phase.DECLARE: N_("{name} shot first and declares"),
    Phase.TAKE: N_("{name} takes {cards}"),
    Phase.CHALLENGE: N_("{name} won the turn and may play a Challenge card"),
    Phase.LAY: N_("{name} lays a card"),
}


def _waiting(view: View, names: Sequence[str]) -> str:
    if view.phase is Phase.OVER and view.outcome is None:
        return _("You have tried your card")
    if view.phase not in _WAITING:
        return _in_a_race(view, names)
    if wild(view):
        return _("{name} has WILD and wins the match").format(name=_name(names, view.acting))
    late = [seat for seat, done in enumerate(view.done) if view.standing[seat] and not done]
    return _(_WAITING[view.phase]).format(
        name=_name(names, view.acting),
        names=listed([names[seat] for seat in late]),
        cards=cards_counted(view.takes),
    )


def _in_a_race(view: View, names: Sequence[str]) -> str:
    if view.aimed is not None:
        return _("Shot! Checking who was first")
    if view.seat is not None and view.phase is Phase.CLICKED and view.clicker == view.seat:
        return _("The others may try with your card")
    if view.seat is not None and view.waiting[view.seat]:
        return _("A Challenge card! Your next card is coming")
    if view.phase is Phase.CLICKED:
        return _("Who shoots with {name}'s card?").format(name=_name(names, view.clicker))
    return _("The race is on")


def _name(names: Sequence[str], seat: int | None) -> str:
    return "?" if seat is None else names[seat]


# What can be done --------------------------------------------------------------------------------


def told(
    view: View, selection: Selection, keymap: Keymap = DEFAULT_KEYS, *, guided: bool = False
) -> list[str]:
    """A few short sentences beside the player's card; a lesson warns of nothing itself, and
    speaks of Click! later."""
    warned = [] if guided else [*_twice(view, selection), *_too_many(view, selection)]
    match asked(view):
        case Phase.READY:
            return [_("{key}: ready").format(key=keymap.name(actions.CHOOSE))]
        case Phase.RACE | Phase.CLICKED:
            return [*warned, *_shooting(view, keymap)[: 1 if guided else None]]
        case Phase.DECLARE:
            said = unfinished_words(selection.direction, selection.anchor)
            return [said, *warned, *_half(selection, keymap)]
        case Phase.TAKE:
            takes = _("{places}: take that card").format(places=_marked(view, keymap))
            return [takes, *_own_card(view)]
        case Phase.LAY:
            return [why_laid(view), _lays(view, keymap)]
        case Phase.CHALLENGE if selection.challenge:
            return [_asks(selection)]
        case Phase.CHALLENGE if wild(view):
            return [_with_keys(_("{confirm}: win the match"), keymap)]
        case Phase.CHALLENGE:
            return [f"{card_words(one)}: {challenge_names(one).does}" for one in usable(view)]
        case None if why_nothing(view) is Remark.TRIED:
            return [remark(Remark.TRIED, keymap)]
        case _:
            return []


def _twice(view: View, selection: Selection) -> Iterator[str]:
    """Where a card of a colour that the player has would end WILD."""
    near, anchor = nearness(view, view.seat or 0), selection.anchor
    if near.lost or not view.options.five_colours_win:
        return
    if asked(view) in RACES and near.wild >= MAX_CARDS - 2:  # else WILD is far
        yield _("You lose WILD if you win a colour twice.")
    suits = anchor is None or not FIRST_COLOUR <= anchor < FIRST_SUIT
    if view.covered and suits and (colour := colour_of(view.covered)) in near.colours:
        words = feature_names(FIRST_COLOUR + colour).words
        yield _("With a suit you get {colour} twice: no WILD.").format(colour=words)


def _too_many(view: View, selection: Selection) -> Iterator[str]:
    """Where a pattern that is there often would win a card more than the Bank pays for."""
    if len(view.won[view.seat or 0]) == MAX_CARDS - 1 and _may_be_too_many(view, selection):
        yield _("With 3 pairs you would have 6 cards: no money, no WILD.")


def _may_be_too_many(view: View, selection: Selection) -> bool:
    """Whether what is declared so far could be there three times."""
    shown = [card for card in view.wheel if selection.anchor in FEATURES_OF[card]]
    return selection.anchor is None or len(shown) >= TWO_CARDS


_ASKS: Final = {
    Challenge.ONE_CARD: N_("which card do you take?"),
    Challenge.PIANO_PLAYER: N_("which card leaves the game?"),
    Challenge.HANDS_UP: N_("which card leaves the game?"),
    Challenge.TRADE: N_("which card do you want?"),
}


def _asks(selection: Selection) -> str:
    """What a Challenge card asks next."""
    asked = _(_ASKS[Challenge(selection.challenge)])
    if selection.wanted:
        asked = _("what do you give for {card}?").format(card=card_words(selection.wanted))
    return _("“{challenge}”: {asked}").format(
        challenge=card_words(selection.challenge), asked=asked
    )


def _own_card(view: View) -> Iterator[str]:
    """Whether the card just shot is among the prizes, and why."""
    said = own_hit(view)
    if said is None or view.winner != view.seat:
        return
    own = said.place + 1
    if view.barred == said.place:
        yield _("Not {place}: that is your own card.").format(place=own)
        yield _("You keep it only with 3 pairs or more.")
    elif said.place in choosing.places(view):
        found = _("You may take {place}, your own card: you had {pairs}.")
        yield found.format(place=own, pairs=pairs_counted(said.anchors))


def why_laid(view: View) -> str:
    """Why the player lays a card, and where."""
    if not all(view.wheel):
        return _("You still hold your card: lay it on a free place.")
    if len(choosing.places(view)) < len(view.wheel):
        return _("You still hold your card: lay it on one of its colour.")
    return _("You still hold your card: lay it on any card.")


def _lays(view: View, keymap: Keymap) -> str:
    only = len(choosing.places(view)) == 1
    said = (
        _("{confirm}: lay your card there")
        if only
        else _("{places}, then {confirm}: lay your card there")
    )
    return _with_keys(said, keymap, places=_marked(view, keymap))


def _half(selection: Selection, keymap: Keymap) -> Iterator[str]:
    """Which keys say what comes next, and how to read the Wheel."""
    direction, anchor = selection.direction, selection.anchor
    if direction is None:
        yield _("New: it was not there before your shot.")
        yield _("Then an object and a colour or suit: either may be first.")
        return
    if anchor is None or anchor >= FIRST_COLOUR:
        yield _with_keys(_("{places}: the object on that card, wherever it lies."), keymap)
    if anchor is None or anchor < FIRST_COLOUR:
        yield _with_keys(_("A letter, or {moves} and {confirm}: a colour or suit."), keymap)
    if direction is Direction.BEFORE:
        yield _("Each arrow leads to the card before.")
    else:
        yield _("Each arrow leads to the card after.")


def _marked(view: View, keymap: Keymap) -> str:
    """The keys of the places that can be picked."""
    found = [PLACES[place] for place in choosing.places(view)]
    return keymap.names(PLACES) if len(found) == len(PLACES) else " ".join(map(keymap.name, found))


def _shooting(view: View, keymap: Keymap) -> list[str]:
    shoots = _with_keys(_("{places}: shoot at that card"), keymap)
    if view.phase is Phase.CLICKED:
        passes = _("{key}: pass").format(key=keymap.name(PASS))
        return [shoots, passes, _("If nobody uses it, its owner takes one of the 8.")]
    click = _("{key}: Click! Give up your card. If nobody uses it, take one of the 8.")
    if len(view.won) == 1:
        click = _("{key}: Click! Give up your card, take one of the 8.")
    said = [shoots, click.format(key=keymap.name(CLICK))]
    if view.options.practises:
        passes = _("{key}: pass")
        if len(view.won) > 1:
            passes = _("{key}: pass. Then the bot looks.")
            if view.turn % BOT_FIRST == 0:
                passes = _("{key}: pass. Now the bot looks first.")
        said.append(passes.format(key=keymap.name(PASS)))
    return said


def hint(view: View, selection: Selection, keymap: Keymap = DEFAULT_KEYS) -> str:
    """What may follow, where that is not said below the Wheel. A digit alone lays no card: it may
    have been meant for a race."""
    at = cursor(view, selection)
    if at is None or asked(view) is not Phase.LAY:
        return ""
    said = _("{confirm} lays your card on place {place}.")
    return _with_keys(said, keymap, place=at.number + 1)


# The help's words: the goal, what the keys do now, and the short forms on the board --------------


def explain(view: View, selection: Selection, keymap: Keymap) -> Iterator[str]:
    """What you can do now and how, or why nothing."""
    match asked(view):
        case Phase.DECLARE:
            said = _(
                "Three keys declare: {directions}, then a card ({places}) for its object and a "
                "colour ({colours}) or a suit ({suits}), in either order. {back}: undo."
            )
            yield _with_keys(said, keymap)
        case Phase.CHALLENGE:
            said = _("Pick from the list by its keys, or {moves} and {confirm}. {pass_}: pass.")
            yield _with_keys(said, keymap)
        case None:
            yield _with_keys(_(why_nothing(view)), keymap)
        case _:
            yield from told(view, selection, keymap)
    paid = _("{bank}: what the Bank paid last, then what it pays.")
    yield _with_keys(paid if view.bank else _("{bank}: what the Bank pays."), keymap)


def notation(look: Look) -> list[str]:
    """The short forms of the board, for the help."""
    glyphs = GLYPHS[look.glyphs]
    legend = [
        f"{glyphs.signs.get(one, '')}{feature_letter(one)} {feature_names(one).words}"
        for one in range(FEATURES)
    ]
    challenges = [
        f"[{challenge_names(card).code}] {card_words(card)}: {challenge_names(card).does}."
        for card in CHALLENGES
    ]
    [before, after] = [*glyphs.fresh]
    return [
        ", ".join(legend[:FIRST_COLOUR]) + ".",
        ", ".join(legend[FIRST_COLOUR:FIRST_SUIT]) + "; " + ", ".join(legend[FIRST_SUIT:]) + ".",
        _("A won card shows object, colour and suit in this order: {card}.").format(
            card=f"{glyphs.signs[2]}{feature_letter(2)}{feature_letter(8)}{feature_letter(13)}"
        ),
        _("Challenge cards: win a turn, then you may play one."),
        *challenges,
        _("no WILD: of these cards only a Challenge card can make one."),
        _("The arrows on the Wheel lead from each card to the one after it."),
        _("While you declare BEFORE, they lead to the one before it."),
        _("{before} {after} mark the card just played.").format(before=before, after=after),
    ]


# Why a key did nothing -------------------------------------------------------------------------


def remark(found: str, keymap: Keymap = DEFAULT_KEYS) -> str:
    """One sentence."""
    return _with_keys(_(found), keymap)


def late_prize(card: int) -> str:
    """The player did not take a card in time."""
    return _("Time was up: you got {card}").format(card=card_words(card))


# Why an action is impossible: for each of the game's codes the rule and what to do instead.
#
# Law: parameters come over the wire and may be missing or of another type; there is a sentence
# nevertheless.


_SENTENCES: Final[Mapping[str, str]] = {
    RefusalCode.NO_HINTS: N_("Hints are for practice without other people."),
    Refused.ELIMINATED: Remark.OUT,
    Refused.ALREADY_READY: Remark.NOT_YET,
    Refused.ALREADY_SHOT: Remark.ALREADY_SHOT,
    Refused.ALREADY_PASSED: Remark.PASSED,
    Refused.ONLY_IN_PRACTICE: Remark.NOBODY_PASSES,
    Refused.NO_CARD: Remark.WAITING,
    Refused.OWN_CLICK: Remark.OWN_CLICK,
    Refused.NO_OBJECT: N_("A pattern joins an object with a colour or a suit."),
    Refused.GAP_THERE: N_("No card lies on place {place}: take another."),
    Refused.BARRED: N_("You cannot take the card on place {place} this time: take another."),
    Refused.FILL_A_GAP: N_("Place {place} is not free, and free places come first."),
    Refused.SAME_COLOUR_FIRST: N_(
        "Place {place} has another colour: cover a card of your card's colour."
    ),
    Refused.NOT_YOUR_CHALLENGE: N_("You do not have the Challenge card {card}."),
    Refused.CANNOT_DO_THAT: N_("{card} cannot do that: choose another card, or pass ({pass_})."),
}

_WRONG_PHASE: Final[Mapping[str, str]] = {
    Phase.READY: Remark.NOT_READY,
    Phase.RACE: N_("The race is on: shoot or say Click!"),
    Phase.CLICKED: N_("Somebody said Click! Shoot with that card, or pass ({pass_})."),
    Phase.OVER: N_("The match is over."),
}
_TOO_LATE: Final = N_("A moment too late: somebody was faster. You keep your card.")
"""In any other phase: most often of a shot."""


def refusal_words(refusal: Refusal, keymap: Keymap = DEFAULT_KEYS) -> str | None:
    """One sentence; None for codes of which the game has nothing better to say."""
    said = _SENTENCES.get(refusal.code)
    if refusal.code == Refused.WRONG_PHASE:
        said = _WRONG_PHASE.get(str(refusal.params.get("phase")), _TOO_LATE)
    if said is None:
        return None
    card = number(refusal, "card")
    return _with_keys(
        _(said),
        keymap,
        place=number(refusal, "place") + 1,
        card=card_words(card) if card in tuple(CHALLENGES) else "?",
    )
