"""One message of every kind, all fields set: the golden frames hold these.

python -m tests.stage.samples    writes the goldens, after a wanted change of shape
"""

from pathlib import Path
from typing import Final

from msgspec import Struct

from protocol import from_client as client, from_server as server
from protocol.codec import encode_frame
from protocol.games import (
    Switch,
    architetti_attenti as aa,
    clocktowers as ct,
    wild_wild_pattern as wwp,
)
from protocol.games.architetti_attenti.board import MEADOW, with_tile
from protocol.games.wild_wild_pattern.cards import Direction, Fault, Pattern
from protocol.invitation import Invitation, Place, encode
from protocol.table import (
    Bank,
    Filter,
    Pace,
    PerTurn,
    Running,
    SeatInfo,
    SeatKind,
    TableInfo,
    TablePhase,
)

GOLDENS: Final = Path(__file__).parents[1] / "protocol" / "goldens"

_TABLE: Final = TableInfo(
    table="K7QX",
    game="clocktowers",
    title="Ann's table",
    phase=TablePhase.PLAYING,
    seats=[
        SeatInfo(kind=SeatKind.HUMAN, name="Ann", ready=True),
        SeatInfo(kind=SeatKind.BOT, name="Wren", level="normal", ready=True, away=True),
        SeatInfo(kind=SeatKind.HUMAN, name="Cleo", dropped=True, timed_out=True),
    ],
    host=0,
    preset="standard",
    options={"first_heights": [1, 2], "ladder": "own"},
    watchers=3,
    age_s=61,
    matches=2,
    clock=Bank(300, 10),
    seeded=True,
    hints=True,
    deal="A",
    deal_tables=3,
    deal_done=2,
)

_CLOCKTOWERS_VIEW: Final = ct.View(
    seat=0,
    turn=0,
    phase=ct.Phase.PLAY,
    hand=bytes((2, 9)),
    hands=bytes((2, 3)),
    piles=bytes((1, 0, 12)),
    left=bytes((7, 0, 3)),
    towns=[ct.Town([bytes((2, 8))], bytes((0,))), ct.Town([bytes((4, 7, 9))], bytes((5,)))],
    ladder=[bytes((8, 6, 6, 6, 6))],
    points=bytes((0, 5)),
    thrown=bytes((1, 0)),
    discards=bytes((3,)),
    legal=[
        ct.Choice(ct.Play(2, None), 1),
        ct.Choice(ct.Play(9, 0), 1, 3, 2),
        ct.Choice(ct.Discard(2)),
        ct.Choice(ct.Draw(2)),
    ],
    known=[bytes((2,)), bytes((2, 3, 8))],
    shown=[bytes((3,)), b""],
    removed=bytes((1, 2, 3, 4, 5, 9, 10, 11)),
)

_EVENTS: Final = [
    ct.Dealt(1, bytes((1, 7, 9)), bytes((19, 16, 17)), ct.Options(first_seat=1)),
    ct.Played(0, 9, 2, 1),
    ct.Completed(0, 2, 9, 1, 4, 2),
    ct.Discarded(1),
    ct.YouDiscarded(3),
    ct.Drew(1, 2, 13, 0),
]

_SAID: Final = server.Said(n=7, name="Ann", seat=0, text="hello", phrase="hello")

INVITATION: Final = encode(
    Invitation((Place("192.168.1.5", 7777),), bytes(range(12)), bytes(range(100, 116)), "K7QX")
)

FROM_CLIENT: Final[tuple[Struct, ...]] = (
    client.Hello(
        magic="clocktowers",
        versions=[1],
        name="Ann",
        client="example 1.0",
        password="tower",
        identity=bytes(range(32)),
        invitation=bytes(range(12)),
        changes=True,
        follows=True,
        ticket="pQ",
    ),
    client.Ping(n=7),
    client.Pong(n=7),
    client.Bye(),
    client.ListTables(
        id=1,
        page=2,
        filter=Filter(game="clocktowers", phase=TablePhase.WAITING, free_seat=True, text="ann"),
    ),
    client.CreateTable(
        id=2,
        game="clocktowers",
        seats=3,
        title="Ann's table",
        preset="italian",
        options={"ladder": "own", "first_seat": 0},
        bots=[client.BotSeat(2, "random")],
        clock=PerTurn(60),
        seed=bytes(range(32)),
        hints=True,
        pace=Pace.FAST,
        hidden=True,
        password="bell",
        watchable=False,
        duplicate="M3PT",
    ),
    client.Join(id=3, table="K7QX", seat=1, password="bell"),
    client.Watch(id=4, table="K7QX", match="m1", version=7, password="bell"),
    client.Resume(id=5, match="m1", token=bytes(range(32)), version=7),
    client.Leave(id=5),
    client.Kick(id=5, name="Bob"),
    client.SetBot(id=6, seat=1, level="easy"),
    client.Ready(id=7, ready=False),
    client.Start(id=8),
    client.Rematch(id=9),
    client.Lead(id=9, ply=41),
    client.Act(id=10, version=4, key=bytes(range(8)), action=ct.Play(2, None)),
    client.TakeBack(id=11, version=5, key=bytes(range(8, 16))),
    client.Say(id=12, text="hello", phrase="good_luck"),
    client.Back(id=12),
    client.Hint(id=13),
    client.SetPace(id=14, pace=Pace.AT_ONCE),
    client.Hurry(id=15),
    client.HandOver(id=16),
    client.Invite(id=17),
    client.GetRecord(id=18, match="m1", proof=bytes(range(12))),
    client.Annotate(id=18, match="m1", said=b"x"),
    client.Settle(
        id=19, preset="italian", options={"ladder": "own"}, clock=PerTurn(60), watchable=False
    ),
    client.Hush(id=19, watchers=False),
    client.Unsay(id=20, n=7),
    client.ListWaiting(id=21, matches=["6f1d0a9c35e2b874", "m3"], vacation=7),
    client.Notify(
        id=22, address="ann", language="it", code="123456", quiet=[1260, 420], forget=True
    ),
)

