"""A guest's client as an SSH client has it: what it paints goes into a channel of the connection,
what is typed comes out of it. Where no terminal is asked for, the client speaks line by line.

Laws: nothing is run but the guest's client; a command is the table where the guest goes; what the
client has no time to read waits at the caller's end.
"""

import re
from collections.abc import Callable
from typing import Any, Final

import asyncssh

from server.guests.guest import STOPPED, Guest, Size
from server.guests.guests import Arriving, Guests, TurnedAway

UNSENT_BYTES: Final = 32 * 1024
"""What waits for a slow caller; then the client waits, and paints only what is new when it goes
on."""
_COMMAND: Final = re.compile(r"\s*(watch\s+)?([A-Za-z0-9-]{1,40})\s*", re.IGNORECASE)
_HELP: Final = (
    "clocktowers: no commands are run here; leave it out, or give a table: ssh -t HOST CODE"
)
_BY_LINES: Final = "clocktowers: without a terminal you play by lines of text; for a screen: ssh -t"
_FAILED: Final = "clocktowers: your client has failed; your seat is held: connect again."
_STOPPED: Final = "clocktowers: the server has stopped; a seat that you have is held."


class Channel(asyncssh.SSHServerSession[bytes]):
    """A `Screen`. `caller`: who it is, still without a terminal. `comes` is called when they have a
    client, `goes` when it has ended, `closed` at the end."""

    def __init__(
        self,
        guests: Guests,
        caller: Arriving,
        comes: Callable[[], None],
        goes: Callable[[], None],
        closed: Callable[[], None],
    ) -> None:
        self._guests: Final = guests
        self._caller: Final = caller
        self._comes: Final = comes
        self._goes: Final = goes
        self._closed: Final = closed
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._guest: Guest | None = None
        self._has_client = False
        self._term = ""
        self._size: Size | None = None
        self._command = ""

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan
        chan.set_write_buffer_limits(high=UNSENT_BYTES)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._guest is not None:
            self._guest.hang_up()
        self._client_ends()
        self._closed()

    def pty_requested(self, term_type: str, term_size: Any, term_modes: Any) -> bool:
        self._term, self._size = term_type, Size(*term_size[:2])
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._size = Size(width, height)
        if self._guest is not None:
            self._guest.resize(self._size)

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self._command = command
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        return False

    def session_started(self) -> None:
        asked = _COMMAND.fullmatch(self._command) if self._command else None
        if self._command and asked is None:
            self._refuse(_HELP)
        else:
            watch, table = asked.groups() if asked is not None else ("", "")
            if table and self._size is None:  # for a command ssh asks for none by itself
                self._tell(_BY_LINES)
            self._let_in(table, watch=bool(watch))

    def _let_in(self, table: str, *, watch: bool) -> None:
        assert self._channel is not None
        environ = dict(self._channel.get_environment())
        arriving = self._caller._replace(
            environ={**environ, "TERM": self._term},
            size=self._size,
            table=table.upper(),
            watch=watch,
        )
        try:
            self._guest = self._guests.open(arriving, self)
        except TurnedAway as refusal:
            self._refuse(f"clocktowers: {refusal}")
        else:
            self._has_client = True
            self._comes()

    def _client_ends(self) -> None:
        if self._has_client:
            self._has_client = False
            self._goes()

    def _refuse(self, sentence: str) -> None:
        assert self._channel is not None
        self._tell(sentence)
        self._channel.exit(2)

    def _tell(self, sentence: str) -> None:
        """Beside what the client says."""
        assert self._channel is not None
        self._channel.write_stderr(f"{sentence}\r\n".encode())

    # The terminal -------------------------------------------------------------------------------

    def data_received(self, data: bytes, datatype: Any) -> None:
        if self._guest is not None:
            self._guest.type(data)
            if self._guest.unread and self._channel is not None:
                self._channel.pause_reading()

    def take_on(self) -> None:
        if self._channel is not None:
            self._channel.resume_reading()

    def eof_received(self) -> bool:
        """They type no more, but may still look."""
        if self._guest is not None:
            self._guest.end_typing()
        return True

    def break_received(self, msec: int) -> bool:
        return False

    def pause_writing(self) -> None:
        if self._guest is not None:
            self._guest.pause()

    def resume_writing(self) -> None:
        if self._guest is not None:
            self._guest.resume()

    def show(self, output: bytes) -> None:
        assert self._channel is not None
        self._channel.write(output)

    def over(self, status: int | None) -> None:
        assert self._channel is not None
        if status == STOPPED:
            self._tell(_STOPPED)
        elif status is None or status < 0:
            self._tell(_FAILED)
            status = 1
        self._channel.exit(status)
        self._client_ends()
