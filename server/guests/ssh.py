"""The SSH door: callers with an SSH client and nothing else.

A caller needs no account. Their key says who they are, the user name how they wish to be called.
Who has no key comes in, too; the user name may be the code that they were told. Their client takes
an invitation as the password, or as the user name.

Laws: nothing is run but the guest's client, and nothing is forwarded; a command is the table where
the guest goes. A caller who has not said what they speak, or is logged in and asks for nothing, is
held no longer than `hello_s`; who logs in has `LOGIN_S`. How many do so at once is bounded, by
`STRANGERS`.
"""

import logging
import re
import socket
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

import asyncssh
import structlog

from protocol.guests import House
from protocol.invitation import MOST_LETTERS, is_invitation
from server.doors.certificate import ssh_key_file
from server.guests.folders import CODE_BEGINS
from server.guests.guest import STOPPED, TYPED_BYTES, Guest, Size
from server.guests.guests import Arriving, Guests, TurnedAway
from server.guests.passing import Handed, Setup
from server.net.callers import Places
from server.tasks import Timer

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
UNSENT_BYTES: Final = 32 * 1024
"""What waits for a slow caller; then the client waits, and paints only what is new when it goes
on."""
_COMMAND: Final = re.compile(r"\s*(?:(watch\s+)?([A-Za-z0-9-]{1,40})\s*)?", re.IGNORECASE)
_HELP: Final = "no commands are run here; leave it out, or give a table: ssh -t HOST CODE"
_BY_LINES: Final = "without a terminal you play by lines of text; for a screen: ssh -t"
_FAILED: Final = "your client has failed; your seat is held: connect again."
_STOPPED: Final = "the server has stopped; a seat that you have is held."
_calling: ContextVar["_Caller"] = ContextVar("calling")


class SshDoor:
    """Of one process; `serve` gets each accepted socket."""

    def __init__(self, setup: Setup, guests: Guests) -> None:
        """Raises OSError."""
        logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
        self.guests: Final = guests
        self.hello_s: Final = setup.limits.hello_s
        self.asks_password: Final = setup.asks_password
        self.strangers: Final = Places(
            STRANGERS, STRANGERS_PER_ADDRESS, loopback_counts=setup.limits.loopback_counts
        )
        self._options: Final = asyncssh.SSHServerConnectionOptions(
            server_factory=_calling.get,
            server_host_keys=[str(ssh_key_file(Path(setup.state)))],
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

    async def serve(self, sock: socket.socket, handed: Handed) -> None:
        """Let a caller log in. Closes no socket: the loop does, and then its number may be another
        caller's."""
        _calling.set(caller := _Caller(self, handed))
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

    def __init__(self, door: SshDoor, handed: Handed) -> None:
        self.door: Final = door
        self.address: Final = handed.address
        self.elsewhere: Final = handed.elsewhere
        self.key = ""
        """The fingerprint of the key that the last step was about. Each other way in takes it back,
        and asyncssh checks the signature between this step and the end; so at the end it is the
        caller's own key, or none."""
        self.password = ""
        self.sessions = self.clients = 0
        self._late: Final = Timer()
        self._connection: asyncssh.SSHServerConnection | None = None
        self._place: Final = door.strangers.take(self.address, self._make_room)

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        if self._place.taken:
            self._late.start(self.door.hello_s, self._end_silent)
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
        self._late.stop()
        self._place.give_back()

    def _make_room(self) -> None:
        """Somebody else gets their place; `connection_made` hangs up where that comes too late."""
        if self._connection is not None:
            self._connection.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, _MADE_ROOM)

    def _wait(self, limit_s: float) -> None:
        """Hang up, unless the caller gets on meanwhile."""
        assert self._connection is not None
        self._late.start(limit_s, self._connection.abort)

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
        if not self.door.asks_password or is_invitation(username):
            return True
        return "", "", "", [("The server's password, or an invitation: ", False)]

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
        return Channel(self)

    def says(self, table: str, *, watch: bool) -> House:
        """Who they are, and where they want to go."""
        assert self._connection is not None
        user = str(self._connection.get_extra_info("username") or "")
        coded = user.startswith(CODE_BEGINS)
        return House(
            address=self.address,
            name="" if coded or user.lower() in NAMELESS else user[:MOST_LETTERS],
            password=self.password,
            table=table,
            watch=watch,
            code=user if coded else "",
        )

    def client_comes(self) -> None:
        self.clients += 1
        self.known()

    def client_goes(self) -> None:
        """Who has none any more gets on, or is hung up on: nothing else counts their sessions."""
        self.clients -= 1
        if self.clients == 0:
            self._wait(self.door.hello_s)

    def session_closes(self) -> None:
        """With the last the connection is over."""
        self.sessions -= 1
        if self.sessions == 0 and self._connection is not None:
            self._connection.close()