FROM_SERVER: Final[tuple[Struct, ...]] = (
    server.Welcome(
        version=1,
        name="Ann 2",
        server="Tower Street",
        games=["clocktowers"],
        levels=["random", "easy"],
        invites=True,
        leads=True,
        annotates=True,
        notifies=True,
        nodes=["192.0.2.2:7777"],
    ),
    server.Goodbye(code="version", params={"versions": [1]}),
    server.ServerPing(n=8),
    server.ServerPong(n=8),
    server.Done(
        id=10,
        version=5,
        table="K7QX",
        name="Ann",
        action=ct.Play(2, None),
        plan=ct.Discard(2),
        invitation=INVITATION,
        page="https://192.0.2.7:7777/#04106105GM4GM1GM42GG-K7QM",
        told=server.Told(
            kinds=["ntfy", "named"],
            address="ann",
            confirmed=True,
            quiet=[1260, 420],
            fails="refused",
        ),
    ),
    server.Refused(id=11, code="stale", params={"version": 5}, version=5),
    server.Listing(id=1, tables=[_TABLE], page=0, total=1),
    server.LobbyChanged(changed=[_TABLE], gone=["B4ND"], total=1),
    server.AtTable(
        info=_TABLE,
        seat=0,
        watching=["Wim"],
        leader=server.Leader(match="m1", seat=2, ply=41),
        hushed=True,
        asked_back=server.AskedBack(12, (0, 2)),
    ),
    server.LeftTable(table="K7QX", code="closed"),
    server.Started(match="m1", table="K7QX", game="clocktowers", sha256="ab" * 32),
    server.SeatToken(match="m1", seat=0, token=bytes(range(32))),
    server.History(match="m1", version=3, events=_EVENTS, taken_back=1, by_bot=[1, 2]),
    server.Update(
        match="m1",
        version=5,
        ply=5,
        view=_CLOCKTOWERS_VIEW,
        events=_EVENTS[:1],
        taken_back=2,
        revocable=0,
        clock=Running(0, 41250, (41250, 300000)),
        skipped=3,
        at_ms=48200,
        changed={"phase": ct.Phase.DRAW},
    ),
    server.Ended(
        match="m1",
        outcome=ct.Outcome((9, 7), (0,), ct.DecidedBy.POINTS),
        seed="cd" * 32,
        aborted=True,
    ),
    server.Notice(code="joined", params={"name": "Ann", "seat": 0}),
    _SAID,
    server.ChatHistory([_SAID, server.Said(n=8, name="Wim", phrase="nice_move")]),
    server.RecordPart(match="m1", part=bytes(range(16)), more=True),
    server.Ranking(
        match="m1",
        deal="A",
        seed="00" * 32,
        tables=[
            server.RankedTable(
                table="K7QX", names=["Ann", "Wren"], scores=[61, 47], points=[2, 0], apart=True
            ),
        ],
    ),
    server.WaitingList(
        id=21,
        matches=[server.DueMatch("m3", yours=True, left_s=172_800, over=True)],
        away_until=1_796_000_000,
        unknown=["m4"],
    ),
)

_ATTENTI_VIEW: Final = aa.View(
    seat=1,
    turn=1,
    phase=aa.Phase.PLACE,
    row=bytes((11, 0, 2, 15)),
    on_row=bytes((1, 0, 0, 3)),
    left=41,
    tile=12,
    boards=[with_tile(MEADOW, 11, 25, 18), with_tile(MEADOW, 1, 16, 17)],
    gems=bytes((4, 6)),
    discarded=[b"", bytes((1, 9))],
    blocks=aa.Blocks.ALL,
    parks=aa.Parks.HOUSES,
    rails=aa.Rails.STRETCH,
    end=aa.End.ROW,
    removed=bytes((2, 10)),
)

