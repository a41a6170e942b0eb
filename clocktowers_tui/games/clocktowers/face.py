"""Clocktowers in the registry: what each key does, how plain mode says it."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, assert_never

from clocktowers_tui.games.clocktowers import choosing, hinting, sentences, words
from clocktowers_tui.games.clocktowers.actions import CARDS, DISCARD, LAYOUT, NEW_TOWER, PILES
from clocktowers_tui.games.clocktowers.choosing import NEW, OUT, Selection, Stage, targets
from clocktowers_tui.games.clocktowers.costs import costs, later
from clocktowers_tui.games.clocktowers.ladder import is_spent
from clocktowers_tui.games.clocktowers.log import phrase
from clocktowers_tui.games.clocktowers.result import (
    ahead_in_words,
    result_lines,
    same_deal,
    stories,
    tower_lines,
)
from clocktowers_tui.games.face import Advice, Face
from clocktowers_tui.games.keys import Key
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed, KeyGroups
from clocktowers_tui.text.i18n import N_, _
from protocol.games.clocktowers import START_HAND, Action, Discard, Draw, Phase, Pile, View

_MOVES: Final = (actions.LEFT, actions.RIGHT)
_PLAY: Final = Deed(
    "play",
    N_("play a card, by its number or name, on that tower or a new one"),
    short="p",
    takes="CARD TOWER|new",
    waits=True,
)
_OUT: Final = Deed("discard", N_("discard a card, face down"), short="x", takes="CARD", waits=True)
_DRAWS: Final = (
    Deed("floors", N_("draw from the floors"), short="f", waits=True),
    Deed("clocks", N_("draw from the clocks"), short="c", waits=True),
    Deed("roofs", N_("draw from the roofs"), short="r", waits=True),
)
_BEFORE: Final = partial(choosing.move, step=-1)
_NEXT: Final = partial(choosing.move, step=1)

KEYS: Final = (
    *(
        # TRANSLATORS: a key: lifts a card of your own hand to play it.
        Key(card, N_("Take card") if n < 3 else "", partial(choosing.pick_card, card=n), _PLAY)
        for n, card in enumerate(CARDS)
    ),
    Key(actions.LEFT, N_("Move"), _BEFORE),
    Key(actions.RIGHT, N_("Move"), _NEXT),
    Key(actions.UP, "", _BEFORE),
    # TRANSLATORS: an arrow key: marks that the chosen card goes out of the game.
    Key(actions.DOWN, N_("To the discard"), choosing.down),
    # TRANSLATORS: a key, a verb: plays the chosen card.
    Key(actions.CONFIRM, N_("Play"), choosing.confirm),
    Key(actions.CHOOSE, "", choosing.confirm),
    Key(NEW_TOWER, N_("New tower"), partial(choosing.pick_tower, tower=NEW), _PLAY),
    # TRANSLATORS: a key, a verb: puts a card out of the game, face down.
    Key(DISCARD, N_("Discard"), choosing.discard, _OUT),
    *(
        # TRANSLATORS: keys, a verb: takes the top card of a pile.
        Key(key, N_("Draw"), partial(choosing.pick_pile, pile=pile), deed)
        for key, pile, deed in zip(PILES, Pile, _DRAWS, strict=True)
    ),
    Key(actions.BACK, N_("Back"), "back"),
    Key(LAYOUT, N_("Layout"), "layout"),
)


def actions_now(view: View, selection: Selection, asked: Sequence[Action] = ()) -> KeyGroups:
    """The actions that lead somewhere from here. `asked`: by a lesson, of which one is sought."""
    match selection.stage:
        case Stage.CARD:
            return [
                (CARDS[: len(view.hand)], _("Take card")),
                (_MOVES, _("Move")),
                # TRANSLATORS: a key, a verb: lifts the card that is marked.
                ((actions.CONFIRM,), _("Take")),
            ]
        case Stage.TOWER:
            return _from_card(view, selection, asked)
        case Stage.PILE:
            drawing = [] if selection.pile is None else [((actions.CONFIRM,), _("Draw"))]
            return [(PILES, _("Draw")), (_MOVES, _("Move")), *drawing]
        case Stage.NOTHING:
            return []
        case _:
            assert_never(selection.stage)


def _from_card(view: View, selection: Selection, asked: Sequence[Action]) -> KeyGroups:
    """With a card in hand: to a tower, to another card, or back."""
    goes_out = Discard(view.hand[selection.card]) in asked
    places = {} if goes_out else targets(view, selection)
    out, back = ((DISCARD,), _("Discard")), ((actions.BACK,), _("Back"))
    cards = [key for n, key in enumerate(CARDS[: len(view.hand)]) if n != selection.card]
    # TRANSLATORS: arrow keys: mark another card.
    others: KeyGroups = [(cards, _("Another card"))] if cards else []
    thrown = selection.tower == OUT
    if not places:
        return [((actions.CONFIRM,), _("Discard")) if thrown else out, *others, back]
    return [
        ((actions.CONFIRM,), _("Discard") if thrown else _("Play")),
        *([(_MOVES, _("Move"))] if len(places) > 1 or thrown else []),
        *([] if thrown else [out]),
        back,
        *([((NEW_TOWER,), _("New tower"))] if NEW in places and selection.tower != NEW else []),
        *others,
    ]


def _advice(view: View, action: Action, names: Sequence[str], then: Any = None) -> Advice | None:
    """With the whole action: here no board shows the card where it would lie."""
    found = hinting.advice(view, action, then)
    if found is None or isinstance(action, Draw):
        return found
    return found._replace(what=hinting.goes(view, action))


def _turn(view: View) -> int:
    """One card leaves the player's hand in each (rules: A turn)."""
    left = [
        thrown + sum(map(len, town.towers))
        for thrown, town in zip(view.thrown, view.towns, strict=False)
    ]
    if view.turn is None or view.phase is Phase.OVER:
        return max(left)
    done = left[view.turn]
    # In a table that plays before it draws, this turn's card is gone by the draw.
    played = view.phase is Phase.DRAW and view.hands[view.turn] < len(START_HAND)
    return done if played else done + 1


FACE: Final = Face(
    game="clocktowers",
    minutes=15,
    keys=KEYS,
    pitch=sentences.pitch,
    about=sentences.about,
    expected=sentences.expected,
    turn=_turn,
    phrase=phrase,
    choice=hinting.goes,
    advice=_advice,
    costs=costs,
    later=later,
    refusal=sentences.refusal_words,
    result=result_lines,
    result_details=tower_lines,
    ahead=ahead_in_words,
    option_fields=words.option_fields,
    preset_names=words.PRESET_NAMES,
    is_spent=is_spent,
    stories=stories,
    same_deal=same_deal,
    notation=sentences.notation,
)
