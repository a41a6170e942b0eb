"""Every setting and limit of a server: its name, least and most, meaning and default.

`server.settings` finds their values. The flags of `serve`, `serve --print-config`, docs/security.md
and all complaints about a value say what stands here.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from protocol.games.registry import LEVELS
from protocol.ids import DEFAULT_PORT
from server.speaking import N_

DOORS: Final = ("plain", "tls", "ssh", "web")
"""The ways to speak with a server."""

# Tables: a row has a name, a type with its least and most, a meaning, and the default.
# fmt: off

# Values that a least and a most do not describe: `kind` says in words what they can be.
_PORT: Final = "([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
_DOOR: Final = f"^({'|'.join(DOORS)})(={_PORT})?$"
_DOORS_KIND: Final = f"one or more of {', '.join(DOORS)}, each with =PORT where it has one"
_Port: TypeAlias = Annotated[int, Meta(ge=0, le=65535)]
_Addresses: TypeAlias = Annotated[
    tuple[str, ...], Meta(min_length=1, extra={"kind": "one address or more"})]
_Doors: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(pattern=_DOOR)], ...],
    Meta(min_length=1, extra={"kind": _DOORS_KIND})]
_Proxies: TypeAlias = Annotated[
    tuple[str, ...], Meta(extra={"kind": "addresses or blocks of addresses"})]
_Webhook: TypeAlias = Annotated[
    str, Meta(pattern="^(https?://.+)?$", extra={"kind": "a URL of http or https"})]
_Database: TypeAlias = Annotated[str, Meta(
    pattern="^(postgres(ql)?://.*)?$", extra={"kind": "a URL that begins with postgresql://"})]
_NodeName: TypeAlias = Annotated[str, Meta(
    pattern="^([A-Za-z0-9][A-Za-z0-9._-]{0,39})?$",
    extra={"kind": "a name of letters, digits, dots and dashes"})]


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one server bears. Times in seconds, sizes in bytes. An address is an IPv4 address or an
    IPv6 /64. A connection around the world takes the 150 ms of `lag_ms`; a player who slows theirs
    on purpose gains no more. A hint takes a worker 1.3 times as long as a move of the strongest
    bot."""

    connections: Annotated[int, Meta(ge=1), "connections at once"] = 2000
    arriving: Annotated[int, Meta(ge=1),
        "connections that have not begun to talk; beyond, the oldest of the address that has most "
        "of them goes"] = 500
    tables: Annotated[int, Meta(ge=1),
        "tables at once; from four fifths on, the least-used tables that stand still make room: "
        "the journal keeps their matches, and their players come back to them"] = 2000
    waiting: Annotated[int, Meta(ge=0),
        "matches of days that wait for their players, beside those tables"] = 100_000
    waiting_per_address: Annotated[int, Meta(ge=0),
        "of these, matches in which people from one address play"] = 400
    waiting_per_identity: Annotated[int, Meta(ge=0),
        "of these, matches in which people of an identity play"] = 100
    vacation_days: Annotated[int, Meta(ge=0, le=365),
        "days off that an identity has a year, which stop its clocks of days"] = 30
    per_address: Annotated[int, Meta(ge=1), "connections from one address"] = 32
    handshakes_s: Annotated[int, Meta(ge=1),
        "TLS handshakes a second, and at once; more of them wait"] = 400
    handshakes_per_address_s: Annotated[float, Meta(gt=0),
        "the same from one address, in the long run"] = 5.0
    handshakes_per_address: Annotated[int, Meta(ge=1), "the same from one address, at once"] = 32
    loopback_counts: Annotated[bool, "whether connections from this machine count, too"] = False
    tables_per_address: Annotated[int, Meta(ge=1),
        "tables at which people from one address play or that wait for them"] = 32
    tables_per_identity: Annotated[int, Meta(ge=1),
        "tables at which people of an identity play or that wait for them"] = 8
    bots_per_address: Annotated[int, Meta(ge=1), "seats of bots at the tables of one address"] = 48
    bots_per_identity: Annotated[int, Meta(ge=1),
        "seats of bots at the tables of one identity"] = 16
    expert_bots: Annotated[bool,
        "whether tables may have bots of the level `expert`, which think up to a second for each "
        "action; servers that clients start for themselves allow it"] = False
    watchers: Annotated[int, Meta(ge=0), "watchers of a table"] = 50
    tries_s: Annotated[float, Meta(gt=0),
        "wrong passwords a second from an address or of an identity, in the long run"] = 0.05
    tries_burst: Annotated[int, Meta(ge=1), "wrong passwords at once"] = 5
    guests: Annotated[int, Meta(ge=1), "guests at once, whose clients this server runs"] = 40
    guests_per_address: Annotated[int, Meta(ge=1),
        "guests from one address; the last quarter of the places is for addresses that have none"
    ] = 8
    guests_per_identity: Annotated[int, Meta(ge=1), "clients at once of a guest with one key"] = 3
    guest_idle_s: Annotated[float, Meta(gt=0),
        "seconds without a key until a guest's line ends, with a warning"] = 1800.0
    hello_s: Annotated[float, Meta(gt=0), "seconds until a connection has said who it is"] = 5.0
    frame_s: Annotated[float, Meta(gt=0), "seconds until a frame that has begun is whole"] = 10.0
    ping_s: Annotated[float, Meta(gt=0),
        "seconds of silence until the server asks whether the client is there"] = 20.0
    ping_due_s: Annotated[float, Meta(gt=0),
        "seconds of silence until a player whose action is due is asked"] = 5.0
    quiet_s: Annotated[float, Meta(gt=0),
        "seconds of silence of a player whose action is due, until the others are told and the "
        "grace begins"] = 15.0
    silence_s: Annotated[float, Meta(gt=0), "seconds of silence until the connection is cut"] = 60.0
    grace_s: Annotated[float, Meta(ge=0),
        "seconds for which a disconnected player's seat is held, until a bot plays it"] = 30.0
    race_grace_s: Annotated[float, Meta(ge=0), "the same in a race, where that is less"] = 5.0
    waiting_s: Annotated[float, Meta(ge=0),
        "the same at a table that waits for its first match, where the server knows the player "
        "again"] = 900.0
    standstill_s: Annotated[float, Meta(gt=0),
        "seconds for which a match stands still when all its players are disconnected"] = 900.0
    untouched_s: Annotated[float, Meta(gt=0),
        "the same for a match in which no player has acted"] = 60.0
    lag_ms: Annotated[int, Meta(ge=0, le=150),
        "milliseconds of a slow connection, one way, that a race makes up for"] = 150
    chat_s: Annotated[float, Meta(gt=0), "chat lines a second of a guest, in the long run"] = 0.5
    chat_burst: Annotated[int, Meta(ge=1), "chat lines of a guest at once"] = 5
    chat_together_s: Annotated[float, Meta(gt=0),
        "chat lines a second at a table, in the long run, of all guests from one address, and of "
        "all who watch"] = 1.0
    chat_together_burst: Annotated[int, Meta(ge=1), "such lines at once"] = 10
    hints_per_minute: Annotated[int, Meta(ge=1),
        "hints for a seat in a minute, where other people play"] = 12
    commands_s: Annotated[float, Meta(gt=0),
        "requests a second, in the long run, beside the first action after each view"] = 20.0
    commands_burst: Annotated[int, Meta(ge=1), "requests at once"] = 40
    bytes_s: Annotated[float, Meta(gt=0),
        "bytes a second of long messages, in the long run; the first 512 of a message are "
        "free"] = 8192.0
    bytes_burst: Annotated[int, Meta(ge=1), "bytes of long messages at once"] = 32768
    outbox_bytes: Annotated[int, Meta(ge=1024),
        "bytes that a player leaves unread, until the connection is cut"] = 256 * 1024
    backlog_bytes: Annotated[int, Meta(ge=1024),
        "bytes that a watcher leaves unread, until only the newest state is shown"] = 32 * 1024

    def allows(self, level: str) -> bool:
        """Whether tables may have bots of this level."""
        return self.expert_bots or level != LEVELS[-1]


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Each of these is a flag of `serve`, too, and may be a variable of the environment."""

    host: Annotated[_Addresses,
        N_("addresses to listen on; 0.0.0.0 and :: are all of this machine")] = ("127.0.0.1", "::1")
    port: Annotated[_Port, N_("the port to listen on; 0 is any free one")] = DEFAULT_PORT
    doors: Annotated[_Doors,
        N_("the ways in, all on the server's port; plain=7000 has a port of its own")] = DOORS
    tls_cert: Annotated[str,
        N_('the file of a certificate, and of those that vouch for it; "" is one of the '
           "server's own")] = ""
    tls_key: Annotated[str, N_("the file of the certificate's key")] = ""
    trusted_proxies: Annotated[_Proxies,
        N_("addresses and blocks of proxies; each connection from there must begin with a PROXY "
           "header")] = ()
    name: Annotated[str, N_("what the server calls itself")] = ""
    state: Annotated[str, N_('the folder for its state; "" is the usual one')] = ""
    journal: Annotated[_Database,
        N_('the database for its matches, as postgresql://HOST/NAME; "" is a file in that '
           "folder")] = ""
    journal_wait_s: Annotated[float, Meta(ge=1, le=60),
        N_("seconds that a server waits for an answer of that database, until players are told "
           "and it tries again")] = 5.0
    node: Annotated[_NodeName,
        N_("this server's name among several that share a database and a lobby; "
           '"" is a server of its own')] = ""
    node_address: Annotated[str,
        N_('where the other nodes reach this one, as HOST or HOST:PORT; "" is the first address '
           "that it listens on")] = ""
    advertise: Annotated[str,
        N_('where players dial this node, as HOST or HOST:PORT; "" is nowhere: other nodes lead '
           "them here")] = ""
    node_lease_s: Annotated[float, Meta(ge=0.5, le=60),
        N_("seconds until a node that hangs, or whose machine has vanished, counts as gone; one "
           "that was killed is gone at once")] = 5.0
    public: Annotated[str,
        N_("where friends elsewhere find the server, as HOST or HOST:PORT, several with commas; "
           '"" is nowhere; for invitations')] = ""
    hosts_invite: Annotated[bool,
        N_("whether the host of a table may make invitations to it")] = True
    password_file: Annotated[str,
        N_("the file with the password that everybody must give, which only its owner may read; "
           '"" is none')] = ""
    password_in_clear: Annotated[bool,
        N_("whether other machines may speak in clear: passwords, the tokens of seats and cards "
           "can be read on the way")] = False
    bot_pace_s: Annotated[float, Meta(ge=0, le=60),
        N_("seconds that a bot's action waits at least, so that people can follow")] = 0.7
    bot_workers: Annotated[int, Meta(ge=1, le=64),
        N_("processes in which the searching bots think")] = 1
    log_level: Annotated[Literal["debug", "info", "warning", "error"],
        N_("the lowest level that the log writes")] = "info"
    log_file: Annotated[str, N_('the file of the log; "" is stderr')] = ""
    keep_days: Annotated[int, Meta(ge=0, le=36500),
        N_("days for which finished matches are kept as records; 0 keeps none")] = 30
    journal_mb: Annotated[int, Meta(ge=1),
        N_("megabytes of the journal, from which the oldest records go")] = 1024
    metrics_port: Annotated[_Port,
        N_("the port on this machine of /metrics, /healthz and /readyz; 0 is none")] = 0
    webhook: Annotated[_Webhook,
        N_('the URL at which a program of yours is told which players who are away are due; "" is '
           "none")] = ""
    notify_ntfy: Annotated[Literal["none", "public", "any"],
        N_("the servers of ntfy by which such players may be told: none, those of the internet, "
           "any, also in private networks")] = "none"
    notify_accounts: Annotated[str,
        N_("the file with the accounts by which mail and messages by Matrix go out, which only its "
           'owner may read; "" is none')] = ""
    announce: Annotated[bool,
        N_("whether the local network is told of the server; it is for `clocktowers host`")] = False
    limits: Limits = Limits()


# fmt: on
PLAIN: Final = tuple(name for name in Config.__struct_fields__ if name != "limits")
"""The settings that stand in no section."""
