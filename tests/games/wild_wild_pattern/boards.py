"""Boards set up by hand, for goldens and tests: a card is written as three letters, object, colour
and suit: the letters of the English face."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from clocktowers_tui.config.look import GlyphSet
from clocktowers_tui.games.wild_wild_pattern.choosing import NOTHING, Selection
from clocktowers_tui.games.wild_wild_pattern.inks import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.scene import PARTS, sight
from clocktowers_tui.games.wild_wild_pattern.sight import Scene
from clocktowers_tui.games.wild_wild_pattern.words import feature_letter
from protocol.games import Switch
from protocol.games.wild_wild_pattern import (
    DecidedBy,
    Declared,
    FiveColours,
    Options,
    Outcome,
    Phase,
    View,
    Visit,
)
from protocol.games.wild_wild_pattern.bank import cents, lines
from protocol.games.wild_wild_pattern.cards import (
    FEATURES_OF,
    PATTERN_CARDS,
    Challenge,
    Direction,
    Fault,
    Object,
    Pattern,
)
from tests.stage.golden_boards import NAMES, drawer, text_of

draw = drawer(sight, PARTS)

LOG = (
    "Turn 4",
    "All see their cards: shoot!",
    "Björn keeps a Challenge card for a won turn: 50 cents",
    "Chiara covers 3, white loot (coin), with red star (coin)",
)
_BY_LETTERS = {"".join(map(feature_letter, FEATURES_OF[card])): card for card in PATTERN_CARDS}


def cards(written: str) -> bytes:
    """`SRC PAB .`: cards by their letters, `.` is a gap."""
    return bytes(0 if one == "." else _BY_LETTERS[one] for one in written.split())


WHEEL = cards("PRC SYC LYB WGB BWC KAB HWB DRB")
MINE = cards("SWB")[0]
WON = (cards("SRC LWC BAC"), cards("DGB"), cards("KRC KYC WAC HGC"), b"")
WILD = [cards("PAB LYB SRC BGB WWC"), *WON[1:]]
CHALLENGES = (
    bytes((Challenge.ONE_CARD, Challenge.FIFTY_CENTS)),
    bytes((Challenge.HANDS_UP,)),
    b"",
    bytes((Challenge.TRADE,)),
)
MONEY = (130, 40, 0, 2050)
TARGETS = bytes((Object.STAR, Object.BARREL, Object.LOOT, Object.HORSESHOE))


def board(seats: int = 4, phase: Phase = Phase.RACE, *, seat: int | None = 0, **more: Any) -> View:
    """Ann's board in the midst of a turn; `more` are other fields of the view."""
    lays = phase in (Phase.LAY, Phase.CHALLENGE)
    held = {Phase.READY: False, Phase.OVER: False}.get(phase, True)
    view = View(
        seat=seat,
        phase=phase,
        round=2,
        turn=4,
        due_ms=61_000,
        wheel=cards("PRC SYC . WGB BWC KAB HWB DRB") if lays else WHEEL,
        left=17,
        out=b"",
        targets=TARGETS[:seats],
        won=[*WON[:seats]],
        challenges=[*CHALLENGES[:seats]],
        money=[*MONEY[:seats]],
        standing=[True] * seats,
        card=MINE if held and seat is not None else 0,
        in_hand=[phase is not Phase.OVER] * seats,
        waiting=[False] * seats,
        done=[False] * seats,
        outcome=Outcome(MONEY[:seats], (0,), DecidedBy.MONEY) if phase is Phase.OVER else None,
        options=Options(),
    )
    return replace(view, **more)


def declaring(acting: int = 0, seats: int = 4, **more: Any) -> View:
    """`acting` has shot a star onto place 3, where some loot lay."""
    wheel = WHEEL[:2] + bytes((MINE,)) + WHEEL[3:]
    shot = {"wheel": wheel, "place": 2, "covered": WHEEL[2], "acting": acting}
    mine = {} if acting else {"card": 0, "in_hand": [False, True, True, True][:seats]}
    return board(seats, Phase.DECLARE, **{**shot, **mine, **more})


RIGHT = Declared(
    0,
    Pattern(Direction.BEFORE, 3, 9),
    2,
    wheel=cards("PRC SYC LAC BYB KWB WGB DAC BGB"),
    place=2,
    covered=cards("LYB")[0],
)
"""Before every bottle lies an azure card: 3-4 and 7-8."""

WRONG = Declared(
    1,
    Pattern(Direction.AFTER, 3, 13),
    0,
    fault=Fault.UNTRUE,
    wheel=cards("PRC SYC LYB BYB BWC KAB HWB DRB"),
    place=3,
    covered=cards("WGB")[0],
)
"""After the bottle on 5 comes a barrel with bullets."""

LATE = Declared(0, None, 0, late=True, wheel=WRONG.wheel, place=3, covered=WRONG.covered)


def told(said: Declared, phase: Phase = Phase.TAKE, seats: int = 4, **more: Any) -> View:
    """After a declaration: a right one is rewarded, the played card of a wrong one is gone."""
    wheel = said.wheel
    if not said.anchors:
        wheel = wheel[: said.place] + bytes((said.covered,)) + wheel[said.place + 1 :]
    acting = said.seat if said.anchors else 1 - said.seat
    shown = {"declared": said, "wheel": wheel, "place": said.place, "acting": acting, "takes": 1}
    return board(seats, phase, **{**shown, "card": 0, **more})


def clicked(clicker: int = 1, seats: int = 4, **more: Any) -> View:
    """Somebody has given a pistol up."""
    given_up = {"clicker": clicker, "clicked": cards("PAB")[0]}
    return board(seats, Phase.CLICKED, **{**given_up, **more})


def visits(won: Sequence[bytes], options: Options | None = None, out: int | None = None) -> Any:
    """What these cards fetch, on top of `MONEY`."""
    found = []
    for seat, mine in enumerate(won):
        paid = cents(lines(mine, Object(TARGETS[seat]), five_colours_win=options is None))
        found.append(Visit(seat, mine, TARGETS[seat], paid, MONEY[seat] + paid, seat == out))
    return tuple(found)


BANKED = (
    cards("SRC LWC BAC SYC SAB"),
    cards("DGB"),
    cards("KRC KYC WAC HGC WYB PYC"),
    cards("HGC HWB HRC"),
)


PAYING = Options(five_colours=FiveColours.PAY)
"""With the most lines at the Bank."""


PRACTICE = Options(practice=Switch.ON)


def scene(view: View, selection: Selection = NOTHING, **more: Any) -> Scene:
    return Scene(view, NAMES[: len(view.won)], selection, log=LOG, **more)


def said_on(shown: Scene, size: tuple[int, int] = (80, 21)) -> str:
    """The text of a whole board."""
    rows = draw(shown, *size, GLYPHS[GlyphSet.UNICODE])
    assert rows is not None
    return "\n".join(map(text_of, rows))
