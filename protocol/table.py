"""What both sides say of a table: how it is listed, its clock, its chat, the pace of its bots."""

from enum import StrEnum
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct


class Pace(StrEnum):
    """Changes only when a bot's action is shown, never which one."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    AT_ONCE = "at_once"


# A table's chat: how long a line may be, and the phrases that clients word themselves.


MAX_CHAT_CHARACTERS: Final = 500
"""For a line, after cleaning: 2 kB at most."""

MAX_RAW_CHARACTERS: Final = 4 * MAX_CHAT_CHARACTERS
"""Before cleaning: a longer line is not worth the work of looking through it."""

HISTORY_LINES: Final = 50
HISTORY_BYTES: Final = 16 * 1024
"""What a newcomer is told at most; a quarter of a frame."""


class Phrase(StrEnum):
    """Lines so common that each takes one key; a phrase travels as a code, in no language."""

    HELLO = "hello"
    GOOD_LUCK = "good_luck"
    NICE_MOVE = "nice_move"
    THANKS = "thanks"
    SORRY = "sorry"
    ONE_MOMENT = "one_moment"
    BACK = "back"
    HURRY_UP = "hurry_up"
    GOOD_GAME = "good_game"
    BYE = "bye"


TAKEN_AWAY: Final = "taken_away"
"""Stands instead of a line that the host took away; nobody can say it."""


# How long the seats of a match may think: a table's setting, and the clock as it runs.


class PerTurn(Struct, frozen=True, tag_field="kind", tag="turn", forbid_unknown_fields=True):
    """So many seconds for each turn, however many actions it has."""

    turn_s: Annotated[int, Meta(ge=1, le=3600)]


class Bank(Struct, frozen=True, tag_field="kind", tag="bank", forbid_unknown_fields=True):
    """So many seconds for all turns of a match together, and some more with the beginning of each
    turn."""

    bank_s: Annotated[int, Meta(ge=1, le=7200)]
    increment_s: Annotated[int, Meta(ge=0, le=600)] = 0


DAY_S: Final = 86_400


class Late(StrEnum):
    """What becomes of a seat whose days have gone by: a bot plays that turn, or the seat loses and
    the match is over, or the others wait."""

    BOT = "bot"
    LOSE = "lose"
    WAIT = "wait"


class Days(Struct, frozen=True, tag_field="kind", tag="days", forbid_unknown_fields=True):
    """So many days for each turn, however few people are connected meanwhile. `late` None: as
    most would have it for the number of seats."""

    days: Literal[1, 3, 7]
    late: Late | None = None

    def late_of(self, seats: int) -> Late:
        return self.late or (Late.LOSE if seats == 2 else Late.BOT)


Clock: TypeAlias = PerTurn | Bank | Days


class Running(Struct, frozen=True, array_like=True, gc=False):
    """The clock at the moment of sending: `seat` is to act and has `left_ms`. `banks_ms`: what
    every seat has left, by seat; empty where there are no banks."""

    seat: int
    left_ms: int
    banks_ms: tuple[int, ...] = ()


# A table as the lobby and the people at it see it.


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
    `handed_over`: a person who is there and lets a bot play to the end, or until they play on.
    `away_until`: at a table of days when the vacation of its person ends, in seconds since 1970."""

    kind: SeatKind
    name: str = ""
    level: str = ""
    ready: bool = False
    away: bool = False
    dropped: bool = False
    timed_out: bool = False
    handed_over: bool = False
    away_until: int = 0


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
