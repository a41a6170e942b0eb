"""By what a server knows this player again.

No two servers can compare notes on a player.

The client keeps one secret of 32 random bytes. Each server is shown HMAC-SHA256(secret, name of the
server). Nobody can compute one server's value from another's without the secret.

The name of a server is the hash of its key: it knows a player again at each of its addresses. Where
a certificate proves who it is, or nothing does, its name is the address that the client dials: a
player who dials it by another address is new to it, and two servers that follow each other at one
address (behind a tunnel, say) see the same value.

Laws: the file is its owner's alone, and is whole or not there; programs that start at the same
moment use the same secret; without a disk the player has no identity.
"""

import asyncio
import contextlib
import hmac
import os
import secrets
import stat
import time
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Final

import platformdirs

from clocktowers_tui.config.files import locked, note, write
from clocktowers_tui.net.address import HOUSE, Address

SECRET_BYTES: Final = 32


async def shown_to(address: Address, folder_number: int = 0, key: bytes = b"") -> bytes | None:
    """What the `hello` to this server says; None when no secret can be kept, and for a guest, whose
    door says who that is. `folder_number`: as `folder` in `Seat`; `key`: as in `Trust`."""
    if address == HOUSE:
        return None
    try:
        return derived(await asyncio.to_thread(secret), server_name(address, folder_number, key))
    except OSError as error:
        note(f"no identity is shown to servers: {_file()}: {error.strerror}")
        return None


def derived(secret: bytes, server: str) -> bytes:
    """The value for the server of that name: 32 bytes."""
    return hmac.digest(secret, server.encode("utf-8", "replace"), "sha256")


def server_name(address: Address, folder_number: int = 0, key: bytes = b"") -> str:
    """The same for every way to write one address. A server that this client starts for itself has
    a folder, and another port each time."""
    if key:
        return f"key/{key.hex()}"
    if folder_number:
        return f"local/{folder_number}"
    host = address.host.lower().rstrip(".")
    with contextlib.suppress(ValueError):
        ip = ip_address(host)
        mapped = ip.ipv4_mapped if isinstance(ip, IPv6Address) else None
        host = (mapped or ip).compressed
    return str(Address(host, address.port))


def secret() -> bytes:
    """The player's secret, made on first use. Raises OSError."""
    file = _file()
    kept = _read(file)
    if kept is None:
        with locked(file):
            kept = _read(file)  # another program may have made it while this one waited
            if kept is None:
                kept = _make(file)
    return kept


def kept() -> bytes | None:
    """The player's secret, if there is one. Raises OSError."""
    return _read(_file())


def take_over(moved: bytes) -> Path | None:
    """The player's secret is this from now on. Returns where the other is kept that was here; None
    = there was none. Raises OSError."""
    file = _file()
    with locked(file):
        copy, had = None, _read(file)
        if had is not None and had != moved:
            copy = file.with_name(f"{file.name}.{time.time_ns()}")
            write(copy, had)
        write(file, moved)
    return copy


def give_up() -> None:
    """The player has moved: this machine shows servers another identity from now on."""
    _file().unlink(missing_ok=True)


def _file() -> Path:
    return platformdirs.user_data_path("clocktowers", appauthor=False) / "identity"


def _read(file: Path) -> bytes | None:
    """The secret; None when there is none, or something else has that name."""
    try:
        with file.open("rb") as held:
            if stat.S_IMODE(os.fstat(held.fileno()).st_mode) & 0o077:
                os.fchmod(held.fileno(), 0o600)
            found = held.read(SECRET_BYTES + 1)
    except FileNotFoundError:
        return None
    return found if len(found) == SECRET_BYTES else None


def _make(file: Path) -> bytes:
    if file.exists():
        note(f"{file} was broken and has been replaced: servers do not know this player any more")
    made = secrets.token_bytes(SECRET_BYTES)
    write(file, made)
    return made
