"""Wild Wild Pattern for the walk through all screens, and for every key of its board."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from clocktowers_tui.games.wild_wild_pattern.actions import (
    BANK,
    CLICK,
    DIRECTIONS,
    LETTERS,
    PASS,
    PLACES,
)
from clocktowers_tui.games.wild_wild_pattern.choosing import Remark
from clocktowers_tui.games.wild_wild_pattern.sentences import refusal_words, remark
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.state.store import State
from protocol.errors import Refusal
from protocol.games import Switch
from protocol.games.wild_wild_pattern import (
    Banked,
    DecidedBy,
    Mode,
    Options,
    Outcome,
    Phase,
    Refused,
    Used,
    View,
)
from protocol.games.wild_wild_pattern.cards import Challenge, Direction, Pattern
from tests.games.wild_wild_pattern.boards import (
    BANKED,
    LATE,
    PAYING,
    RIGHT,
    WHEEL,
    WRONG,
    board,
    clicked,
    declaring,
    told,
    visits,
)
from tests.games.wild_wild_pattern.face_case import CASE
from tests.stage.action_scenes import Scene, playing
from tests.stage.own_files import Stages, for_both

_PATTERN: Final = Pattern(Direction.BEFORE, 2, 12)
_EVENTS: Final = (
    *for_both(CASE.words.told),
    *(
        replace(WRONG, pattern=Pattern(direction, anchor, 13))
        for direction in Direction
        for anchor in (0, 3, 7)
    ),
    *(Used(1, card, 3, 4, 0) for card in (Challenge.TRADE, Challenge.HANDS_UP)),
    Banked(visits(BANKED[:1], out=0)),
)


def _boards() -> Mapping[str, tuple[View, Sequence[str]]]:
    four = board()
    mine = board(4, Phase.CHALLENGE, acting=0)
    banked = board(4, Phase.READY, bank=visits(BANKED, out=1))
    practice = Options(practice=Switch.ON)
    practising = board(1, Phase.LAY, acting=0, options=practice)
    return {
        "alone": (board(1, options=practice), ()),
        "two": (board(2), ()),
        "three": (board(3), ()),
        "watching": (board(3, seat=None), ("3",)),
        "a race": (four, ()),
        "not in a race": (four, ("enter",)),
        "ready?": (board(4, Phase.READY, done=[False, True, False, False]), ("3",)),
        "ready": (board(4, Phase.READY, done=[True, True, False, False]), ("3",)),
        "waiting for a card": (board(4, card=0, waiting=[True, False, False, True]), ("3",)),
        "shot": (board(4, aimed=3), ("3",)),
        "passed": (board(4, done=[True, True, False, False]), ("3",)),
        "clicked": (clicked(), ()),
        "the player's own click": (clicked(0, card=0), ("3",)),
        "who answers a click": (clicked(seat=None), ()),
        "declaring": (declaring(), ()),
        "declaring, nothing?": (declaring(), ("n",)),
        "declaring, a direction": (declaring(), ("less_than_sign",)),
        "declaring, an object": (declaring(), ("greater_than_sign", "3")),
        "declaring, a colour": (declaring(), ("greater_than_sign", "r")),
        "another declares": (declaring(2), ("3",)),
        "taking": (board(4, Phase.TAKE, acting=0, takes=2, barred=2), ("3",)),
        "another takes": (board(4, Phase.TAKE, acting=1, takes=1), ("3",)),
        "a Challenge card?": (mine, ()),
        "one of all cards": (mine, ("1",)),
        "a trade": (_trading(), ("1", "1")),
        "another's Challenge card": (board(4, Phase.CHALLENGE, acting=1), ("3",)),
        "right": (told(RIGHT, winner=0), ()),
        "wrong": (told(WRONG), ()),
        "too late": (told(LATE), ()),
        "what there was": (replace(practising, wheel=WHEEL), ()),
        "laying": (board(4, Phase.LAY, acting=0), ("1",)),
        "laying on its colour": (replace(four, phase=Phase.LAY, acting=0), ("1",)),
        "another lays": (board(4, Phase.LAY, acting=1), ()),
        "out": (board(4, standing=[False, True, True, True], card=0), ("3",)),
        "the prices": (four, ("d",)),
        "the prices, five colours pay": (replace(four, options=PAYING), ("d",)),
        "the Bank": (banked, ("d",)),
        "the Bank, then its prices": (banked, ("d", "d")),
    }


def _trading() -> View:
    held = [bytes((Challenge.TRADE,)), bytes((Challenge.ONE_CARD,)), b"", b""]
    return board(4, Phase.CHALLENGE, acting=0, challenges=held)


def _said() -> Sequence[str]:
    refused = [Refusal(code, {"place": 3, "card": 42}) for code in Refused]
    refused += [Refusal(Refused.WRONG_PHASE, {"phase": phase}) for phase in Phase]
    return [refusal_words(one) or "" for one in refused]


def _remarks() -> Sequence[str]:
    return [*map(remark, Remark)]


def _ends() -> Sequence[tuple[View, Outcome]]:
    vivo = Options(mode=Mode.VIVO)
    over = board(4, Phase.OVER, bank=visits(BANKED), card=0)
    out = replace(over, options=vivo, standing=[True, False, False, False])
    return [
        (out if decided is DecidedBy.LAST else over, Outcome((310, 40, 0, 20), (0,), decided))
        for decided in DecidedBy
    ]


STAGES: Final = Stages(
    "wild_wild_pattern", _EVENTS, _boards, lambda view: len(view.won), _remarks, _said, _ends
)


# Keys ---------------------------------------------------------------------------------------------


GAME: Final = "wild_wild_pattern"


def racing() -> State:
    """Ann may shoot."""
    return playing(GAME, board(2))


def answering() -> State:
    """Bo has clicked."""
    return playing(GAME, clicked(seats=2))


def after_a_shot() -> State:
    """Ann is to declare."""
    return playing(GAME, declaring(seats=2))


def next_round() -> State:
    """Both have been at the Bank."""
    return playing(GAME, board(2, Phase.READY, bank=visits(BANKED[:2])))


SCENES: Final[Mapping[Action, Scene]] = {
    **dict.fromkeys((*PLACES, CLICK), Scene(racing)),
    PASS: Scene(answering),
    **dict.fromkeys(DIRECTIONS, Scene(after_a_shot)),
    **dict.fromkeys(LETTERS, Scene(after_a_shot, ("greater_than_sign",))),
    BANK: Scene(next_round),
}
