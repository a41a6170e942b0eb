"""Messages as a server sends them about a small match, and the table that a player asks for."""

from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final

from msgspec import to_builtins

from protocol.from_client import BotSeat, CreateTable
from protocol.from_server import AtTable, Ended, Started, Update
from protocol.games.clocktowers import Discarded, Phase, Town, View
from protocol.table import SeatInfo, SeatKind, TableInfo, TablePhase

SEED: Final = bytes(range(32)).hex()
SHA256: Final = sha256(bytes(range(32))).hexdigest()


def view(turn: int | None = 0, seat: int | None = 0) -> Any:
    """A plain view, as it comes out of the envelope."""
    shown = View(
        seat=seat,
        turn=turn,
        phase=Phase.PLAY,
        hands=bytes((3, 3)),
        piles=bytes((1, 7, 9)),
        left=bytes((19, 16, 17)),
        towns=[Town([], b""), Town([], b"")],
        ladder=[bytes((6, 6, 6, 6, 6))],
        points=bytes(2),
        thrown=bytes(2),
    )
    return to_builtins(shown, builtin_types=(bytes,))


def started(match: str = "m1", sha: str = SHA256, game: str = "clocktowers") -> Started:
    return Started(match=match, table="ABCD", game=game, sha256=sha)


def update(
    version: int,
    match: str = "m1",
    discards: int = 0,
    *,
    turn: int | None = 0,
    seat: int | None = 0,
) -> Update:
    events = [to_builtins(Discarded(0)) for _ in range(discards)]
    return Update(match=match, version=version, ply=version, view=view(turn, seat), events=events)


def ended(match: str = "m1", seed: str = SEED) -> Ended:
    outcome = {"scores": [3, 1], "winners": [0], "decided_by": "points"}
    return Ended(match=match, outcome=outcome, seed=seed)


def at_table(
    *names: str,
    phase: TablePhase = TablePhase.PLAYING,
    seat: int | None = 0,
    game: str = "clocktowers",
) -> AtTable:
    seats = [SeatInfo(kind=SeatKind.HUMAN if name else SeatKind.FREE, name=name) for name in names]
    info = TableInfo(table="ABCD", game=game, title="", phase=phase, seats=seats, host=0)
    return AtTable(info=info, seat=seat, hushed=False)


def bot_table(
    bots: int,
    level: str,
    preset: str = "standard",
    options: Mapping[str, Any] = MappingProxyType({}),
    game: str = "clocktowers",
) -> CreateTable:
    """The player and that many bots of one level; `options` as they go over the wire."""
    sat = [BotSeat(seat, level) for seat in range(1, bots + 1)]
    return CreateTable(
        id=0, game=game, seats=bots + 1, preset=preset, options=dict(options), bots=sat
    )
