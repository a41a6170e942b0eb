"""What a server tells its local network of itself: a service of DNS-SD (RFC 6763), over multicast
DNS (RFC 6762). PROTOCOL.md lists the keys of its TXT record.

Anybody on the network can say anything there, so a reader believes none of it.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from protocol.ids import PROTOCOL_VERSIONS
from protocol.text import MAX_TITLE_BYTES, MAX_TITLE_CELLS, clean, cut

SERVICE: Final = "_clocktowers._tcp.local."
_MAX_KEY: Final = 128
_MAX_VERSIONS: Final = 8


class Nearby(Struct, frozen=True, kw_only=True):
    """`name`: what the server calls itself. `versions`: of the protocol, newest first. `key`: the
    hash of the server's key; "" = it has none. `password`: it asks for one."""

    name: str = ""
    versions: tuple[int, ...] = PROTOCOL_VERSIONS
    key: str = ""
    password: bool = False

    @property
    def understood(self) -> bool:
        """Whether this program speaks with it."""
        return any(version in PROTOCOL_VERSIONS for version in self.versions)

    def txt(self) -> dict[str, str]:
        """The TXT record."""
        name = self.name.encode()[:MAX_TITLE_BYTES].decode(errors="ignore")
        versions = ",".join(map(str, self.versions))
        asked = "yes" if self.password else "no"
        return {"name": name, "version": versions, "key": self.key, "password": asked}


def from_txt(txt: Mapping[bytes, bytes | None]) -> Nearby:
    """What a TXT record says, fit to be shown; what is missing or senseless is empty. Never
    raises."""
    said = {key.lower(): (txt[key] or b"").decode(errors="replace") for key in txt}
    versions = said.get(b"version", "").split(",")[:_MAX_VERSIONS]
    key = said.get(b"key", "")
    return Nearby(
        name=cut(clean(said.get(b"name", "")[:MAX_TITLE_BYTES]), MAX_TITLE_CELLS).strip(),
        versions=tuple(int(one) for one in versions if _is_version(one)),
        key=key if key.isascii() and key.isprintable() and len(key) <= _MAX_KEY else "",
        password=said.get(b"password") == "yes",
    )


def _is_version(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4
