"""The key by which callers over SSH know this server again: made once, kept in its folder."""

import base64
import os
from hashlib import sha256
from pathlib import Path
from typing import Final

NAME: Final = "ssh_host_ed25519_key"
_PUBLIC: Final = f"{NAME}.pub"


def file(state: Path) -> Path:
    """The private key, which is made where there is none. Raises OSError."""
    path = state / NAME
    if not path.exists():
        _make(path)
    path.chmod(0o600)
    return path


def fingerprint(state: Path) -> str:
    """As SSH clients show it, `SHA256:…`; "" = there is no key yet. Needs no library."""
    try:
        _kind, key, *_comment = (state / _PUBLIC).read_text().split()
        digest = sha256(base64.b64decode(key, validate=True)).digest()
    except (OSError, ValueError):
        return ""
    return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


def _make(path: Path) -> None:
    import asyncssh

    key = asyncssh.generate_private_key("ssh-ed25519", comment="clocktowers")
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    held = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(held, "wb") as content:
        content.write(key.export_private_key())
        content.flush()
        os.fsync(content.fileno())
    path.with_name(_PUBLIC).write_bytes(key.export_public_key())
    unfinished.replace(path)
