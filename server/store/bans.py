"""The bans of a server in a file of their own, beside the journal.

They are not in the journal's database: a journal that is damaged, mended or replaced loses no ban,
and its owner can read this file. It is replaced whole, so a crash leaves the old one or the new.
"""

import os
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from server.store import private
from server.store.migrating import Unusable

FILE_NAME: Final = "bans.json"
MOST: Final = 2000

Block: TypeAlias = IPv4Network | IPv6Network


class Ban(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Of a person or a block of addresses.

    `identity`: as in `Guest`, in hex, or only its mark where no more is known; "" = a ban of
    `block`, in CIDR. `name`: what the person was called. `since`, `until`: seconds since 1970;
    `until` 0 = for ever.
    """

    identity: str = ""
    block: str = ""
    name: str = ""
    reason: str = ""
    since: int = 0
    until: int = 0


class _Kept(Struct, frozen=True):
    bans: list[Ban]
    version: int = 1


def load(folder: Path) -> list[Ban]:
    """The bans of this server's folder. Raises Unusable."""
    file = folder / FILE_NAME
    try:
        kept = msgspec.json.decode(file.read_bytes(), type=_Kept)
        for ban in kept.bans:
            if ban.block:
                ip_network(ban.block)
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:  # what msgspec raises is a ValueError
        why = getattr(error, "strerror", None) or error
        raise Unusable(
            f"cannot use {file}: {why}; mend it, or move it away to start without its bans"
        ) from None
    return kept.bans


def save(folder: Path, bans: Sequence[Ban]) -> None:
    """Put these in place of those before, and return when the disk has them. Raises OSError."""
    content = msgspec.json.format(msgspec.json.encode(_Kept(list(bans))), indent=1)
    replace_whole(folder / FILE_NAME, content)


def replace_whole(file: Path, content: bytes) -> None:
    """Give a file that only its owner can read a new content, or leave the old. Raises OSError."""
    fresh = file.with_name(f".{file.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, private.FILE), "wb") as new:
        new.write(content)
        new.flush()
        os.fsync(new.fileno())
    fresh.replace(file)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Have the disk keep the names in a folder. Raises OSError."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
