"""How people and places stand in the log, and how a flood about one place is kept short."""

import time
from collections.abc import Callable
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, Final

import structlog

MARK_DIGITS: Final = 12
BLOCKS: Final = {4: 24, 6: 48}
"""How much of an address its block has, in bits: about the town and the provider."""


def identity_mark(identity: bytes) -> str:
    """12 hexadecimal digits by which log lines about the same player are found; "" for none.

    `identity`: as in `Session`. It cannot be found from its mark, nor shown in its place.
    """
    return sha256(b"log" + identity).hexdigest()[:MARK_DIGITS] if identity else ""


def block_of(address: str) -> str:
    """The /24 or /48 that the address is in; what is no address is left as it is."""
    try:
        ip: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return str(ip_network(f"{ip}/{BLOCKS[ip.version]}", strict=False))


# Keeps a flood short: of lines that say the same about one place, a few a minute are written.
#
# Law: at most `BURST` lines a minute have the same words and come from the same block of addresses;
# the others are counted, and one line says how many they were. Lines about no address, debug lines,
# warnings and errors all pass.


BURST: Final = 20
WINDOW_S: Final = 60.0
MOST_PLACES: Final = 1000
"""Told apart at once; all beyond these count as one place."""

_MERGED: Final = ("info",)


class Merging:
    """A processor of structlog. `tell`: writes a line, as `(event, **values)`; `now_s`: a clock."""

    def __init__(self, tell: Callable[..., None], now_s: Callable[[], float] = time.monotonic):
        self._tell: Final = tell
        self._now_s: Final = now_s
        self._ends_s = now_s() + WINDOW_S
        self._seen: dict[tuple[str, str], int] = {}

    def __call__(self, _logger: Any, method: str, line: Any) -> Any:
        self.look_after()
        if method not in _MERGED or not (address := line.get("address")):
            return line
        key = (line["event"], block_of(address))
        if key not in self._seen and len(self._seen) >= MOST_PLACES:
            key = (line["event"], "elsewhere")
        self._seen[key] = seen = self._seen.get(key, 0) + 1
        if seen > BURST:
            raise structlog.DropEvent
        return line

    def look_after(self) -> None:
        """Tell what was left out, when the minute is over."""
        if self._now_s() >= self._ends_s:
            self.finish()

    def finish(self) -> None:
        """Tell what was left out, and begin another minute."""
        self._ends_s = self._now_s() + WINDOW_S
        seen, self._seen = self._seen, {}
        for (event, block), lines in seen.items():
            if lines > BURST:
                self._tell("more of the same", of=event, block=block, lines=lines - BURST)
