"""A table as the lobby and the people at it see it."""

from enum import StrEnum
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from protocol.clock import Clock

PAGE_TABLES: Final = 100
"""Tables on one page of the lobby: about 25 kB, well under a frame."""


class TablePhase(StrEnum):
    WAITING = "waiting"
    PLAYING = "playing"
    ENDED = "ended"


class Filter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which tables to list. `text`: searched for in title, code, names and the game's id with
    blanks for `_`, blind to case."""

    game: Annotated[str, Meta(max_length=40)] = ""
    phase: TablePhase | None = None
    free_seat: bool = False
    text: Annotated[str, Meta(max_length=100)] = ""


class SeatKind(StrEnum):
    FREE = "free"
    HUMAN = "human"
    BOT = "bot"


class SeatInfo(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who sits there. A bot has a `level`; but a bot that plays on for a player who is gone has
    that player's name, and `away` True. `dropped`: a person who is disconnected; the seat is held.
    `timed_out`: a person who is there and was too slow; a bot plays until they play on.
    `handed_over`: a person who is there and lets a bot play to the end, or until they play on."""

    kind: SeatKind
    name: str = ""
    level: str = ""
    ready: bool = False
    away: bool = False
    dropped: bool = False
    timed_out: bool = False
    handed_over: bool = False


class TableInfo(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table. `options` is the game's own map, whole. `age_s`: seconds since it was made. `clock`:
    how long each seat may think, None = as long as it likes. `seeded`: its host chose the deal.
    `hints`: players may ask for them. `hidden`, `watchable`: as in `create`; `locked`: it has a
    password. `deal`: what the deal is called that `deal_tables` tables play, of which `deal_done`
    are done; "" = no other table plays the same deal."""

    table: str
    game: str
    title: str
    phase: TablePhase
    seats: list[SeatInfo]
    host: int | None = None
    preset: str = ""
    options: Any = None
    watchers: int = 0
    age_s: int = 0
    matches: int = 0
    clock: Clock | None = None
    seeded: bool = False
    hints: bool = False
    hidden: bool = False
    locked: bool = False
    watchable: bool = True
    deal: str = ""
    deal_tables: int = 0
    deal_done: int = 0
