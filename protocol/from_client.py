"""What a client may say: one frozen Struct a message, tagged by `"type"`.

Every message but `hello`, `ping`, `pong` and `bye` is a *request*: it carries an `id` of the
client's choice and gets exactly one answer (`done`, `refused` or `listing`) that carries it back.
`hello` is frozen for ever and tolerant of unknown fields; in all others they are forbidden.
"""

from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, get_args

from msgspec import Meta, Raw, Struct

from protocol.dealing import PROOF_BYTES, SEED_BYTES
from protocol.table import Clock, Filter, Pace

Id: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
SmallInt: TypeAlias = Annotated[int, Meta(ge=0, le=255)]
Title: TypeAlias = Annotated[str, Meta(max_length=200)]
Word: TypeAlias = Annotated[str, Meta(max_length=40)]
ActionKey: TypeAlias = Annotated[bytes, Meta(min_length=1, max_length=16)]

if TYPE_CHECKING:
    Unread: TypeAlias = Any
else:
    Unread = Raw
"""Words of a game: who makes the message gives the value, who reads it gets the bytes, which only
the game's own types can read (`codec.read_whole`)."""

TOKEN_BYTES: Final = 32
"""256 random bits: nobody guesses a seat."""
Token: TypeAlias = Annotated[bytes, Meta(min_length=TOKEN_BYTES, max_length=TOKEN_BYTES)]

IDENTITY_BYTES: Final = 32
Identity: TypeAlias = Annotated[bytes, Meta(min_length=IDENTITY_BYTES, max_length=IDENTITY_BYTES)]
Password: TypeAlias = Annotated[str, Meta(max_length=128)]
Secret: TypeAlias = Annotated[bytes, Meta(min_length=8, max_length=64)]
Proof: TypeAlias = Annotated[bytes, Meta(min_length=PROOF_BYTES, max_length=PROOF_BYTES)]
MAX_SAID_BYTES: Final = 60 * 1024
"""One frame takes it."""
Packed: TypeAlias = Annotated[bytes, Meta(min_length=1, max_length=MAX_SAID_BYTES)]
Seed: TypeAlias = Annotated[bytes, Meta(min_length=SEED_BYTES, max_length=SEED_BYTES)]
MinuteOfDay: TypeAlias = Annotated[int, Meta(ge=0, le=24 * 60 - 1)]
MOST_ADDRESS: Final = 120
MOST_WAITING: Final = 64
"""Matches that one `waiting` asks for."""
MOST_DAYS_OFF: Final = 365
_SECRETS: Final = ("password", "identity", "invitation", "token", "ticket", "address", "code")


class _Discreet(Struct, frozen=True):
    """Its repr, which may come into a log, shows no secret."""

    def __repr__(self) -> str:
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        hidden = {name: "***" for name in _SECRETS if fields.get(name)}
        told = (f"{name}={value!r}" for name, value in {**fields, **hidden}.items())
        return f"{type(self).__name__}({', '.join(told)})"


class Hello(_Discreet, frozen=True, kw_only=True, tag="hello"):
    """The first message. `versions`: the protocol versions that the client speaks. `identity`: what
    this server knows the player again by; None = it does not. `invitation`: the secret of one,
    which stands for the password. `changes`: an `update` may have the changed fields of a view.
    `follows`: the client goes where a `goodbye` of code `moved` leads; `ticket`: of the one that
    has led it here. Its frame of 1 KiB bounds what has no limit of its own."""

    magic: str
    versions: list[int]
    name: str
    client: str = ""
    password: str = ""
    identity: Identity | None = None
    invitation: Secret | None = None
    changes: bool = False
    follows: bool = False
    ticket: str = ""


class Ping(Struct, frozen=True, tag="ping", forbid_unknown_fields=True):
    """Answered with a `pong` of the same number."""

    n: Id = 0


class Pong(Struct, frozen=True, tag="pong", forbid_unknown_fields=True):
    n: Id = 0


class Bye(Struct, frozen=True, tag="bye", forbid_unknown_fields=True):
    """The client closes; a seat it holds is given up as with `leave`."""


class ListTables(Struct, frozen=True, kw_only=True, tag="list", forbid_unknown_fields=True):
    """A page of the lobby, and from then on its changes while the session is in the lobby."""

    id: Id
    page: Annotated[int, Meta(ge=0, le=10_000)] = 0
    filter: Filter = Filter()


class BotSeat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    seat: SmallInt
    level: Word


