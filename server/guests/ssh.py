"""The SSH door: callers with an SSH client and nothing else.

A caller needs no account. Their key says who they are, the user name how they wish to be called.
Who has no key comes in, too; the user name may be the code that they were told.

Laws: nothing is run but the guest's client, and nothing is forwarded; a caller who has not said
what they speak, or is logged in and asks for nothing, is held no longer than `hello_s`; who logs in
has `LOGIN_S`. How many do so at once is bounded, by `STRANGERS`.
"""

import asyncio
import logging
import socket
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

import asyncssh
import structlog

from server.guests import host_key
from server.guests.channel import Channel
from server.guests.folders import CODE_BEGINS
from server.guests.guest import TYPED_BYTES
from server.guests.guests import Arriving, Guests
from server.guests.words import Setup
from server.net.places import Places, TakenPlace
from server.timer import Timer

LOGIN_S: Final = 120.0
"""As OpenSSH's server gives (`LoginGraceTime`), from the first line on: for somebody who compares
the host's key before they answer *yes*, and types the passphrase of theirs, or a password."""
KEEPALIVE_S: Final = 15
KEEPALIVES: Final = 3
"""Without an answer to so many the line is dead."""
STRANGERS: Final = 100
"""Callers on their way to a client: a file for each, and 1 MB for all. `Places` says who goes for
the next."""
STRANGERS_PER_ADDRESS: Final = 10
SESSIONS: Final = 4
"""Of one connection at once."""
NAMELESS: Final = ("", "games", "play")
"""User names that are no wish to be called so."""
_MADE_ROOM: Final = (
    "clocktowers: too many people are logging in, and you took longest: connect again."
)
_calling: ContextVar["_Caller"] = ContextVar("calling")


class SshDoor:
    """Of one process; `take` gets each accepted socket."""

    def __init__(self, setup: Setup, guests: Guests) -> None:
        """Raises OSError."""
        logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
        self.guests: Final = guests
        self.hello_s: Final = setup.hello_s
        self.asks_password: Final = setup.asks_password
        self.strangers: Final = Places(
            STRANGERS, STRANGERS_PER_ADDRESS, loopback_counts=setup.loopback_counts
        )
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._options: Final = asyncssh.SSHServerConnectionOptions(
            server_factory=_calling.get,
            server_host_keys=[str(host_key.file(Path(setup.state)))],
            server_version="clocktowers",
            login_timeout=LOGIN_S,
            keepalive_interval=KEEPALIVE_S,
            keepalive_count_max=KEEPALIVES,
            compression_algs=["zlib@openssh.com", "none"],
            encoding=None,
            window=2 * TYPED_BYTES,
            max_pktsize=TYPED_BYTES,
            line_editor=False,
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
            gss_host=None,
            host_based_auth=False,
        )

    def take(self, sock: socket.socket, address: str) -> None:
        """Serve a caller, who is at that address. Owns the socket."""
        caller = _Caller(self, address)
        caller.comes()
        sock.setblocking(False)
        task = asyncio.get_running_loop().create_task(self._serve(sock, caller))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, sock: socket.socket, caller: "_Caller") -> None:
        """Closes no socket: the loop does, and then its number may be another caller's."""
        _calling.set(caller)
        try:
            await asyncssh.run_server(sock, options=self._options)
        except (OSError, asyncssh.Error) as error:
            structlog.get_logger().debug("ssh: refused", why=str(error), address=caller.address)
            caller.known()  # who has gone before asyncssh heard of them has no other end
        except BaseException:
            caller.known()
            raise


class _Caller(asyncssh.SSHServer):
    """One connection."""

    def __init__(self, door: SshDoor, address: str) -> None:
        self.door: Final = door
        self.address: Final = address
        self.key = ""
        """The fingerprint of the key that the last step was about. Each other way in takes it back,
        and asyncssh checks the signature between this step and the end; so at the end it is the
        caller's own key, or none."""
        self.password = ""
        self.sessions = self.clients = 0
        self._place: TakenPlace | None = None
        self._patience: Final = Timer()
        self._connection: asyncssh.SSHServerConnection | None = None

    def comes(self) -> None:
        """Take a place."""
        self._place = self.door.strangers.take(self.address, self._make_room)

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        if self._place is not None and self._place.taken:
            self._patience.start(self.door.hello_s, self._end_silent)
        else:
            conn.abort()

    def _end_silent(self) -> None:
        """Hang up, unless the caller has said what they speak: then they have `LOGIN_S`."""
        assert self._connection is not None
        if self._connection.get_extra_info("client_version") is None:
            self._connection.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.known()

    def known(self) -> None:
        """They have a client, or have gone."""
        self._patience.stop()
        if self._place is not None:
            self._place.give_back()

    def _make_room(self) -> None:
        """Somebody else gets their place; `connection_made` hangs up where that comes too late."""
        if self._connection is not None:
            self._connection.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, _MADE_ROOM)

    def _wait(self, limit_s: float) -> None:
        """Hang up, unless the caller gets on meanwhile."""
        assert self._connection is not None
        self._patience.start(limit_s, self._connection.abort)

    # Who it is ----------------------------------------------------------------------------------

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        self.key = key.get_fingerprint()
        return True

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:
        """Nothing is asked of a caller without a key, unless the server has a password."""
        self.key = ""
        if not self.door.asks_password:
            return True
        return "", "", "", [("The server's password: ", False)]

    def validate_kbdint_response(self, username: str, responses: Any) -> bool:
        return self._said(str(responses[0]) if len(responses) == 1 else "")

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return self._said(password)

    def _said(self, password: str) -> bool:
        """The game server checks it when the client comes in, and counts wrong ones."""
        self.key, self.password = "", password
        return True

    def auth_completed(self) -> None:
        self._wait(self.door.hello_s)

    # What they want -----------------------------------------------------------------------------

    def session_requested(self) -> Any:
        if self.sessions >= SESSIONS:
            return False
        self.sessions += 1
        return Channel(
            self.door.guests, self._arriving(), self._client_comes, self._client_goes, self._closed
        )

    def _arriving(self) -> Arriving:
        """Who they are, as far as that is known before there is a terminal."""
        assert self._connection is not None
        user = str(self._connection.get_extra_info("username") or "")
        coded = user.startswith(CODE_BEGINS)
        return Arriving(
            self.address,
            proof=f"ssh {self.key}" if self.key else "",
            code=user if coded else "",
            name="" if coded or user.lower() in NAMELESS else user[:100],
            password=self.password,
        )

    def _client_comes(self) -> None:
        self.clients += 1
        self.known()

    def _client_goes(self) -> None:
        """Who has none any more gets on, or is hung up on: nothing else counts their sessions."""
        self.clients -= 1
        if self.clients == 0:
            self._wait(self.door.hello_s)

    def _closed(self) -> None:
        """A session is over. With the last the connection is."""
        self.sessions -= 1
        if self.sessions == 0 and self._connection is not None:
            self._connection.close()
