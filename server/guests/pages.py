"""The files of the page for browsers, and what a browser may do with them.

Law: the page asks nothing of any other server, and no other page may show it or look into it.
"""

import gzip
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

PROTECTING: Final[Mapping[str, str]] = {
    "Content-Security-Policy": "; ".join(
        (
            *("default-src 'none'", "script-src 'self'", "connect-src 'self'", "img-src 'self'"),
            "style-src 'self' 'unsafe-inline'",  # the terminal sets the width of its cells so
            *("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Server": "clocktowers",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""With every answer. No word that the page is only for TLS from now on (HSTS): with that a browser
lets nobody past its warning of a certificate that the server has made."""
_KINDS: Final = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}
_FIRST: Final = "index.html"


class PageFile(NamedTuple):
    """`packed`: `content` as gzip; `tag`: by which a browser knows whether it has it already."""

    kind: str
    content: bytes
    packed: bytes
    tag: str


def pages() -> dict[str, PageFile]:
    """All files by their path. Packing them takes 0.05 s."""
    return dict(_below(files("server.guests") / "page", "/"))


def _below(folder: Traversable, path: str) -> list[tuple[str, PageFile]]:
    found: list[tuple[str, PageFile]] = []
    for one in folder.iterdir():
        if one.is_dir():
            found += _below(one, f"{path}{one.name}/")
        elif (kind := _KINDS.get(one.name.rpartition(".")[2])) is not None:
            content = one.read_bytes()
            tag = sha256(content).hexdigest()[:32]
            page = PageFile(kind, content, gzip.compress(content, 6, mtime=0), tag)
            found.append((path if one.name == _FIRST else path + one.name, page))
    return found
