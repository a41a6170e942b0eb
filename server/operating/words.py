"""What the operator says to a server, and what the server answers: one frame each way, as between
players and server (`protocol.framing`, `protocol.codec`). docs/operating.md lists the fields.
"""

from typing import Any, Final, TypeAlias, get_args

import msgspec
from msgspec import Struct

from protocol.codec import Reader
from protocol.errors import GoodbyeCode, RemoteProtocolError

VERSION: Final = 1
"""Of this protocol; a server answers an operator of a newer version with a sentence."""
MAX_ASKED_BYTES: Final = 8 * 1024
MAX_ANSWER_BYTES: Final = 16 << 20
"""A row about each of ten thousand people and bans."""
MAX_TEXT: Final = 200
"""Characters of what is said to everybody, and of a reason."""


class _Asked(Struct, frozen=True, kw_only=True):
    version: int = VERSION


class Who(_Asked, frozen=True, tag="who"):
    """Everybody who is connected, and every absent owner of a seat."""


class Tables(_Asked, frozen=True, tag="tables"):
    """Every table."""


class Status(_Asked, frozen=True, tag="status"):
    """How the server is."""


class Say(_Asked, frozen=True, tag="say"):
    """Tell everybody."""

    text: str


class Kick(_Asked, frozen=True, tag="kick"):
    """End a person's connections, and keep them from coming back to their tables. `person`: a
    name, or a mark or the first four digits of it or more."""

    person: str
    reason: str = ""


class SetBan(_Asked, frozen=True, tag="ban"):
    """Keep a person, an address or a block of addresses (CIDR) out. `until`: seconds since 1970,
    0 = for ever. `address`: with a person, ban the addresses that they have now, too."""

    whom: str
    until: int = 0
    reason: str = ""
    address: bool = False


class Unban(_Asked, frozen=True, tag="unban"):
    """End a ban: `whom` as it is listed, or the name."""

    whom: str


class Bans(_Asked, frozen=True, tag="bans"):
    """Every ban that holds."""


class Close(_Asked, frozen=True, tag="close"):
    """Close a table and end its match."""

    table: str
    reason: str = ""


class Drain(_Asked, frozen=True, tag="drain"):
    """Stop when the matches are over, and after `within_s` at the latest, 0 = no limit. `cancel`:
    go on instead."""

    within_s: int = 0
    cancel: bool = False


class LogLevel(_Asked, frozen=True, tag="log-level"):
    """Log from this level on, until the server stops."""

    level: str


class Invite(_Asked, frozen=True, tag="invite"):
    """Make an invitation. `name`: by which it is listed and revoked, "" = a number; `for_s`: how
    many seconds it holds, 0 = some days; `table`: the code of a table to go to; `addresses`: where
    friends find the server, HOST or HOST:PORT, none = where it thinks."""

    name: str = ""
    for_s: int = 0
    table: str = ""
    addresses: list[str] = []


class Invitations(_Asked, frozen=True, tag="invitations"):
    """Every invitation that holds."""


class Revoke(_Asked, frozen=True, tag="revoke"):
    """End an invitation, or `all`. `kick`: and end the connections of those who came by it."""

    name: str
    kick: bool = False


Asked: TypeAlias = (
    Who
    | Tables
    | Status
    | Say
    | Kick
    | SetBan
    | Unban
    | Bans
    | Close
    | Drain
    | LogLevel
    | Invite
    | Invitations
    | Revoke
)

_read: Final = Reader(*get_args(Asked)).read
_COMMANDS: Final = ", ".join(str(one.__struct_config__.tag) for one in get_args(Asked))


class Answer(Struct, frozen=True, kw_only=True):
    """`done`: whether it was done; `said`: a sentence. `rows`: what was asked to be listed, a map
    for each. `values`: what was asked about one thing. `here`: whether this server has what was
    meant; another node may."""

    version: int = VERSION
    done: bool
    said: str = ""
    here: bool = True
    rows: list[dict[str, Any]] | None = None
    values: dict[str, Any] | None = None


class CouldNot(Exception):
    """It was not done, and nothing has changed; the text is a sentence."""

    here = True

    def answer(self) -> Answer:
        return Answer(done=False, said=str(self), here=self.here)


class NotHere(CouldNot):
    """This server does not have what was meant."""

    here = False


def asked(payload: bytes) -> Asked:
    """What a payload asks for. Raises CouldNot."""
    try:
        message: Any = _read(payload)
    except RemoteProtocolError as error:
        if error.code is GoodbyeCode.UNKNOWN_TYPE:
            raise CouldNot(f"this server has no such command; it has {_COMMANDS}") from None
        raise CouldNot(f"this server does not understand that: {error.why}") from None
    if message.version > VERSION:
        raise CouldNot(
            f"this server speaks version {VERSION} of the operator's protocol and was asked in "
            f"version {message.version}: use the command of the server's own version"
        )
    return message  # type: ignore[no-any-return]


def answer_in(payload: bytes) -> Answer:
    """Raises msgspec.DecodeError."""
    return msgspec.msgpack.decode(payload, type=Answer)
