"""Wild Wild Pattern for the laws of the client."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final

from msgspec.structs import replace

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.parts import Hit, Shared
from clocktowers_tui.games.spans import Rect
from clocktowers_tui.games.wild_wild_pattern import choosing, words
from clocktowers_tui.games.wild_wild_pattern.actions import PASS
from clocktowers_tui.games.wild_wild_pattern.board import WildWildPatternBoard
from clocktowers_tui.games.wild_wild_pattern.choosing import Offer, Selection, What
from clocktowers_tui.games.wild_wild_pattern.inks import COLOURS, PAINTING
from clocktowers_tui.games.wild_wild_pattern.sight import Scene, Sheet, beside, layout
from clocktowers_tui.keys.keymap import Keymap
from protocol.errors import Refusal
from protocol.games.wild_wild_pattern import (
    MIN_RACE_LIMIT_S,
    Aimed,
    Banked,
    Clicked,
    Declared,
    Drew,
    Filled,
    Found,
    Idled,
    Options,
    Passed,
    Phase,
    Refused,
    Replaced,
    Reshuffled,
    RoundBegan,
    Seen,
    Shoot,
    Shot,
    TurnBegan,
    Used,
    View,
    WasLaid,
    WasReady,
    WentOut,
    Won,
)
from protocol.games.wild_wild_pattern.cards import (
    FIRST_COLOUR,
    Challenge,
    Direction,
    Fault,
    Pattern,
)
from tests.games.wild_wild_pattern.boards import (
    BANKED,
    LOG,
    TARGETS,
    WHEEL,
    board,
    cards,
    declaring,
    scene,
    visits,
)
from tests.games.wild_wild_pattern.matches import RaceMatch, moments as views
from tests.stage.board_shell import BoardShell
from tests.stage.golden_boards import NAMES
from tests.stage.own_files import Drawn, FaceCase, OnBoard, Said

_LOOK: Final = Look()


def shell(view: View, *, look: Look = _LOOK) -> BoardShell[WildWildPatternBoard]:
    board = WildWildPatternBoard(look, now_s=lambda: app.now_s)
    app = BoardShell(board, view, lambda view: len(view.won), LOG)
    return app


_BOARD: Final = OnBoard(
    shell=shell,
    golden=(declaring(), ("greater_than_sign", "3"), "after-80x24"),
    whose="Ann (you)",
    hints=(
        (declaring(), ("r",), "First declare before or after: < >."),
        (None, ("enter", "enter", "enter", "enter"), "You have chosen nothing yet"),
        (
            declaring(due_ms=9),
            ("backspace", "backspace", "4", "n"),
            "To pass counts as wrong. Press n again if you mean it.",
        ),
    ),
    sends=(board(), ("3",), ("4", "c"), Shoot(2)),
    back=(declaring(), ("less_than_sign", "3"), 2),
    # Time that goes by is another widget's; a shot paints one line.
    paints=(board(), board(due_ms=12_345), (("3", 1),)),
    marked=(declaring(), ("greater_than_sign",)),
    parts=(board(), {"wheel", "own-card", "told", "players", "log", "goal"}),
)


def moments(seats: int, seat: int | None) -> Iterator[Scene]:
    for view in views(RaceMatch(seats, seed=seats, seat=seat)):
        yield Scene(view, NAMES[:seats])


def laid_out(width: int, height: int) -> Iterable[Sequence[Rect]]:
    """But for the player's own card, which lies in the hole of the Wheel."""
    if (found := layout(width, height)) is not None:
        ways = [Rect(x, y, cells, 1) for x, y, cells, _way in beside(found.scale)]
        yield [*found.places, found.own, found.told, found.side, *ways]


def _hits() -> Sequence[tuple[Scene, set[Any]]]:
    picked = scene(replace(declaring(), wheel=WHEEL), Selection(Direction.AFTER))
    offers = {Offer(What.FEATURE, feature) for feature in range(15)}
    offers |= {Offer(What.DIRECTION, number) for number in range(2)}
    offers |= {Offer(What.PLACE, at) for at in range(8)}
    prices = scene(board(4, Phase.READY), sheet=Sheet.PRICES)
    hits = {Hit(choosing.point, (offer,)) for offer in offers}
    return ((picked, hits), (scene(board()), {Shared.LOG}), (prices, {Sheet.PRICES}))


