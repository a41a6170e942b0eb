"""Wild Wild Pattern's words in messages, all fields set: what its golden frames hold."""

from typing import Final

from msgspec import Struct

from protocol import from_client as client, from_server as server
from protocol.games import wild_wild_pattern as wwp
from protocol.games.wild_wild_pattern.pattern import Direction, Fault, Pattern

_OPTIONS: Final = wwp.Options(
    mode=wwp.Mode.VIVO,
    played_in_pair=wwp.PlayedInPair.FREE,
    five_colours=wwp.FiveColours.PAY,
    race_limit_s=90,
    lag=wwp.Lag.OFF,
    practice=wwp.Practice.ON,
    choice_limit=wwp.ChoiceLimit.OFF,
)
_PATTERN: Final = Pattern(Direction.BEFORE, 7, 11)
_WHEEL: Final = bytes((32, 19, 39, 13, 4, 37, 21, 10))
_VISITS: Final = (
    wwp.Visit(0, bytes((11, 13)), 2, 40, 140),
    wwp.Visit(1, b"", 6, 0, 0, eliminated=True),
)
_OUTCOME: Final = wwp.Outcome((310, 300), (0,), wwp.DecidedBy.MONEY)

_EVENTS: Final = [
    wwp.RoundBegan(1, bytes((3, 6)), bytes(range(1, 9)), 38, bytes((41,)), _OPTIONS),
    wwp.TurnBegan(1, 36),
    wwp.WasReady(1),
    wwp.Seen(),
    wwp.Drew(19),
    wwp.Found(1, 44),
    wwp.Replaced(1, empty=True),
    wwp.Aimed(1),
    wwp.Shot(0, 1, 19, 40),
    wwp.Clicked(1, 20),
    wwp.Passed(1),
    wwp.Idled(3),
    wwp.Declared(0, _PATTERN, 2, wild=True, wheel=_WHEEL, place=1, covered=40),
    wwp.Declared(0, _PATTERN, 0, fault=Fault.OLD),
    wwp.Declared(1, None, 0, late=True),
    wwp.Won(0, 5, 4),
    wwp.WentOut(40),
    wwp.Used(0, 44, wanted=5, given=6, victim=1, cents=0),
    wwp.WasLaid(1, 3, 20, 13),
    wwp.Filled(4, 22),
    wwp.Reshuffled(bytes(range(8, 16)), 20, b""),
    wwp.Banked(_VISITS),
]

_VIEW: Final = wwp.View(
    seat=1,
    phase=wwp.Phase.TAKE,
    round=2,
    turn=7,
    due_ms=65_040,
    acting=1,
    wheel=bytes((32, 19, 39, 13, 4, 0, 21, 10)),
    left=12,
    out=bytes((40, 41)),
    targets=bytes((3, 6)),
    won=[bytes((11,)), b""],
    challenges=[b"", bytes((44,))],
    money=[140, 30],
    standing=[True, False],
    card=20,
    in_hand=[False, True],
    waiting=[True, False],
    done=[False, True],
    aimed=-1,
    place=1,
    covered=40,
    clicker=0,
    clicked=22,
    takes=2,
    barred=1,
    winner=1,
    ended_by=1,
    declared=wwp.Declared(0, _PATTERN, 0, fault=Fault.OLD, wheel=_WHEEL, place=1, covered=40),
    idle=4,
    levels=2,
    bank=_VISITS,
    outcome=_OUTCOME,
    options=_OPTIONS,
)

OF_WILD_WILD_PATTERN: Final[dict[str, tuple[str, Struct]]] = {
    "shoot": ("client", client.Act(id=1, version=6, key=b"k", action=wwp.Shoot(3, clicked=True))),
    "declare": ("client", client.Act(id=2, version=7, key=b"l", action=wwp.Declare(_PATTERN))),
    "use": ("client", client.Act(id=3, version=9, key=b"m", action=wwp.Use(44, 5, 6))),
    "history": ("server", server.History(match="m3", version=8, events=_EVENTS)),
    "update": (
        "server",
        server.Update(match="m3", version=7, ply=6, view=_VIEW, events=[], at_ms=60_000),
    ),
    "ended": ("server", server.Ended(match="m3", outcome=_OUTCOME, seed="ef" * 32)),
}
"""Name of the golden → side and message."""
