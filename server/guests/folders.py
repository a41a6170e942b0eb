"""Who a guest is, and the folder where their client keeps what is theirs.

Laws: a folder is found by a secret of the server and what the guest has proven, so nobody else is
led to it; only this account can look into it. What a guest without a key leaves is removed, unless
a seat waits for them.
"""

import hmac
import os
import secrets
import shutil
import time
from collections.abc import Container
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from protocol.table import DAY_S
from server.store.backup import GUESTS as SECRET
from server.store.private import secret
from server.tasks import few

FOLDER: Final = "guests"
PASSING: Final = "passing-"
"""How the names of folders of guests without a key begin."""
CODE_BEGINS: Final = "back-"
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that people take for another."""
_CODE_LETTERS: Final = 10
KEPT_DAYS: Final = 180
"""Of a guest with a key who does not come any more."""
PASSING_KEPT_S: Final = float(DAY_S)
"""Of a guest without a key whose seat waits: longer than a match."""
MOST: Final = 2000
"""Folders of guests who are not here. Those go first whose guests have never had a seat in a match,
since anybody can make many of them; those with a seat that waits go last."""
REMOVED_A_TURN: Final = 3
"""One takes some milliseconds, and the terminals of all guests wait."""
_SEATS: Final = "seats"
"""A client makes this folder for its first seat, and keeps it."""


class Lodging(NamedTuple):
    """`identity`: 32 bytes, for introductions. `code`: what brings a guest without a key back; "" =
    they have one."""

    identity: bytes
    home: Path
    code: str = ""


class Folders:
    """Of one server. Raises OSError."""

    def __init__(self, state: Path) -> None:
        self._root: Final = state / FOLDER
        self._root.mkdir(mode=0o700, exist_ok=True)
        self._root.chmod(0o700)
        self._secret: Final = secret(state / SECRET)

    def of(self, proof: str) -> Lodging:
        """The folder of somebody who has proven this, for example that they have a key. Raises
        OSError."""
        return self._made(self._identity(f"proof {proof}"), "")

    def passing(self, code: str = "") -> Lodging:
        """The folder of a guest without proof. `code`: what they were told when they came before,
        here or at another machine of this server; no code brings them to a new folder. Raises
        OSError."""
        if not _is_code(code):
            code = CODE_BEGINS + "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LETTERS))
        return self._made(self._identity(f"code {code}"), code)

    def left(self, lodging: Lodging) -> None:
        """The guest has gone: remove what nobody will look for."""
        with suppress(OSError):
            if lodging.code and not _waits(lodging.home):
                shutil.rmtree(lodging.home, ignore_errors=True)
            else:
                os.utime(lodging.home)

    async def prune(self, here: Container[Path]) -> int:
        """Remove what is too old or too much, but for those of guests who are `here`; returns how
        many. Guests come and go meanwhile. Raises OSError."""
        now, gone, kept = time.time(), list[Path](), list[Path]()
        there = [(path.lstat().st_mtime, path) for path in self._root.iterdir() if path not in here]
        for used, path in sorted(there):
            (gone if now - used > _kept_s(path) else kept).append(path)
        if (too_many := len(kept) - MOST) > 0:
            worth = {path: _worth(path) async for path in few(kept)}
            gone += sorted(kept, key=worth.__getitem__)[:too_many]  # alike: the longest unused
        removed = 0
        async for path in few(gone, REMOVED_A_TURN):
            if path not in here:
                shutil.rmtree(path, ignore_errors=True)
                removed += 1
        return removed

    def _identity(self, proof: str) -> bytes:
        return hmac.digest(self._secret, proof.encode(), "sha256")

    def _home(self, identity: bytes, code: str) -> Path:
        name = sha256(identity).hexdigest()[:32]
        return self._root / (f"{PASSING}{name}" if code else name)

    def _made(self, identity: bytes, code: str) -> Lodging:
        home = self._home(identity, code)
        home.mkdir(mode=0o700, exist_ok=True)
        os.utime(home)
        return Lodging(identity, home, code)


def _kept_s(path: Path) -> float:
    return PASSING_KEPT_S if path.name.startswith(PASSING) else KEPT_DAYS * DAY_S


def _waits(home: Path) -> bool:
    """Whether a seat waits for the guest."""
    return any(home.rglob(f"{_SEATS}/*.seat"))


def _worth(home: Path) -> tuple[bool, bool]:
    """Whether a seat waits for the guest, and whether they have ever had one."""
    return _waits(home), any(home.rglob(_SEATS))


def _is_code(text: str) -> bool:
    letters = text.removeprefix(CODE_BEGINS)
    shape = text.startswith(CODE_BEGINS) and len(letters) == _CODE_LETTERS
    return shape and set(letters) <= set(_LETTERS)