_DRAWN: Final = Drawn(
    moments=moments,
    crowded=[
        scene(board(4, phase, acting=0, bank=visits(BANKED)), sheet=sheet)
        for phase in Phase
        for sheet in (None, *Sheet)
        if phase is not Phase.DECLARE
    ],
    hits=_hits(),
    laid_out=laid_out,
    drawn=(),
    grounds=lambda palette: [PAINTING.paints[palette][ink.name.lower()].colour for ink in COLOURS],
    apart=15.0,
)


@cache
def played(seats: int, seed: int, seat: int | None) -> RaceMatch:
    match = RaceMatch(seats, seed, seat)
    while not match.over():
        match.step()
    return match


_SHOWN: Final = (WasReady, Seen, Drew, Aimed)
"""What the board shows while it matters."""


def seen(match: RaceMatch) -> Iterator[tuple[Sequence[Any], View]]:
    """With other targets, or another Wheel at any shuffle."""
    events, view = match.events, match.view()
    opening, *later = events
    yield [replace(opening, targets=bytes(reversed(opening.targets))), *later], view
    shuffles = [n for n, one in enumerate(events) if isinstance(one, RoundBegan | Reshuffled)]
    for at in shuffles:
        other = replace(events[at], wheel=bytes(reversed(events[at].wheel)))
        yield [*events[:at], other, *events[at + 1 :]], view


_STAR, _LOOT = cards("SRC LYB")
_PATTERN: Final = Pattern(Direction.BEFORE, 2, 12)
_SAID: Final = "before every star comes a white card"
_JUDGED: Final = cards("PAB SYC LAC BYB BWC KRC DAC SGC")
"""With two bottles, two stars and one barrel."""


def _judged(anchor: int, partner: int, why: str, fault: Fault = Fault.UNTRUE) -> tuple[Any, str]:
    after = Pattern(Direction.AFTER, anchor, partner)
    return Declared(1, after, 0, fault=fault, wheel=_JUDGED), f"Björn declares: after {why}"


