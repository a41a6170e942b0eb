"""The bans and the invitations of a server, each in a file of its own beside the journal.

They are not in the journal's database: a journal that is damaged, mended or replaced loses none of
them, and their owner can read these files.
"""

from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from server.store.private import load_file

BANS: Final = "bans.json"
MOST_BANS: Final = 2000

Block: TypeAlias = IPv4Network | IPv6Network


class Ban(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Of a person or a block of addresses.

    `identity`: as in `Session`, in hex, or only its mark where no more is known; "" = a ban of
    `block`, in CIDR. `name`: what the person was called. `since`, `until`: seconds since 1970;
    `until` 0 = for ever. Raises ValueError for what is no block.
    """

    identity: str = ""
    block: str = ""
    name: str = ""
    reason: str = ""
    since: int = 0
    until: int = 0

    def in_force(self, now_s: float) -> bool:
        return not self.until or now_s < self.until

    def __post_init__(self) -> None:
        if self.block:
            ip_network(self.block)


class BanFile(Struct, frozen=True):
    """What the file holds."""

    bans: list[Ban] = []
    version: int = 1


def load_bans(folder: Path) -> list[Ban]:
    """The bans of this server's folder. Raises Unusable."""
    return load_file(folder / BANS, BanFile, "its bans").bans


INVITATIONS: Final = "invitations.json"


class Kept(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An invitation. `name`: by which it is listed and revoked; `sha256`: of its secret, in hex.
    `table`: its code, "" = none; `by`: the name of the table's host who asked for it, "" = the
    operator did. `since`, `until`: seconds since 1970."""

    name: str
    sha256: str
    since: int
    until: int
    table: str = ""
    by: str = ""
    revoked: bool = False


class InvitationFile(Struct, frozen=True):
    """What the file holds."""

    invitations: list[Kept] = []
    version: int = 1


def load_invitations(folder: Path) -> list[Kept]:
    """The invitations of this server's folder. Raises Unusable."""
    return load_file(folder / INVITATIONS, InvitationFile, "its invitations").invitations
