"""The browser door: callers with a browser and nothing else, who get a page with a terminal in it.

Laws: nobody comes in from a page of another server; an address of one machine has no more than a
fair share of the door; who does not come to a terminal is held no longer than `PAGE_S`.
"""

import asyncio
import logging
import re
import socket
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from aiohttp import web

from server.guests.guests import Guests, TurnedAway
from server.guests.pages import PROTECTING, pages
from server.guests.passing import Handed, Setup
from server.guests.request import arriving, entered, identity_in, is_ours
from server.guests.tab import Tab, terminal
from server.net.places import Places
from server.timer import Timer

PAGE_S: Final = 60.0
"""For the page and its terminal, over a slow line."""
STRANGERS: Final = 200
"""Connections that are no terminal; where there are more, the first is hung up on."""
STRANGERS_PER_ADDRESS: Final = 32
"""A browser opens six."""
SETTLING_S: Final = 8.0
"""How long a client may take to leave its seat to the guest's next."""
_TAB: Final = re.compile(r"[0-9a-f]{32}")


class WebDoor:
    """Of one process; `take` gets each connection. `strangers`: those that are no terminal."""

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
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    def take(self, sock: socket.socket, handed: Handed) -> None:
        """Serve a caller. Owns the socket."""
        sock.setblocking(False)
        task = asyncio.get_running_loop().create_task(self._serve(sock, handed))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, sock: socket.socket, handed: Handed) -> None:
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
        return ws

    async def _succeed(self, known_as: tuple[str, str], tab: Tab) -> None:
        """A page that was loaded again has the seat of the one before, when that one has left it; a
        page that another has succeeded meanwhile gets none."""
        before, self._tabs[known_as] = self._tabs.get(known_as), tab
        if before is not None:
            try:
                async with asyncio.timeout(SETTLING_S):
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
        self._patience: Final = Timer()
        self._until_s: Final = loop.time() + PAGE_S
        self._place: Final = strangers.take(self.address, self._hang_up)

    def wait(self, limit_s: float) -> None:
        """Hang up, unless the caller gets on meanwhile."""
        if self._place.taken:
            self._patience.start(limit_s, self._hang_up)

    def heard(self) -> None:
        """A whole request has come."""
        self.wait(self._until_s - asyncio.get_running_loop().time())

    def known(self) -> None:
        """It is a terminal's, or gone."""
        self._patience.stop()
        self._place.give_back()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if not self._place.taken:
            self._hang_up()  # somebody else has got it meanwhile

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        self.known()

    def _hang_up(self) -> None:
        if self.transport is not None:
            self.transport.abort()


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
