"""The process of the doors for guests: the server starts it when somebody calls there, and again
when it has ended.

Laws: the server imports neither its libraries nor the client; what a guest sends is read there, and
if it ends no match does: each seat is held, as when a connection breaks.
"""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
import structlog

from protocol.invitation import Place
from server.admission.gate import ServerPassword
from server.config import DOORS, Config
from server.doors.certificate import ssh_key_file
from server.doors.door import ONLY_TLS, TOO_MANY, OneAnswer
from server.guests.passing import LEAVING_S, Handed, Kind, Note, Setup, hand_over
from server.net.callers import Addresses, Caller
from server.settings import ConfigError
from server.tasks import Timer

# Leads a caller to another process: what they say goes into a socket, whose other end is there.
#
# Laws: a side that does not read keeps the other from sending; little waits in between. If it reads
# too little for some seconds, both are hung up on. A caller counts for their address until their
# line is closed, however it ends.


BUFFER_BYTES: Final = 32 * 1024
"""What waits in the socket for the other process, and for the caller."""
LINES: Final = 2
"""Times as many as players, from an address: a browser has several lines, and where too many are no
terminal, that process says which of them goes."""
STUCK_S: Final = 20.0
"""So long it may be that a side reads too little."""


def relay(
    hand_over: Callable[[socket.socket], None], counted: Addresses, address: str
) -> asyncio.Protocol:
    """The caller's side, on a socket or inside TLS. `hand_over` sends a socket, which it owns, to
    the other process. One caller too many from that address is told so."""

    async def lead(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not counted.admit(address):
            writer.write(TOO_MANY)
            writer.close()
            return
        try:
            ours, theirs = socket.socketpair()
            for end in (ours, theirs):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
            hand_over(theirs)
            inner = await asyncio.open_connection(sock=ours, limit=BUFFER_BYTES)
            await asyncio.gather(_pump(reader, inner[1]), _pump(inner[0], writer))
        except OSError:  # there are no more sockets
            writer.transport.abort()
        finally:
            counted.release(address)

    return asyncio.StreamReaderProtocol(asyncio.StreamReader(BUFFER_BYTES), lead)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until a side ends, and with it the other."""
    writer.transport.set_write_buffer_limits(high=BUFFER_BYTES)
    stuck = Timer()
    with suppress(OSError):
        while data := await reader.read(BUFFER_BYTES):
            writer.write(data)
            stuck.start(STUCK_S, writer.transport.abort)  # with which the other side ends, too
            await writer.drain()
            stuck.stop()
    writer.close()
    stuck.start(LEAVING_S, writer.transport.abort)
    with suppress(OSError):
        await writer.wait_closed()
    stuck.stop()


_PROGRAM: Final = (sys.executable, "-P", "-m", "server.guests")
_LIBRARIES: Final[dict[Kind, str]] = {"ssh": "asyncssh", "web": "aiohttp"}
KINDS: Final = tuple(_LIBRARIES)
"""The doors of that process."""
FIRST_REST_S: Final = 0.2
LONGEST_REST_S: Final = 30.0
WAITING_BYTES: Final = 1 << 20
"""Linux makes of it what it allows, which is some 500 callers: for a process that is starting."""
READ_BYTES: Final = 64 * 1024
MOST_BYTES: Final = 16 * 1024
"""Of a line for the log."""
ENDING_S: Final = 4.0
"""What its guests need to be shown out, and some more."""
STEADY_S: Final = 60.0
"""A process that has run for so long is started again at once."""


def opens(kind: Kind, config: Config) -> bool:
    """Whether this door is open. Raises ConfigError where it was asked for by name and its
    library is not installed."""
    if not _is_asked_for(kind, config):
        return False
    if not lacks_library(kind, config):
        return True
    if config.doors != DOORS:
        raise ConfigError(
            f"the door {kind} needs the library {_LIBRARIES[kind]}: install this program with its "
            f"extra [{kind}], as in pipx install 'clocktowers-tui[{kind}]', or take it out of doors"
        )
    return False


def lacks_library(kind: Kind, config: Config) -> bool:
    """Whether this door is closed because its library is not installed."""
    return _is_asked_for(kind, config) and find_spec(_LIBRARIES[kind]) is None


def _is_asked_for(kind: Kind, config: Config) -> bool:
    return any(door.partition("=")[0] == kind for door in config.doors)


def found_at(kind: Kind, config: Config, main: Place) -> Place | None:
    """Where other machines find this door, on a server that they find at `main`; None = they find
    it shut. A page needs TLS at its own port."""
    own = dict(door.partition("=")[::2] for door in config.doors)
    if not opens(kind, config) or (kind == "web" and own.get("tls") != own[kind]):
        return None
    return main._replace(port=int(own[kind] or main.port))


class Keeping:
    """Of one server, until `close`. `folder`: the server's; `word`: as in `Admission`."""

    def __init__(self, config: Config, folder: Path, word: ServerPassword) -> None:
        """Raises ConfigError."""
        try:
            if opens("ssh", config):
                ssh_key_file(folder)
        except OSError as error:
            why = error.strerror or error
            raise ConfigError(f"cannot make the key of the door ssh in {folder}: {why}") from None
        self._setup: Final = Setup(str(folder), config.limits, word.kept is not None)
        limits = config.limits
        self._led: Final = Addresses(
            LINES * limits.per_address, loopback_counts=limits.loopback_counts
        )
        self._line: socket.socket | None = None
        """None = no process runs."""
        self._said = b""
        """The beginning of a line for the log."""
        self._process: subprocess.Popen[bytes] | None = None
        self._began_s = 0.0
        self._rest_s = FIRST_REST_S
        self._rests_until_s = 0.0

    async def ssh(self, elsewhere: Callable[[], str], sock: socket.socket, caller: Caller) -> None:
        """The door for SSH (`server.doors.door.Door`). `elsewhere`: where callers find another
        machine of this server, "" = nowhere."""
        self._hand_over(Handed("ssh", caller.address, elsewhere=elsewhere()), sock)

    def web(self, caller: Caller) -> asyncio.Protocol:
        """How to speak HTTP (`server.doors.door.Speak`): the process of the doors does."""
        if not (caller.secure or caller.proxied):
            return OneAnswer(ONLY_TLS)
        handed = Handed("web", caller.address, secure=caller.encrypted or caller.proxied)
        return relay(partial(self._hand_over, handed), self._led, caller.address)

    def _hand_over(self, handed: Handed, sock: socket.socket) -> None:
        """Lead a caller to this door. Owns the socket."""
        with sock, suppress(OSError):
            if (line := self._line or self._start()) is not None:
                hand_over(line, handed, sock.fileno())

    def close(self) -> None:
        """End the process, and with it its guests; their seats are held."""
        self._hang_up()
        if self._process is not None:
            _wait(self._process)

    def _start(self) -> socket.socket | None:
        """Start it, unless it has just ended. Raises OSError."""
        now_s = asyncio.get_running_loop().time()
        if now_s < self._rests_until_s:
            return None
        if self._process is not None:
            _wait(self._process)
        ours, its = socket.socketpair()
        with its:
            try:
                self._process = subprocess.Popen(
                    [*_PROGRAM, str(its.fileno()), msgspec.json.encode(self._setup).decode()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[its.fileno()],
                    env=_bare_environment(),
                )
            except OSError as error:
                ours.close()
                structlog.get_logger().error("no doors for guests", why=error.strerror)
                raise
        self._began_s = now_s
        ours.setblocking(False)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WAITING_BYTES)
        asyncio.get_running_loop().add_reader(ours, self._hear, ours)
        self._line, self._said = ours, b""
        return ours

    def _hear(self, line: socket.socket) -> None:
        """What the doors have for the log; or they have ended, or talk nonsense."""
        try:
            said = line.recv(READ_BYTES)
            *notes, self._said = (self._said + said).split(b"\n")
            for one in notes:
                note = msgspec.json.decode(one, type=Note)
                getattr(structlog.get_logger(), note.level)(note.event, **note.about)
        except BlockingIOError:
            return
        except (OSError, TypeError, ValueError):  # what nonsense from the doors raises
            said = b""
        if not said or len(self._said) > MOST_BYTES:
            self._over()

    def _hang_up(self) -> None:
        """The process ends then, and with it its guests."""
        if self._line is not None:
            asyncio.get_running_loop().remove_reader(self._line)
            self._line.close()
            self._line = None

    def _over(self) -> None:
        self._hang_up()
        now_s = asyncio.get_running_loop().time()
        steady = now_s - self._began_s >= STEADY_S
        self._rest_s = FIRST_REST_S if steady else min(self._rest_s * 2, LONGEST_REST_S)
        self._rests_until_s = now_s + self._rest_s
        structlog.get_logger().error("the doors for guests have ended", rest_s=self._rest_s)


def _bare_environment() -> dict[str, str]:
    """What Python needs, and nothing of the operator's: the clients of guests come of this."""
    kept = ("PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "TERMINFO_DIRS", "TMPDIR")
    return {name: os.environ[name] for name in kept if name in os.environ} | {
        "PYTHONUTF8": "1",
        "LANG": "C.UTF-8",
        "HOME": "/",
    }


def _wait(process: "subprocess.Popen[bytes]") -> None:
    """Its socket is closed, so it ends by itself; or is made to."""
    try:
        process.wait(ENDING_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
