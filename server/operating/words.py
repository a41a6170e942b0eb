"""What the operator says to a server, and what the server answers: one frame each way, as between
players and server (`protocol.codec`, `protocol.codec`). docs/operating.md lists the fields.
"""

from typing import Any, Final, TypeAlias, get_args

import msgspec
from msgspec import Struct

VERSION: Final = 1
"""Of this protocol; a server answers an operator of a newer version with a sentence."""
MAX_ASKED_BYTES: Final = 8 * 1024
MAX_ANSWER_BYTES: Final = 16 << 20
"""A row about each of ten thousand people and bans."""
MAX_TEXT: Final = 200
"""Characters of what is said to everybody, and of a reason."""


class _Command(Struct, frozen=True, kw_only=True):
    version: int = VERSION


class Who(_Command, frozen=True, tag="who"):
    """Everybody who is connected, and every absent owner of a seat."""


class Tables(_Command, frozen=True, tag="tables"):
    """Every table."""


class Status(_Command, frozen=True, tag="status"):
    """How the server is."""


class TellAll(_Command, frozen=True, tag="say"):
    """Tell everybody."""

    text: str


class SendAway(_Command, frozen=True, tag="kick"):
    """End a person's connections, and keep them from coming back to their tables. `person`: a
    name, or a mark or the first four digits of it or more."""

    person: str
    reason: str = ""


class SetBan(_Command, frozen=True, tag="ban"):
    """Keep a person, an address or a block of addresses (CIDR) out. `until`: seconds since 1970,
    0 = for ever. `address`: with a person, ban the addresses that they have now, too."""

    whom: str
    until: int = 0
    reason: str = ""
    address: bool = False


class Unban(_Command, frozen=True, tag="unban"):
    """End a ban: `whom` as it is listed, or the name."""

    whom: str


class Bans(_Command, frozen=True, tag="bans"):
    """Every ban that holds."""


class Close(_Command, frozen=True, tag="close"):
    """Close a table and end its match."""

    table: str
    reason: str = ""


class Drain(_Command, frozen=True, tag="drain"):
    """Stop when the matches are over, and after `within_s` at the latest, 0 = no limit. `cancel`:
    go on instead."""

    within_s: int = 0
    cancel: bool = False


class LogLevel(_Command, frozen=True, tag="log-level"):
    """Log from this level on, until the server stops."""

    level: str


class Issue(_Command, frozen=True, tag="invite"):
    """Make an invitation. `name`: by which it is listed and revoked, "" = a number; `for_s`: how
    many seconds it holds, 0 = some days; `table`: the code of a table to go to; `addresses`: where
    friends find the server, HOST or HOST:PORT, none = where it thinks."""

    name: str = ""
    for_s: int = 0
    table: str = ""
    addresses: list[str] = []


class Issued(_Command, frozen=True, tag="invitations"):
    """Every invitation that holds."""


class Revoke(_Command, frozen=True, tag="revoke"):
    """End an invitation, or `all`. `kick`: and end the connections of those who came by it."""

    name: str
    kick: bool = False


Command: TypeAlias = (
    Who
    | Tables
    | Status
    | TellAll
    | SendAway
    | SetBan
    | Unban
    | Bans
    | Close
    | Drain
    | LogLevel
    | Issue
    | Issued
    | Revoke
)

_COMMANDS: Final = msgspec.msgpack.Decoder(Command)


class Reply(Struct, frozen=True, kw_only=True):
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

    def reply(self) -> Reply:
        return Reply(done=False, said=str(self), here=self.here)


class NotHere(CouldNot):
    """This server does not have what was meant."""

    here = False


def asked(payload: bytes) -> Command:
    """What a payload asks for. Raises CouldNot."""
    try:
        message: Command = _COMMANDS.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if "`$.type`" in str(error):
            known = ", ".join(str(kind.__struct_config__.tag) for kind in get_args(Command))
            raise CouldNot(f"this server has no such command; it has {known}") from None
        raise CouldNot(f"this server does not understand that: {error}") from None
    if message.version > VERSION:
        raise CouldNot(
            f"this server speaks version {VERSION} of the operator's protocol and was asked in "
            f"version {message.version}: use the command of the server's own version"
        )
    return message


def reply_in(payload: bytes) -> Reply:
    """Raises msgspec.DecodeError."""
    return msgspec.msgpack.decode(payload, type=Reply)
