"""What the server may say: one frozen Struct a message, tagged by `"type"`.

A client ignores fields it doesn't know, so that fields can be added without a new version.
"""

from enum import StrEnum
from typing import Any, Final, TypeAlias, get_args

from msgspec import Struct

from protocol.errors import Param
from protocol.table import Running, TableInfo


class Welcome(Struct, frozen=True, kw_only=True, tag="welcome"):
    """Answer to `hello`. `version`: the version that both speak from now on; `name`: the name by
    which the server knows the player, which differs from the wish when that was taken. `invites`:
    whether the host of a table may ask for an invitation (`invite`). `leads`: whether a player may
    lead their table through a match (`lead`); `annotates`: whether the server takes what is said of
    one (`annotate`); `notifies`: whether it tells players who are away (`notify`). `nodes`: where
    players dial the servers that have one lobby with this one, this one among them."""

    version: int
    name: str
    server: str = ""
    games: list[str] = []
    levels: list[str] = []
    invites: bool = False
    leads: bool = False
    annotates: bool = False
    notifies: bool = False
    nodes: list[str] = []


class Goodbye(Struct, frozen=True, tag="goodbye"):
    """The server closes, and why (`GoodbyeCode`)."""

    code: str
    params: dict[str, Param] = {}


class ServerPing(Struct, frozen=True, tag="ping"):
    n: int = 0


class ServerPong(Struct, frozen=True, tag="pong"):
    n: int = 0


