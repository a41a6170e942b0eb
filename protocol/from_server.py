"""What the server may say: one frozen Struct a message, tagged by `"type"`.

A client ignores fields it doesn't know, so that fields can be added without a new version.
"""

from enum import StrEnum
from typing import Any, TypeAlias, get_args

from msgspec import Struct

from protocol.clock import Running
from protocol.listing import TableInfo
from protocol.refusal import Param


class Welcome(Struct, frozen=True, kw_only=True, tag="welcome"):
    """Answer to `hello`. `version` is the one both speak from now on; `name` the one that the
    server knows the player by, which differs from the wish when that was taken."""

    version: int
    name: str
    server: str = ""
    games: list[str] = []
    levels: list[str] = []


class Goodbye(Struct, frozen=True, tag="goodbye"):
    """The server closes, and why (`GoodbyeCode`)."""

    code: str
    params: dict[str, Param] = {}


class Ping(Struct, frozen=True, tag="ping"):
    n: int = 0


class Pong(Struct, frozen=True, tag="pong"):
    n: int = 0


class Done(Struct, frozen=True, kw_only=True, tag="done", omit_defaults=True):
    """The request is fulfilled. `version`: an action's place in the journal; `table`: the code of
    the table that was created, joined, watched or come back to; `name`: after a `resume`, what the
    player is called from now on."""

    id: int
    version: int | None = None
    table: str = ""
    name: str = ""


class Refused(Struct, frozen=True, kw_only=True, tag="refused", omit_defaults=True):
    """The wish is impossible and nothing has changed. `version`: the match's newest."""

    id: int
    code: str
    params: dict[str, Param] = {}
    version: int | None = None


class Listing(Struct, frozen=True, kw_only=True, tag="listing"):
    """Answer to `list`: one page; `total` counts all tables that pass the filter."""

    id: int
    tables: list[TableInfo]
    page: int
    total: int


class LobbyChanged(Struct, frozen=True, kw_only=True, tag="lobby"):
    """To sessions in the lobby that have asked for a `list`: the tables that pass their filter
    and are new or different, and the codes of those that are gone or pass no more."""

    changed: list[TableInfo]
    gone: list[str]
    total: int


class AtTable(Struct, frozen=True, kw_only=True, tag="table", omit_defaults=True):
    """The table one sits at or watches, whole, whenever it changes. `seat` None = watching.
    `watching`: the names of all who do."""

    info: TableInfo
    seat: int | None = None
    watching: list[str] = []


class LeftTable(Struct, frozen=True, tag="left"):
    """The server took one away from the table (`TableGone`); one is in the lobby again."""

    table: str
    code: str


class TableGone(StrEnum):
    CLOSED = "closed"
    KICKED = "kicked"


class Started(Struct, frozen=True, kw_only=True, tag="started"):
    """A match begins. `sha256`: of the seed that `ended` will reveal, in hex."""

    match: str
    table: str
    game: str
    sha256: str


class SeatToken(Struct, frozen=True, kw_only=True, tag="token"):
    """To nobody but the seat: the secret by which it is taken again (`resume`), instead of the one
    before it."""

    match: str
    seat: int
    token: bytes


class History(Struct, frozen=True, kw_only=True, tag="history", omit_defaults=True):
    """A page of what somebody who came later missed: the events addressed to them, in order;
    `version` is reached with the last of them. More pages, then an `update`, follow.

    `taken_back`: so many of the newest events that they had been sent before stand no more.
    """

    match: str
    version: int
    events: list[Any]
    taken_back: int = 0


class Update(Struct, frozen=True, kw_only=True, tag="update", omit_defaults=True):
    """The view at `version`, and the events since the last one that led to it.

    `ply`: actions that stand so far. `taken_back`: so many of the newest events sent before stand
    no more; `events` come after what is left. `revocable`: the seat that may `take_back` now.
    `clock`: how much time is left, where there is a clock and somebody is to act.
    `skipped`: so many updates before this one were left out, events and all, because the line of a
    watcher was slow. `at_ms`: the match time at which it was sent, in games where the view has
    deadlines in match time.
    """

    match: str
    version: int
    ply: int
    view: Any
    events: list[Any]
    taken_back: int = 0
    revocable: int | None = None
    clock: Running | None = None
    skipped: int = 0
    at_ms: int = 0


class Ended(Struct, frozen=True, kw_only=True, tag="ended", omit_defaults=True):
    """The match is over, with the game's own `outcome`, or None if it was `aborted` by an error
    of the server. `seed` in hex: the deck is dealt again from it by whoever doubts."""

    match: str
    outcome: Any = None
    seed: str = ""
    aborted: bool = False


class NoticeCode(StrEnum):
    """What happened at the table beside the game. Parameters: name, and where it fits seat."""

    JOINED = "joined"
    LEFT = "left"
    DROPPED = "dropped"
    KICKED = "kicked"
    TIMED_OUT = "timed_out"
    BOT_TOOK_OVER = "bot_took_over"
    CAME_BACK = "came_back"
    WATCHING = "watching"
    STOPPED_WATCHING = "stopped_watching"
    HOST = "host"
    WANTS_REMATCH = "wants_rematch"
    TOOK_BACK = "took_back"
    SERVER_STOPS = "server_stops"
    SERVER_CAME_BACK = "server_came_back"
    DISK_FAILS = "disk_fails"
    DISK_WORKS = "disk_works"


class Notice(Struct, frozen=True, tag="notice"):
    """A line for the table's log."""

    code: str
    params: dict[str, Param] = {}


class Said(Struct, frozen=True, kw_only=True, tag="said", omit_defaults=True):
    """A line of the table's chat, a `text` or a `phrase`. `n` counts the table's lines, from 1.
    `seat` None: said by somebody who watches."""

    n: int
    name: str
    seat: int | None = None
    text: str = ""
    phrase: str = ""


class ChatHistory(Struct, frozen=True, tag="chat"):
    """What was said at the table lately, oldest first, to somebody who comes or comes back; before
    the first `table`. Not sent where nothing was said."""

    lines: list[Said]


FromServer: TypeAlias = (
    Welcome
    | Goodbye
    | Ping
    | Pong
    | Done
    | Refused
    | Listing
    | LobbyChanged
    | AtTable
    | LeftTable
    | Started
    | SeatToken
    | History
    | Update
    | Ended
    | Notice
    | Said
    | ChatHistory
)
FROM_SERVER: tuple[type[FromServer], ...] = get_args(FromServer)