_WORDS: Final = Said(
    played=played,
    told=(
        (RoundBegan(2, TARGETS, WHEEL, 30, b"", Options()), "Round 2: new cards"),
        (TurnBegan(3, 20), "Turn 3"),
        (
            Found(1, Challenge.HANDS_UP),
            "Björn keeps a Challenge card for a won turn: "
            "Hands up! (an opponent's card with a coin leaves the game)",
        ),
        (Replaced(1), "Björn draws another card"),
        (Replaced(1, empty=True), "The deck has no other card for Björn"),
        (
            Shot(1, 2, _STAR, _LOOT),
            "Björn shoots at 3, yellow loot (bullets), with red star (coin)",
        ),
        (Clicked(1, _STAR), "Click! Björn gives up red star (coin)"),
        (Passed(1), "Björn passes"),
        (Idled(1), "Nobody shot: nobody wins this turn"),
        (Declared(1, _PATTERN, 2), f"Björn declares: {_SAID}. HIT! 2 pairs"),
        (Declared(1, _PATTERN, 4), f"Björn declares: {_SAID}. HIT! 4 pairs"),
        (
            Declared(1, Pattern(Direction.AFTER, 2, 9), 2, wheel=_JUDGED),
            "Björn declares: after every star comes an azure card. HIT! 2 pairs: 2-3 and 8-1",
        ),
        (
            Declared(1, Pattern(Direction.BEFORE, 2, 9), 2, wheel=_JUDGED),
            "Björn declares: before every star comes an azure card. HIT! 2 pairs: 1-2 and 7-8",
        ),
        (Declared(1, _PATTERN, 0), f"Björn declares: {_SAID}. That is wrong"),
        (
            Declared(1, _PATTERN, 0, fault=Fault.UNTRUE, wheel=_JUDGED),
            f"Björn declares: {_SAID}. "
            "Wrong: before 2 (yellow star) comes 1 (azure pistol), not white",
        ),
        _judged(
            *(3, 9),
            "every bottle comes an azure card. "
            "Wrong: after 4 (yellow bottle) comes 5 (white bottle), not azure",
        ),
        _judged(
            *(3, 14),
            "every bottle comes a card with bullets. Wrong: after 4 (yellow bottle, bullets) "
            "comes 5 (white bottle, coin), not bullets",
        ),
        _judged(
            *(6, 9),
            "every barrel comes an azure card. "
            "Wrong: a pattern takes two cards, and only one shows this: barrel",
        ),
        _judged(
            7,
            9,
            "every wanted poster comes an azure card. "
            "Wrong: no card of the Wheel shows this: wanted poster",
        ),
        (
            Declared(1, _PATTERN, 0, fault=Fault.OLD, wheel=_JUDGED),
            f"Björn declares: {_SAID}. Wrong: not new, the pattern was there before the shot",
        ),
        (
            Declared(1, _PATTERN, 0, fault=Fault.APART, wheel=_JUDGED),
            f"Björn declares: {_SAID}. Wrong: the card just shot must be in a pair, and is in none",
        ),
        (Declared(1, _PATTERN, 4, wild=True), f"Björn declares: {_SAID}. A Wild Wild Pattern!"),
        (Declared(1, None, 0), "Björn passes after the shot: that counts as wrong"),
        (Declared(1, None, 0, late=True), "Björn ran out of time: that counts as wrong"),
        (Won(1, _STAR), "Björn wins red star (coin)"),
        (WentOut(Challenge.TRADE), "The Challenge card Trade a card leaves the game"),
        (WentOut(_STAR), "Red star (coin) leaves the game"),
        (Used(1, Challenge.FIFTY_CENTS, cents=50), "Björn plays “50 cents”: $0.50"),
        (Used(1, Challenge.ONE_CARD, _STAR), "Björn plays “Take a card”: red star (coin)"),
        (
            Used(1, Challenge.HANDS_UP, _STAR, victim=2),
            "Björn plays “Hands up!”. Chiara loses red star (coin)",
        ),
        (
            Used(1, Challenge.TRADE, _STAR, _LOOT, 2),
            "Björn plays “Trade a card”: red star (coin) of Chiara for yellow loot (bullets)",
        ),
        (
            WasLaid(1, 2, _STAR, 0),
            "Björn lays the card left in hand on place 3, which was free: red star (coin)",
        ),
        (Filled(2, _STAR), "From the deck into place 3: red star (coin)"),
        (Reshuffled(WHEEL, 30, b""), "The deck is shuffled, and a new Wheel is laid"),
        (Banked(visits(BANKED[2:3])), "The Bank pays: Ann $0.00 (6 cards)"),
        *((event, "") for event in (WasReady(1), Seen(), Drew(_STAR), Aimed(2))),
    ),
    own=(
        (
            Banked(visits(BANKED[:2], out=1)),
            0,
            "The Bank pays: Ann $1.30, Björn $0.10. Björn is out",
        ),
        (
            Banked(visits(BANKED[:2], out=1)),
            1,
            "The Bank pays: Ann $1.30, Björn $0.10. You are out",
        ),
        (
            Banked(tuple(replace(one, eliminated=True) for one in visits(BANKED[:2]))),
            1,
            "The Bank pays: Ann $1.30, Björn $0.10. Ann is out. You are out",
        ),
    ),
    silent=lambda event: isinstance(event, _SHOWN),
    seen=seen,
    shown=RoundBegan,
    options=(
        ({}, "Saloon! The richest above $3 wins"),
        ({"mode": "vivo"}, "Vivo o Morto! The poorest go out"),
        ({"mode": "of a newer server"}, "Saloon! The richest above $3 wins"),
        (
            {"practice": "on", "race_limit_s": 0},
            "Saloon! The richest above $3 wins; A race lasts: until somebody shoots; "
            "The clock: none",
        ),
    ),
    values={"race_limit_s": (str(Options().race_limit_s), str(MIN_RACE_LIMIT_S), "300", "0")},
    keys=(
        (
            Keymap({PASS.id: ("y",)}),
            Refusal(Refused.CANNOT_DO_THAT, {"card": Challenge.HANDS_UP}),
            "Hands up! cannot do that: choose another card, or pass (y).",
        ),
    ),
    letters={
        "a pistol": "P",
        "loot": "L",
        "a star": "S",
        "a bottle": "B",
        "a horseshoe": "H",
        "dynamite": "D",
        "a barrel (keg)": "K",
        "a wanted poster": "W",
    },
    lettered=lambda: "".join(map(words.feature_letter, range(FIRST_COLOUR))),
)

CASE: Final = FaceCase(_BOARD, _DRAWN, _WORDS)