_ATTENTI_EVENTS: Final = [
    aa.Dealt(1, bytes((11, 4, 1, 11)), 44, aa.Options(first_seat=1)),
    aa.Bought(0, 3, 12, 2, 1),
    aa.Placed(0, 12, 11, 12),
    aa.Discarded(1, 9),
    aa.Revealed(2),
]

OF_ARCHITETTI_ATTENTI: Final[dict[str, tuple[str, Struct]]] = {
    "buy": ("client", client.Act(id=1, version=6, key=b"k", action=aa.Buy(3))),
    "place": ("client", client.Act(id=2, version=7, key=b"l", action=aa.Place(11, 12))),
    "history": ("server", server.History(match="m2", version=8, events=_ATTENTI_EVENTS)),
    "update": (
        "server",
        server.Update(match="m2", version=7, ply=7, view=_ATTENTI_VIEW, events=[]),
    ),
    "ended": (
        "server",
        server.Ended(
            match="m2",
            outcome=aa.Outcome(
                (9, 21),
                (aa.Parts(1, 2, 1, 2, 3, 0), aa.Parts(houses=6, shops=5, schools=10)),
                (1,),
                aa.DecidedBy.POINTS,
            ),
            seed="cd" * 32,
        ),
    ),
}
"""A game's own words in the same messages: name of the golden → side and message."""

_RACE_OPTIONS: Final = wwp.Options(
    mode=wwp.Mode.VIVO,
    played_in_pair=wwp.PlayedInPair.FREE,
    five_colours=wwp.FiveColours.PAY,
    race_limit_s=90,
    lag=Switch.OFF,
    practice=Switch.ON,
    choice_limit=Switch.OFF,
)
_PATTERN: Final = Pattern(Direction.BEFORE, 7, 11)
_WHEEL: Final = bytes((32, 19, 39, 13, 4, 37, 21, 10))
_VISITS: Final = (
    wwp.Visit(0, bytes((11, 13)), 2, 40, 140),
    wwp.Visit(1, b"", 6, 0, 0, eliminated=True),
)
_RACE_OUTCOME: Final = wwp.Outcome((310, 300), (0,), wwp.DecidedBy.MONEY)

_RACE_EVENTS: Final = [
    wwp.RoundBegan(1, bytes((3, 6)), bytes(range(1, 9)), 38, bytes((41,)), _RACE_OPTIONS),
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

_RACE_VIEW: Final = wwp.View(
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
    outcome=_RACE_OUTCOME,
    options=_RACE_OPTIONS,
)

OF_WILD_WILD_PATTERN: Final[dict[str, tuple[str, Struct]]] = {
    "shoot": ("client", client.Act(id=1, version=6, key=b"k", action=wwp.Shoot(3, clicked=True))),
    "declare": ("client", client.Act(id=2, version=7, key=b"l", action=wwp.Declare(_PATTERN))),
    "use": ("client", client.Act(id=3, version=9, key=b"m", action=wwp.Use(44, 5, 6))),
    "history": ("server", server.History(match="m3", version=8, events=_RACE_EVENTS)),
    "update": (
        "server",
        server.Update(match="m3", version=7, ply=6, view=_RACE_VIEW, events=[], at_ms=60_000),
    ),
    "ended": ("server", server.Ended(match="m3", outcome=_RACE_OUTCOME, seed="ef" * 32)),
}

OF_GAMES: Final = {
    "architetti_attenti": OF_ARCHITETTI_ATTENTI,
    "wild_wild_pattern": OF_WILD_WILD_PATTERN,
}
"""All games but Clocktowers, whose words stand in the messages above."""


def golden_path(side: str, message: Struct) -> Path:
    """Where the golden frame of a message from `side` lies."""
    return GOLDENS / f"{side}_{message.__struct_config__.tag}.hex"


def golden_of_a_game(game: str, name: str) -> Path:
    """Where the golden frame of a game's own words lies."""
    return GOLDENS / f"{game}_{name}.hex"


def golden_frames(side: str) -> list[bytes]:
    """All golden frames from one side, in the order of their files' names."""
    return [bytes.fromhex(path.read_text()) for path in sorted(GOLDENS.glob(f"{side}_*.hex"))]


def lines(frame: bytes) -> str:
    """A frame as hex, 32 bytes a line."""
    return "".join(frame[start : start + 32].hex() + "\n" for start in range(0, len(frame), 32))


if __name__ == "__main__":
    for side, messages in (("client", FROM_CLIENT), ("server", FROM_SERVER)):
        for message in messages:
            golden_path(side, message).write_text(lines(encode_frame(message)))
    for game, messages_of in OF_GAMES.items():
        for name, (_side, message) in messages_of.items():
            golden_of_a_game(game, name).write_text(lines(encode_frame(message)))
