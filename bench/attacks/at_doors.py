"""Attacks on what lies before the game's own messages: TLS, and the door for browsers."""

import asyncio
import hmac
import secrets
import ssl
import tempfile
from functools import cache
from pathlib import Path
from typing import Final, cast

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from bench.attacks.plan import Report

_ASKS_FOR_NEW_KEYS: Final = b"\x18\x00\x00\x01\x01" + b"\x16"
"""A KeyUpdate that asks for the other side's, and the type of what it is (RFC 8446, 4.6.3, 5.2)."""
_TAG_BYTES: Final = 16


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@cache
def first_words() -> bytes:
    """A ClientHello, which costs the caller next to nothing when it is said again and again."""
    goes = ssl.MemoryBIO()
    try:
        _context().wrap_bio(ssl.MemoryBIO(), goes).do_handshake()
    except ssl.SSLWantReadError:
        return goes.read()
    raise AssertionError


def upgrade(port: int) -> bytes:
    """What a page asks for a terminal, with the cookie of a guest who was never here."""
    at = f"127.0.0.1:{port}"
    asked = f"/terminal?tab={secrets.token_hex(16)}&columns=80&rows=24"
    lines = (
        *(f"GET {asked} HTTP/1.1", f"Host: {at}", f"Origin: http://{at}"),
        *("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        f"Cookie: clocktowers={secrets.token_urlsafe(32)}",
    )
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class AtADoor(asyncio.Protocol):
    """Says this, and cuts the line at the first answer."""

    def __init__(self, report: Report, said: bytes) -> None:
        self.report: Final = report
        self.said: Final = said
        self._served = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.report.opened += 1
        self.report.open += 1
        self.transport.write(self.said)

    def connection_lost(self, error: Exception | None) -> None:
        self.report.open -= 1

    def data_received(self, data: bytes) -> None:
        self.report.served += not self._served
        self._served = True
        self.transport.abort()


class Rekeying(AtADoor):
    """Shakes hands, and then asks for new keys without end, so many times at once."""

    def __init__(self, report: Report, times: int) -> None:
        super().__init__(report, b"")
        self._times: Final = times
        self._came, self._goes = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = _context()
        with tempfile.NamedTemporaryFile(delete=False) as file:
            self._told: Final = Path(file.name)
        context.keylog_filename = str(self._told)
        self._tls: Final = context.wrap_bio(self._came, self._goes)
        self._secret = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._shake()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._told.unlink(missing_ok=True)

    def data_received(self, data: bytes) -> None:
        if not self._secret:
            self._came.write(data)
            self._shake()

    def _shake(self) -> None:
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            self.transport.write(self._goes.read())
            return
        self.transport.write(self._goes.read())
        self.report.served += 1
        cipher = self._tls.cipher()
        assert cipher is not None and "GCM" in cipher[0]
        self._hash, self._key_bytes = ("sha384", 32) if "256" in cipher[0] else ("sha256", 16)
        told = self._told.read_text().splitlines()
        kept = dict(line.split()[::2] for line in told if not line.startswith("#"))
        self._secret = bytes.fromhex(kept["CLIENT_TRAFFIC_SECRET_0"])
        self._ask()

    def _ask(self) -> None:
        if self.transport.is_closing():
            return
        self.transport.write(b"".join(self._new_keys() for _ in range(self._times)))
        self.report.asked += self._times
        asyncio.get_running_loop().call_later(0.01, self._ask)

    def _new_keys(self, after: int = 0) -> bytes:
        """The next record, after so many others under the same keys."""
        record = self._sealed(_ASKS_FOR_NEW_KEYS, after)
        self._secret = self._derived("traffic upd", len(self._secret))
        return record

    def _sealed(self, inside: bytes, number: int) -> bytes:
        """The record of this number under the present keys. `inside` ends with its type."""
        key = self._derived("key", self._key_bytes)
        nonce = int.from_bytes(self._derived("iv", 12), "big") ^ number
        head = b"\x17\x03\x03" + (len(inside) + _TAG_BYTES).to_bytes(2, "big")
        return head + AESGCM(key).encrypt(nonce.to_bytes(12, "big"), inside, head)

    def _derived(self, label: str, size: int) -> bytes:
        """HKDF-Expand-Label of the present secret; never longer than one hash."""
        words = b"tls13 " + label.encode()
        info = size.to_bytes(2, "big") + bytes([len(words)]) + words + b"\0\1"
        return hmac.digest(self._secret, info, self._hash)[:size]