class Told(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the server tells the player that it is their turn; `address` "" = nowhere. `confirmed`:
    whether the player has said the code that it sent there. `quiet`: as in `Notify`, empty =
    never. `fails`: why nothing is sent there any more (`Unsent`), "" = it is. `kinds` of addresses
    that it takes (`AddressKind`)."""

    kinds: list[str]
    address: str = ""
    confirmed: bool = False
    quiet: list[int] = []
    fails: str = ""


class AddressKind(StrEnum):
    """`named`: a name that the operator's own program knows."""

    NTFY = "ntfy"
    MAIL = "mail"
    MATRIX = "matrix"
    NAMED = "named"


class Unsent(StrEnum):
    """Why an address was not reached: nobody there has answered, or they have said no."""

    SILENT = "silent"
    REFUSED = "refused"


class Done(Struct, frozen=True, kw_only=True, tag="done", omit_defaults=True):
    """The request is fulfilled. `version`: an action's place in the journal; `table`: the code of
    the table that was created, joined, watched or come back to; `name`: after a `resume`, what the
    player is called from now on. After a `hint`, `version` is the one that it is for, and `action`
    the action that it names; None = let the others go on; `plan`: the action of the player's that
    it means to follow. `invitation`: after an `invite`, the
    line; `page`: the same as a web address, "" = the server has no page for browsers. `told`: after
    a `notify`."""

    id: int
    version: int | None = None
    table: str = ""
    name: str = ""
    action: Any = None
    plan: Any = None
    invitation: str = ""
    page: str = ""
    told: Told | None = None


class Refused(Struct, frozen=True, kw_only=True, tag="refused", omit_defaults=True):
    """The request is impossible and nothing has changed. `version`: the newest that the seat was
    told of."""

    id: int
    code: str
    params: dict[str, Param] = {}
    version: int | None = None


class Listing(Struct, frozen=True, kw_only=True, tag="listing"):
    """Answer to `list`: a page; `total` counts all tables that pass the filter."""

    id: int
    tables: list[TableInfo]
    page: int
    total: int


class DueMatch(Struct, frozen=True, array_like=True):
    """A match that is played here, named as it was asked for. `yours`: your action is due, for so
    long, None = as long as you like. `over`: you may see how it ended."""

    match: str
    yours: bool = False
    left_s: int | None = None
    over: bool = False


class WaitingList(Struct, frozen=True, kw_only=True, tag="waiting"):
    """Answer to `waiting`: of the matches that were asked for those that are played here.
    `away_until`: when your vacation ends, in seconds since 1970, 0 = you have none now. `unknown`:
    those of which nothing is known now, since their machine does not answer."""

    id: int
    matches: list[DueMatch]
    away_until: int = 0
    unknown: list[str] = []


class LobbyChanged(Struct, frozen=True, kw_only=True, tag="lobby"):
    """To sessions in the lobby that have asked for a `list`: the tables that pass their filter and
    are new or different, and the codes of tables that are gone or pass no more."""

    changed: list[TableInfo]
    gone: list[str]
    total: int


class Leader(Struct, frozen=True, kw_only=True):
    """Who leads the table through its `match`, which is over: the player of this `seat`, who looks
    at it after so many plies."""

    match: str
    seat: int
    ply: int


class AskedBack(Struct, frozen=True):
    """At a table of days: these seats, the one whose action it is first, wish that the action which
    led to this version is taken back."""

    version: int
    seats: tuple[int, ...]


class AtTable(Struct, frozen=True, kw_only=True, tag="table", omit_defaults=True):
    """The whole table where the client sits or watches, whenever it changes. `seat` None =
    watching. `watching`: the names of all watchers, of very many those of the newest. `leader` None
    = nobody leads. `hushed`: whether watchers may say nothing; None = a server that cannot `hush`,
    `unsay` and `settle`. `asked_back` None = nobody asks.
    """

    info: TableInfo
    seat: int | None = None
    watching: list[str] = []
    leader: Leader | None = None
    hushed: bool | None = None
    asked_back: AskedBack | None = None


class LeftTable(Struct, frozen=True, tag="left"):
    """The server took the client away from the table (`TableGone`) and back to the lobby."""

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
    """To the seat alone: the secret that takes it again (`resume`), instead of the secret
    before."""

    match: str
    seat: int
    token: bytes


class History(Struct, frozen=True, kw_only=True, tag="history", omit_defaults=True):
    """A page of what a late client missed: the events addressed to it, in order; the last of them
    reaches `version`. More pages, then an `update`, follow.

    `taken_back`: how many of the newest events that the client was sent before no longer stand.
    `by_bot`: which of `events`, counted from 0, are of actions that a bot did for this player.
    """

    match: str
    version: int
    events: list[Any]
    taken_back: int = 0
    by_bot: list[int] = []


class Update(Struct, frozen=True, kw_only=True, tag="update", omit_defaults=True, gc=False):
    """The view at `version`, and the events since the last view that led to it.

    `ply`: actions that stand so far. `taken_back`: how many of the newest events sent before no
    longer stand; `events` come after what is left. `revocable`: the seat that may `take_back` now.
    `clock`: how much time is left, where there is a clock and a seat is to act. `skipped`: how many
    updates before this one were left out, events and all, because a watcher's connection was slow.
    `at_ms`: the match time at which it was sent, in games whose view has deadlines in match time.
    `changed`: in place of `view`, the fields that differ from the view in the update before; only
    for a client whose `hello` asked for `changes`.
    """

    match: str
    version: int
    ply: int
    view: Any = None
    events: list[Any]
    taken_back: int = 0
    revocable: int | None = None
    clock: Running | None = None
    skipped: int = 0
    at_ms: int = 0
    changed: dict[str, Any] | None = None


class Ended(Struct, frozen=True, kw_only=True, tag="ended", omit_defaults=True):
    """The match is over, with the game's own `outcome`, or None if an error of the server `aborted`
    it. `seed` in hex: anybody can deal the deck again from it; "" where other tables may still play
    this deal: a `ranking` has it."""

    match: str
    outcome: Any = None
    seed: str = ""
    aborted: bool = False


class RankedTable(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`names`, `scores` and `points` by seat. `points`: of a person 2 for each table where the same
    seat has a lower score and 1 for each where it has the same; of a bot 0. `apart`: a bot made
    moves for a person, so the table is ranked with no other: all `points` are 0."""

    table: str
    names: list[str]
    scores: list[int]
    points: list[int]
    apart: bool = False


class Ranking(Struct, frozen=True, kw_only=True, tag="ranking"):
    """All tables of the `deal` are done, the best first, those `apart` last. `match`: the
    receiver's; its `seed` in hex, and its record, are open to all from now on."""

    match: str
    deal: str
    seed: str
    tables: list[RankedTable]


RECORD_PART_BYTES: Final = 32 * 1024
"""Half of what a client reads as one message."""


class RecordPart(Struct, frozen=True, kw_only=True, tag="record", omit_defaults=True):
    """The record of a match that is over, or a part of it: the line of RECORDS.md, packed by zlib
    and cut into parts of at most RECORD_PART_BYTES. `more`: another part follows."""

    match: str
    part: bytes
    more: bool = False


class NoticeCode(StrEnum):
    """What happened at the table beside the game. Parameters: name, and seat where it fits; who
    came back after the connection was lost has been away for `away_s` seconds, 0 = unknown."""

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
    ASKED_BACK = "asked_back"
    ASKED_FOR_HINT = "asked_for_hint"
    SERVER_STOPS = "server_stops"
    SERVER_CAME_BACK = "server_came_back"
    DISK_FAILS = "disk_fails"
    DISK_WORKS = "disk_works"
    WENT_BACK = "went_back"
    RECORD_KEPT = "record_kept"
    EXPELLED = "expelled"
    OPERATOR_SAYS = "operator_says"
    DRAINING = "draining"
    DRAIN_CANCELLED = "drain_cancelled"
    ADDRESS_OFF = "address_off"


TO_ALL: Final = frozenset(
    {
        *(NoticeCode.OPERATOR_SAYS, NoticeCode.DRAINING, NoticeCode.DRAIN_CANCELLED),
        NoticeCode.ADDRESS_OFF,
    }
)
"""Said to people wherever they are on the server, at a table or not."""


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
    """The table's newest chat lines, oldest first, to a client that comes or comes back; before the
    first `table`. Not sent where nothing was said."""

    lines: list[Said]


FromServer: TypeAlias = (
    Welcome
    | Goodbye
    | ServerPing
    | ServerPong
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
    | RecordPart
    | Ranking
    | WaitingList
)
FROM_SERVER: tuple[type[FromServer], ...] = get_args(FromServer)
