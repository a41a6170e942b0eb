"""The browser door: callers with a browser and nothing else, who get a page with a terminal in it.

Laws: nobody comes in from a page of another server; an address of one machine has no more than a
fair share of the door; who does not come to a terminal is held no longer than `PAGE_S`, and who
has left it no longer than `LEAVING_S`, whether they read or not.
"""

import asyncio
import gzip
import logging
import re
import secrets
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, NamedTuple, cast
from urllib.parse import urlsplit

import msgspec
import structlog
from aiohttp import WSMsgType, web
from msgspec import Meta

from protocol.guests import House
from protocol.invitation import SECRET_BYTES, BadInvitation, from_page
from protocol.table import DAY_S
from server.guests.guest import STOPPED, Guest, Size
from server.guests.guests import Arriving, Guests, TurnedAway
from server.guests.passing import LEAVING_S, Handed, Setup
from server.net.callers import Places
from server.tasks import Timer

# The files of the page for browsers, and what a browser may do with them.
#
# Law: the page asks nothing of any other server, and no other page may show it or look into it.


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
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
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
    found, root = dict[str, PageFile](), Path(__file__).parent / "page"
    for file in root.rglob("*"):
        if (kind := _KINDS.get(file.suffix)) is not None:
            content = file.read_bytes()
            path = f"/{file.relative_to(root).as_posix()}".removesuffix(_FIRST)
            tag = sha256(content).hexdigest()[:32]
            found[path] = PageFile(kind, content, gzip.compress(content, 6, mtime=0), tag)
    return found


# What a browser's request says: who asks, by a cookie, from which page, and of what terminal.
#
# A cookie is made when the page first asks to come in, by a POST: the first request of a page that
# was opened from elsewhere does not bring it (`SameSite=Strict`).


COOKIE: Final = "clocktowers"
INVITATION: Final = "clocktowers-invitation"
COOKIE_S: Final = 400 * DAY_S
"""As long as browsers keep one."""
_IDENTITY: Final = re.compile(r"[\w-]{43}", re.ASCII)
_SECRET: Final = re.compile(rf"([0-9a-f]{{2}}){{{SECRET_BYTES}}}")
_MISTYPED: Final = "That invitation is mistyped or cut off; copy all of it, or ask for another."
_TABLE: Final = re.compile(r"[A-Za-z0-9-]{0,40}")
_LANGUAGE: Final = re.compile(r"([a-z]{2,3})(?:-([A-Z]{2}))?\b")
_TERMINAL: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


def is_ours(request: web.Request, *, secure: bool) -> bool:
    """Whether a page of this server asks, or nobody's. In clear on this machine the server must be
    called by an address: a name may be one of a page that has just been led here."""
    host = urlsplit(f"//{request.host}").hostname or ""
    if not secure and host != "localhost" and not _is_address(host):
        return False
    if request.method == "GET" and request.path != "/terminal":
        return True
    return urlsplit(request.headers.get("Origin", "")).netloc == request.host


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


async def entered(request: web.Request, *, secure: bool) -> web.StreamResponse:
    """Give the caller a cookie who has none, and another for the invitation that they show."""
    cookies, table = {COOKIE: identity_in(request) or secrets.token_urlsafe(32)}, ""
    if said := await request.text():
        try:
            secret, table = from_page(said)
        except BadInvitation:
            raise web.HTTPBadRequest(text=_MISTYPED) from None
        cookies[INVITATION] = secret.hex()
    response = web.json_response({"table": table})
    for name, value in cookies.items():
        response.set_cookie(
            name,
            value,
            max_age=COOKIE_S,
            httponly=True,
            samesite="Strict",
            secure=secure,
        )
    return response


def identity_in(request: web.Request) -> str:
    """ "" = the caller shows none."""
    shown = request.cookies.get(COOKIE, "")
    return shown if _IDENTITY.fullmatch(shown) else ""


def arriving(request: web.Request, address: str, identity: str) -> Arriving:
    asked = request.query
    table, secret = asked.get("table", ""), request.cookies.get(INVITATION, "")
    return Arriving(
        House(
            address=address,
            table=table.upper() if _TABLE.fullmatch(table) else "",
            invitation=bytes.fromhex(secret) if _SECRET.fullmatch(secret) else b"",
            called=asked.get("name", ""),
        ),
        proof=f"web {identity}",
        environ={**_TERMINAL, "LANG": _language(request.headers.get("Accept-Language", ""))},
        size=Size(_number(asked.get("columns", "")), _number(asked.get("rows", ""))),
    )


def _language(accepted: str) -> str:
    """The first that the browser asks for, as programs are told: `it-IT,en;q=0.5` is
    `it_IT.UTF-8`."""
    found = _LANGUAGE.match(accepted)
    if found is None:
        return "C.UTF-8"
    language, country = found.groups()
    return f"{language}_{country}.UTF-8" if country else f"{language}.UTF-8"


