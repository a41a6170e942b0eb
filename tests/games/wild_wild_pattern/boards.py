"""Boards set up by hand, for goldens and tests: a card is written as three letters, object, colour
and suit: the letters of the English face."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from clocktowers_tui.games.spans import measurable
from clocktowers_tui.games.wild_wild_pattern.selecting import NOTHING, Selection
from clocktowers_tui.games.wild_wild_pattern.sight import Scene
from clocktowers_tui.games.wild_wild_pattern.words import feature_letter, features_of
from protocol.games.wild_wild_pattern import FiveColours, Options, Phase, View, Visit
from protocol.games.wild_wild_pattern.bank import cents, lines
from protocol.games.wild_wild_pattern.cards import PATTERN_CARDS, Challenge, Object
from protocol.text import clean

NAMES = ("Ann", "Björn", "Chiara", "Dmitri")
HOSTILE = tuple(
    measurable(clean(name))
    for name in (
        "漢字漢字漢字漢字漢字",
        "[@click=app.quit]x[/]",
        "e\N{COMBINING ACUTE ACCENT}\N{COMBINING ACUTE ACCENT}\x1b[31m [/nope]",
        "ﾊﾝｶｸ👩🏽‍🚀🇫🇷☁️ wide and long",
    )
)
LOG = (
    "Turn 4: everybody has a card",
    "All see their cards: shoot!",
    "Björn has found a Challenge card: 50 cents",
    "Chiara shoots red star (coin) at 3, onto white loot (coin)",
)
_BY_LETTERS = {"".join(map(feature_letter, features_of(card))): card for card in PATTERN_CARDS}


def cards(written: str) -> bytes:
    """`SRC PAB .`: cards by their letters, `.` is a gap."""
    return bytes(0 if one == "." else _BY_LETTERS[one] for one in written.split())


WHEEL = cards("PRC SYC LYB WGB BWC KAB HWB DRB")
MINE = cards("SWB")[0]
WON = (
    cards("SRC LWC BAC"),
    cards("DGB"),
    cards("KRC KYC WAC HGC"),
    b"",
)
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
        options=Options(),
    )
    return replace(view, **more)


def declaring(acting: int = 0, seats: int = 4, **more: Any) -> View:
    """`acting` has shot a star onto place 3, where some loot lay."""
    wheel = WHEEL[:2] + bytes((MINE,)) + WHEEL[3:]
    shot = {"wheel": wheel, "place": 2, "covered": WHEEL[2], "acting": acting}
    mine = {} if acting else {"card": 0, "in_hand": [False, True, True, True][:seats]}
    return board(seats, Phase.DECLARE, **{**shot, **mine, **more})


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


def scene(view: View, selection: Selection = NOTHING, **more: Any) -> Scene:
    return Scene(view, NAMES[: len(view.won)], selection, log=LOG, **more)
