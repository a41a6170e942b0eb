"""The key by which callers over SSH know this server again: made once, kept in its folder."""

import base64
from hashlib import sha256
from pathlib import Path

from server.store.backup import SSH
from server.store.whole import replace_file

_PRIVATE_KEY, _PUBLIC_KEY = SSH


def ssh_key_file(state: Path) -> Path:
    """The private key, which is made where there is none. Raises OSError."""
    path = state / _PRIVATE_KEY
    if not path.exists():
        _make_ssh_key(path)
    path.chmod(0o600)
    return path


def ssh_fingerprint(state: Path) -> str:
    """As SSH clients show it, `SHA256:…`; "" = there is no key."""
    try:
        _kind, key, *_comment = (state / _PUBLIC_KEY).read_text().split()
        digest = sha256(base64.b64decode(key, validate=True)).digest()
    except (OSError, ValueError):
        return ""
    return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


def _make_ssh_key(path: Path) -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    form = serialization.PrivateFormat.OpenSSH
    no_password = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, form, no_password)
    public = key.public_key().public_bytes(
        serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH
    )
    replace_file(path.with_name(_PUBLIC_KEY), public + b"\n")
    replace_file(path, private)