class Channel(asyncssh.SSHServerSession[bytes]):
    """A `Screen`: what the client paints goes into a channel of the connection, what is typed comes
    out of it. Where no terminal is asked for, the client speaks line by line.

    What the client has no time to read waits at the caller's end.
    """

    _channel: asyncssh.SSHServerChannel[bytes]
    """From the first call on."""

    def __init__(self, caller: "_Caller") -> None:
        self._caller: Final = caller
        self._guest: Guest | None = None
        """Until their client has ended."""

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan
        chan.set_write_buffer_limits(high=UNSENT_BYTES)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._guest is not None:
            self._guest.hang_up()
        self._client_ends()
        self._caller.session_closes()

    def pty_requested(self, term_type: str, term_size: Any, term_modes: Any) -> bool:
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        if self._guest is not None:
            self._guest.resize(Size(width, height))

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        return True

    def session_started(self) -> None:
        channel, caller = self._channel, self._caller
        term = channel.get_terminal_type()
        try:
            if (asked := _COMMAND.fullmatch(channel.get_command() or "")) is None:
                raise TurnedAway(_HELP)
            watch, table = asked.groups(default="")
            if table and term is None:  # for a command ssh asks for none by itself
                self._tell(_BY_LINES)
            arriving = Arriving(
                caller.says(table.upper(), watch=bool(watch)),
                proof=f"ssh {caller.key}" if caller.key else "",
                environ={**channel.get_environment(), "TERM": term or ""},
                size=None if term is None else Size(*channel.get_terminal_size()[:2]),
            )
            self._guest = caller.door.guests.open(arriving, self)
        except TurnedAway as refusal:
            self._tell(str(refusal))
            channel.exit(2)
        else:
            caller.client_comes()

    def _way_on(self) -> str:
        """How they dial another machine of the server, if it has one."""
        host, _, port = self._caller.elsewhere.rpartition(":")
        user = f"{self._guest.code}@" if self._guest is not None and self._guest.code else ""
        return f" Go on at another one: ssh -p {port} {user}{host.strip('[]')}" if host else ""

    def _client_ends(self) -> None:
        if self._guest is not None:
            self._guest = None
            self._caller.client_goes()

    def _tell(self, sentence: str) -> None:
        """Beside what the client says."""
        self._channel.write_stderr(f"clocktowers: {sentence}\r\n".encode())

    # The terminal -------------------------------------------------------------------------------

    def data_received(self, data: bytes, datatype: Any) -> None:
        if self._guest is not None:
            self._guest.type(data)
            if self._guest.unread:
                self._channel.pause_reading()

    def take_on(self) -> None:
        self._channel.resume_reading()

    def eof_received(self) -> bool:
        """They type no more, but may still look."""
        if self._guest is not None:
            self._guest.end_typing()
        return True

    def pause_writing(self) -> None:
        if self._guest is not None:
            self._guest.pause()

    def resume_writing(self) -> None:
        if self._guest is not None:
            self._guest.resume()

    def show(self, output: bytes) -> None:
        self._channel.write(output)

    def over(self, status: int) -> None:
        if status == STOPPED:
            self._tell(_STOPPED + self._way_on())
        elif status < 0:
            self._tell(_FAILED)
            status = 1
        self._channel.exit(status)
        self._client_ends()