def _number(text: str) -> int:
    return int(text) if re.fullmatch("[0-9]{1,4}", text) else 0


# A guest's client as a browser has it: what it paints goes into a WebSocket, what is typed comes
# out of it.
#
# Messages with bytes are what is painted and typed. A text from the browser is the size of its
# terminal, `[columns, rows]`; a text to it is the last sentence, behind which the line ends.


HEARTBEAT_S: Final = 20.0
"""A browser that does not answer for half of it has lost its line."""
MESSAGE_BYTES: Final = 16 * 1024
UNSENT_BYTES: Final = 32 * 1024
"""What waits for a slow browser; then the client waits."""
FAILED: Final = "Your client has failed; your seat is held."
_SIZE: Final = msgspec.json.Decoder(
    tuple[Annotated[int, Meta(ge=0, le=9999)], Annotated[int, Meta(ge=0, le=9999)]]
)


def terminal() -> web.WebSocketResponse:
    """The server's end of a new WebSocket."""
    return web.WebSocketResponse(
        heartbeat=HEARTBEAT_S, compress=False, max_msg_size=MESSAGE_BYTES, writer_limit=UNSENT_BYTES
    )


class Tab:
    """A `Screen`. `left`: set by the door when it is through with it."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.left: Final = asyncio.Event()
        self._socket: Final = socket
        self._painted: Final[asyncio.Queue[bytes]] = asyncio.Queue()
        """b"" = nothing more comes."""
        self._unsent = 0
        self._last: str | None = None
        self._guest: Guest | None = None

    async def run(self, guest: Guest) -> None:
        """Until the client has ended, by itself or since the line is over."""
        self._guest = guest
        sending = asyncio.ensure_future(self._send(guest))
        try:
            await self._hear(guest)
        finally:
            guest.hang_up()
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending
        await guest.ended.wait()  # until then the seat is this client's

    async def end(self) -> None:
        """The guest is here again, in place of this; returns when they have no client here."""
        if self._guest is None:
            await self.left.wait()
        else:
            self._guest.hang_up()
            await self._guest.ended.wait()
            await self._socket.close()

    async def end_with(self, sentence: str | None) -> None:
        """None: the page shall come back."""
        if sentence is not None:
            await self._socket.send_str(sentence)
        await self._socket.close()

    def show(self, output: bytes) -> None:
        assert self._guest is not None
        self._painted.put_nowait(output)
        self._unsent += len(output)
        if self._unsent >= UNSENT_BYTES:
            self._guest.pause()

    def take_on(self) -> None:
        """A browser waits for nothing."""

    def over(self, status: int) -> None:
        if status != STOPPED:
            self._last = FAILED if status < 0 else ""
        self._painted.put_nowait(b"")

    async def _hear(self, guest: Guest) -> None:
        async for message in self._socket:
            if message.type is WSMsgType.BINARY:
                guest.type(message.data)
            elif message.type is WSMsgType.TEXT:
                try:
                    guest.resize(Size(*_SIZE.decode(message.data)))
                except msgspec.DecodeError:
                    return

    async def _send(self, guest: Guest) -> None:
        with suppress(ConnectionError):
            while output := await self._painted.get():
                await self._socket.send_bytes(output)
                self._unsent -= len(output)
                if self._unsent < UNSENT_BYTES:
                    guest.resume()
            await self.end_with(self._last)


PAGE_S: Final = 60.0
"""For the page and its terminal, over a slow line."""
STRANGERS: Final = 200
"""Connections that are no terminal; where there are more, the first is hung up on."""
STRANGERS_PER_ADDRESS: Final = 32
"""A browser opens six."""
SUCCEEDING_S: Final = 30.0
"""How long a client may take to leave its seat to the guest's next, which would be a second player
before. It is killed after 5 s, but a busy machine is slow to say so."""
_TAB: Final = re.compile(r"[0-9a-f]{32}")


class WebDoor:
    """Of one process; `serve` gets each connection. `strangers`: those that are no terminal."""

    def __init__(self, setup: Setup, guests: Guests) -> None:
        logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
        self.guests: Final = guests
        self.hello_s: Final = setup.limits.hello_s
        self.strangers: Final = Places(
            STRANGERS, STRANGERS_PER_ADDRESS, loopback_counts=setup.limits.loopback_counts
        )
        self._tabs: Final[dict[tuple[str, str], Tab]] = {}
        self._pages: Final = pages()
        app = web.Application(middlewares=[_guarded], client_max_size=1024)
        app.router.add_post("/enter", self._enter)
        app.router.add_get("/terminal", self._terminal)
        for path in self._pages:
            app.router.add_get(path, self._page)
        self._runner: Final = web.AppRunner(app, handle_signals=False, access_log=None)
        self._ready: Final = asyncio.ensure_future(self._runner.setup())

    async def serve(self, sock: socket.socket, handed: Handed) -> None:
        """Hear a caller. Owns the socket."""
        await self._ready
        assert self._runner.server is not None
        line = BrowserLine(self._runner.server, handed, self.hello_s, self.strangers)
        try:
            await asyncio.get_running_loop().create_connection(lambda: line, sock=sock)
        except OSError:
            sock.close()
            line.known()
        else:
            line.wait(self.hello_s)

    async def _page(self, request: web.Request) -> web.StreamResponse:
        page = self._pages[request.path]
        tag = f'"{page.tag}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if tag in request.headers.get("If-None-Match", ""):
            return web.Response(status=304, headers=headers)
        packs = "gzip" in request.headers.get("Accept-Encoding", "")
        if packs:
            headers["Content-Encoding"] = "gzip"
        return web.Response(
            body=page.packed if packs else page.content,
            headers=headers,
            content_type=page.kind,
            charset="utf-8",
        )

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        return await entered(request, secure=_line(request).secure)

    async def _terminal(self, request: web.Request) -> web.StreamResponse:
        line, identity, asked = _line(request), identity_in(request), request.query
        if not identity or not _TAB.fullmatch(asked.get("tab", "")):
            raise web.HTTPBadRequest(text="Load this page again.")
        ws = terminal()
        await ws.prepare(request)
        line.known()
        tab, known_as = Tab(ws), (identity, asked["tab"])
        try:
            await self._succeed(known_as, tab)
            if self._tabs.get(known_as) is tab:
                guest = self.guests.open(arriving(request, line.address, identity), tab)
                await tab.run(guest)
        except TurnedAway as refusal:
            await tab.end_with(str(refusal))
        finally:
            tab.left.set()
            if self._tabs.get(known_as) is tab:
                del self._tabs[known_as]
            line.leaves()
        return ws

    async def _succeed(self, known_as: tuple[str, str], tab: Tab) -> None:
        """A page that was loaded again has the seat of the one before, when that one has left it; a
        page that another has succeeded meanwhile gets none."""
        before, self._tabs[known_as] = self._tabs.get(known_as), tab
        if before is not None:
            try:
                async with asyncio.timeout(SUCCEEDING_S):
                    await before.end()
            except TimeoutError:
                structlog.get_logger().warning("a client does not end")


class BrowserLine(web.RequestHandler):
    """A connection. It has a place among the strangers until it is a terminal's, or gone."""

    def __init__(
        self, server: web.Server, handed: Handed, hello_s: float, strangers: Places
    ) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(server, loop=loop, keepalive_timeout=hello_s)
        self.address: Final = handed.address
        self.secure: Final = handed.secure
        self._late: Final = Timer()
        self._until_s: Final = loop.time() + PAGE_S
        self._open: asyncio.Transport | None = None
        """Until it is closed; `transport` is None as soon as aiohttp closes it, while some of it is
        unsent."""
        self._place: Final = strangers.take(self.address, self._hang_up)

    def wait(self, limit_s: float) -> None:
        """Hang up, unless the caller gets on meanwhile."""
        if self._place.taken:
            self._late.start(limit_s, self._hang_up)

    def heard(self) -> None:
        """A whole request has come."""
        self.wait(self._until_s - asyncio.get_running_loop().time())

    def known(self) -> None:
        """It is a terminal's, or gone."""
        self._late.stop()
        self._place.give_back()

    def leaves(self) -> None:
        """Its terminal has ended, and aiohttp closes it."""
        if self._open is not None:
            self._late.start(LEAVING_S, self._hang_up)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._open = cast(asyncio.Transport, transport)
        super().connection_made(transport)
        if not self._place.taken:
            self._hang_up()  # somebody else has got it meanwhile

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        self._open = None
        self.known()

    def _hang_up(self) -> None:
        if self._open is not None:
            self._open.abort()


@web.middleware
async def _guarded(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    line = _line(request)
    line.heard()
    try:
        if not is_ours(request, secure=line.secure):
            raise web.HTTPForbidden(text="This page is not of this server.")
        response = await handler(request)
    except web.HTTPException as refusal:
        refusal.headers.update(PROTECTING)
        raise
    except ConnectionError:
        raise  # they have gone
    except Exception:
        structlog.get_logger().exception("web: a request failed", path=request.path)
        raise web.HTTPInternalServerError(text="The server has failed.") from None
    if not response.prepared:
        response.headers.update(PROTECTING)
    return response


def _line(request: web.Request) -> BrowserLine:
    line = request.protocol
    assert isinstance(line, BrowserLine)
    return line