class CreateTable(_Discreet, frozen=True, kw_only=True, tag="create", forbid_unknown_fields=True):
    """Make a table; its maker sits down on the lowest seat that no bot has, as host.

    `options` is the game's own map and stands above what the `preset` sets. `clock`: how long each
    seat may think, None = as long as it likes. `seed`: what every match of the table is dealt from,
    for a table whose other seats all have bots; None = the server draws a new one for each.
    `hints`: whether players may ask for a `hint`, None = where nobody plays against another person.
    `pace`: as in `set_pace`. `hidden`: it is in no list, and has a longer code; `password`: what
    others must give to come to it, "" = nothing; `watchable`: people who do not play may watch.
    `duplicate`: the first match has a deal that other tables play, too: "" = a new one, or the code
    of a table that plays it, whose game, seats, preset, options, clock, hints and bots hold here;
    None = it has not.
    """

    id: Id
    game: Word
    seats: SmallInt
    title: Title = ""
    preset: Word = "standard"
    options: Annotated[dict[Word, Unread], Meta(max_length=64)] = {}
    bots: Annotated[list[BotSeat], Meta(max_length=8)] = []
    clock: Clock | None = None
    seed: Seed | None = None
    hints: bool | None = None
    pace: Pace = Pace.NORMAL
    hidden: bool = False
    password: Password = ""
    watchable: bool = True
    duplicate: Word | None = None


class Join(_Discreet, frozen=True, kw_only=True, tag="join", forbid_unknown_fields=True):
    """Sit down; `seat` None = the lowest free one. A watcher of the same table may join.
    `password`: the table's, where it has one."""

    id: Id
    table: Word
    seat: SmallInt | None = None
    password: Password = ""


class Watch(_Discreet, frozen=True, kw_only=True, tag="watch", forbid_unknown_fields=True):
    """See a table. A client that has watched its `match` before says up to which `version`.
    `password`: as in `join`."""

    id: Id
    table: Word
    match: Word = ""
    version: Id | None = None
    password: Password = ""


class Resume(_Discreet, frozen=True, kw_only=True, tag="resume", forbid_unknown_fields=True):
    """Take your seat again, from any connection. `version`: the newest of the match that you have
    seen, None = nothing."""

    id: Id
    match: Word
    token: Token
    version: Id | None = None


