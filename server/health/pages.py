"""`/metrics`, `/healthz` and `/readyz` by HTTP, on this machine only.

Threads serve them, with Python's own HTTP server; only what has to be known of the server is asked
of its loop. So a loop that is stuck is told as such.

Laws: whatever a scraper sends, or does not, it holds one of a few places for a short time, and all
of them together ask the loop for a few pages a second.
"""

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from functools import partial
from socketserver import TCPServer
from typing import Any, Final, TypeVar
from wsgiref.simple_server import WSGIRequestHandler

import structlog
from prometheus_client import make_wsgi_app
from prometheus_client.exposition import ThreadingWSGIServer
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from server.health.figures import Figures, now
from server.net.listener import CannotListen
from server.server import Server

HOST: Final = "127.0.0.1"
PLACES: Final = 4
LIMIT_S: Final = 3.0
"""How long a scraper may take to ask and to read."""
PAUSE_S: Final = 0.2
"""After each page its place stays empty for so long: there are 20 pages a second at most."""
LOOP_S: Final = 2.0
"""How long the loop may take for an answer, the journal's time within it."""
JOURNAL_S: Final = 1.0
"""How long the journal may take to write."""

STOP_POLL_S: Final = 0.1

T = TypeVar("T")


class NotWell(Exception):
    """The text says what does not work."""


class _Handler(WSGIRequestHandler):
    timeout = LIMIT_S

    def log_message(self, *_what: Any) -> None:
        pass  # a scraper asks every few seconds


class Pages(ThreadingWSGIServer, Collector):
    """The HTTP server: it listens once it is made, and answers while it is `serving`."""

    _server: Server
    _loop: asyncio.AbstractEventLoop

    def __init__(self, port: int) -> None:
        """0 is any free port. Raises CannotListen."""
        self.figures: Final = Figures()
        self._probing: asyncio.Task[None] | None = None
        self._places: Final = threading.Semaphore(PLACES)
        self._metrics: Final = make_wsgi_app(self.figures.registry)
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            why = error.strerror or error
            raise CannotListen(
                f"cannot show metrics on {HOST}:{port}: {why}; choose another --metrics-port"
            ) from None
        self.set_app(self._page)

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # HTTPServer's own would look the name of this host up
        self.server_name, self.server_port = HOST, self.server_address[1]
        self.setup_environ()

    @asynccontextmanager
    async def serving(self, server: Server) -> AsyncIterator[None]:
        """Show this server, which runs in this loop, until the block is left; scrapers are not
        waited for."""
        self._server, self._loop = server, asyncio.get_running_loop()
        self.figures.registry.register(self)
        serve = partial(self.serve_forever, poll_interval=STOP_POLL_S)
        threading.Thread(target=serve, name="metrics", daemon=True).start()
        try:
            yield
        finally:
            self._places.release(PLACES)
            await asyncio.to_thread(self.shutdown)

    # In threads ---------------------------------------------------------------------------------

    def process_request(self, request: Any, client_address: Any) -> None:
        """Wait for a place; other scrapers wait in the backlog."""
        self._places.acquire()
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        enough = threading.Timer(LIMIT_S, _hang_up, [request])
        enough.daemon = True
        enough.start()
        super().process_request_thread(request, client_address)
        enough.cancel()
        time.sleep(PAUSE_S)
        self._places.release()

    def handle_error(self, _request: Any, _client_address: Any) -> None:
        structlog.get_logger().debug("scraper lost", exc_info=True)

    def _page(self, environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        try:
            match environ["PATH_INFO"]:
                case "/metrics":
                    page: list[bytes] = self._metrics(environ, start)
                    return page
                case "/healthz":
                    self._ask(self._turn)
                case "/readyz":
                    self._ask(self._ready)
                case _:
                    return _text(start, "404 Not Found", "/metrics, /healthz or /readyz")
        except NotWell as fault:
            return _text(start, "503 Service Unavailable", str(fault))
        except Exception:
            structlog.get_logger().exception("page failed", path=environ["PATH_INFO"])
            return _text(start, "500 Internal Server Error", "the server's log says why")
        return _text(start, "200 OK", "ok")

    def collect(self) -> list[Metric]:
        """What the registry shows, beside its own."""
        return self._ask(self._now)

    def _ask(self, question: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What the loop answers. Raises NotWell when it does not."""
        asked = question()
        try:
            future = asyncio.run_coroutine_threadsafe(asked, self._loop)
        except RuntimeError:
            asked.close()
            raise NotWell("the server has stopped") from None
        try:
            return future.result(LOOP_S)
        except CancelledError:
            raise NotWell("the server stops") from None
        except TimeoutError:
            future.cancel()
            raise NotWell(f"the loop has not turned for {LOOP_S:g} s") from None

    # In the loop --------------------------------------------------------------------------------

    async def _now(self) -> list[Metric]:
        return [*self.figures.counted(), *await now(self._server)]

    async def _turn(self) -> None:
        pass

    async def _ready(self) -> None:
        if self._server.lobby.draining:
            raise NotWell("the server is draining")
        try:
            if self._probing is None or self._probing.done():  # a disk that hangs has one to do
                self._probing = asyncio.create_task(self._server.journal.probe())
            async with asyncio.timeout(JOURNAL_S):
                await asyncio.shield(self._probing)
        except TimeoutError:
            raise NotWell(f"the journal has written nothing for {JOURNAL_S:g} s") from None
        except Exception as error:
            raise NotWell(f"the journal cannot be written: {error}") from None


def _hang_up(request: socket.socket) -> None:
    with suppress(OSError):
        request.shutdown(socket.SHUT_RDWR)


def _text(start: Callable[..., Any], status: str, text: str) -> list[bytes]:
    start(status, [("Content-Type", "text/plain; charset=utf-8")])
    return [f"{text}\n".encode()]