class ListWaiting(
    Struct,
    frozen=True,
    kw_only=True,
    tag="waiting",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """Which of these matches wait for you, and how long. `vacation`: so many days off are taken
    first, or as many as are left."""

    id: Id
    matches: Annotated[list[Word], Meta(max_length=MOST_WAITING)]
    vacation: Annotated[int, Meta(ge=0, le=MOST_DAYS_OFF)] = 0


class Notify(_Discreet, frozen=True, kw_only=True, tag="notify", forbid_unknown_fields=True):
    """Be told at an `address`, in a `language`, when it is your turn in a match of days and you are
    away: the address gets a code, and with that `code` you confirm it. `quiet`: from and to which
    minute of the day nothing is sent, UTC; empty = it always may be. `forget`: all of it. Without
    any of these you ask what the server keeps."""

    id: Id
    address: Annotated[str, Meta(max_length=MOST_ADDRESS)] = ""
    language: Word = ""
    code: Word = ""
    quiet: Annotated[list[MinuteOfDay], Meta(max_length=2)] | None = None
    forget: bool = False


class Leave(Struct, frozen=True, kw_only=True, tag="leave", forbid_unknown_fields=True):
    """Back to the lobby; gives up your seat, which a bot plays on while anybody else is there."""

    id: Id


class Kick(Struct, frozen=True, kw_only=True, tag="kick", forbid_unknown_fields=True):
    """Host: send the person of that name away from the table, for as long as it stands. A seat is
    given up as with `leave`."""

    id: Id
    name: Title


class SetBot(Struct, frozen=True, kw_only=True, tag="set_bot", forbid_unknown_fields=True):
    """Host, before a match: put a bot on a free or bot's seat, or (`level` None) take it off."""

    id: Id
    seat: SmallInt
    level: Word | None = None


class Ready(Struct, frozen=True, kw_only=True, tag="ready", forbid_unknown_fields=True):
    id: Id
    ready: bool = True


class Start(Struct, frozen=True, kw_only=True, tag="start", forbid_unknown_fields=True):
    """Host: start the match; every seat is filled and every other person ready."""

    id: Id


class Rematch(Struct, frozen=True, kw_only=True, tag="rematch", forbid_unknown_fields=True):
    """After a match: another match; it starts as soon as every seated person has asked for it."""

    id: Id


class Lead(Struct, frozen=True, kw_only=True, tag="lead", forbid_unknown_fields=True):
    """After a match: lead all who are at the table through it, to after so many of its plies; None
    = no more. Only where the `welcome` said `leads`."""

    id: Id
    ply: Id | None = None


class Act(Struct, frozen=True, kw_only=True, tag="act", forbid_unknown_fields=True):
    """`version`: of the view that the wish was made on. `key`: new for every new wish."""

    id: Id
    version: Id
    key: ActionKey
    action: Unread


class TakeBack(Struct, frozen=True, kw_only=True, tag="take_back", forbid_unknown_fields=True):
    """Undo your newest action, as long as nobody has acted since. `version` and `key` as in
    `act`."""

    id: Id
    version: Id
    key: ActionKey


class Say(Struct, frozen=True, kw_only=True, tag="say", forbid_unknown_fields=True):
    """To everybody at the table: a `phrase` (of `protocol.table.Phrase`), or a `text`, which the
    server looks at only when there is no phrase."""

    id: Id
    text: str = ""
    phrase: Word = ""


class Settle(Struct, frozen=True, kw_only=True, tag="settle", forbid_unknown_fields=True):
    """Host, before the first match: other rules, as in `create`; everybody says again whether they
    are ready. Only where the `table` says `hushed`."""

    id: Id
    preset: Word
    options: Annotated[dict[Word, Unread], Meta(max_length=64)] = {}
    clock: Clock | None = None
    watchable: bool = True


class Hush(Struct, frozen=True, kw_only=True, tag="hush", forbid_unknown_fields=True):
    """Host: those who watch may say nothing here, or may again; only where the `table` says
    `hushed`."""

    id: Id
    watchers: bool = True


class Unsay(Struct, frozen=True, kw_only=True, tag="unsay", forbid_unknown_fields=True):
    """Host: take line `n` of the chat away; only where the `table` says `hushed`."""

    id: Id
    n: Id


class Back(Struct, frozen=True, kw_only=True, tag="back", forbid_unknown_fields=True):
    """Play your seat again, after your time was up or you handed it over, and a bot has played it.
    An `act` or a `take_back` says so, too."""

    id: Id


class Hint(Struct, frozen=True, kw_only=True, tag="hint", forbid_unknown_fields=True):
    """Ask what a strong bot would do in your seat; everybody at the table is told that you did."""

    id: Id


class SetPace(Struct, frozen=True, kw_only=True, tag="set_pace", forbid_unknown_fields=True):
    """Host: how fast bots act from now on, as long as one person plays alone against them."""

    id: Id
    pace: Pace


class Invite(Struct, frozen=True, kw_only=True, tag="invite", forbid_unknown_fields=True):
    """Host: an invitation to this table, which holds for some time and no longer than the table
    stands; only where the `welcome` said `invites`."""

    id: Id


class Hurry(Struct, frozen=True, kw_only=True, tag="hurry", forbid_unknown_fields=True):
    """Alone against bots: let them act at once until it is your turn, or to the end where a bot
    plays your seat."""

    id: Id


class HandOver(Struct, frozen=True, kw_only=True, tag="hand_over", forbid_unknown_fields=True):
    """Alone against bots: let a bot play your seat to the end, in the time that bots take, until
    you play again by an `act`, a `take_back` or a `back`."""

    id: Id


class GetRecord(
    Struct,
    frozen=True,
    kw_only=True,
    tag="get_record",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """After a match at your table: its record, in `record` messages before the `done`. `proof`: as
    `record_proof` makes it, for who was not there."""

    id: Id
    match: Word
    proof: Proof | None = None


class Annotate(Struct, frozen=True, kw_only=True, tag="annotate", forbid_unknown_fields=True):
    """Hand over what you say of a match that you played, for those who come for its record with a
    proof: the fields `comments` and `review` of RECORDS.md, packed by zlib. It replaces what you
    said before. Only where the `welcome` said `annotates`."""

    id: Id
    match: Word
    said: Packed


Request: TypeAlias = (
    ListTables
    | CreateTable
    | Join
    | Watch
    | Resume
    | Leave
    | Kick
    | SetBot
    | Ready
    | Start
    | Rematch
    | Lead
    | Act
    | TakeBack
    | Say
    | Back
    | Hint
    | SetPace
    | Hurry
    | HandOver
    | Invite
    | GetRecord
    | Annotate
    | Settle
    | Hush
    | Unsay
    | ListWaiting
    | Notify
)
FromClient: TypeAlias = Hello | Ping | Pong | Bye | Request

FROM_CLIENT: tuple[type[FromClient], ...] = get_args(FromClient)
