"""`python -P -m clocktowers_tui.guest SOCKET`: has imported the client, and forks it for each guest
whom a door asks for. `SOCKET`: the number of the open socket to the door.

Laws: no guest's end is another's, or this process's; it ends with its door, and so do its guests.
Where a guest dies without giving the terminal back, this process gives it back.
"""

import gc
import os
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages
from select import select
from typing import Final, NoReturn

import msgspec

import clocktowers_tui
from clocktowers_tui.terminal import modes
from protocol.errors import GoodbyeCode, RemoteProtocolError
from protocol.framing import FrameDecoder, frame
from protocol.guests import MAX_ORDER_BYTES, Began, End, Ended, Order

_FILES_AT_ONCE: Final = 16
_MOST_FILES: Final = 4096
_CUT_SHORT: Final = "\x1b\\\x1b[?2026l"
"""Ends whatever sequence or frame the guest may have died in."""
_READ: Final = msgspec.msgpack.Decoder(Order | End)


class Forking:
    """`door`: the socket. One turn of `run` serves what has come and who has ended."""

    def __init__(self, door: socket.socket) -> None:
        self._door: Final = door
        self._frames: Final = FrameDecoder(MAX_ORDER_BYTES)
        self._files: Final[list[int]] = []
        self._guests: Final[dict[int, tuple[int, int]]] = {}
        """By process: its number at the door, and its terminal."""
        self._woken, self._waking = socket.socketpair()
        for end in (self._woken, self._waking):
            end.setblocking(False)
        signal.set_wakeup_fd(self._waking.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def run(self) -> None:
        """Raises RemoteProtocolError, msgspec.DecodeError and UnicodeDecodeError where the door
        talks nonsense."""
        try:
            while self._turn():
                pass
        finally:
            self._hang_up()

    def _turn(self) -> bool:
        """Whether the door is still there."""
        ready = select([self._door, self._woken], [], [])[0]
        if self._woken in ready:
            with suppress(BlockingIOError):
                self._woken.recv(4096)
            self._reap()
        return self._door not in ready or self._hear()

    def _hang_up(self) -> None:
        signal.set_wakeup_fd(-1)  # its socket goes with this object, and clients end after it
        for pid in self._guests:
            os.kill(pid, signal.SIGHUP)

    def _hear(self) -> bool:
        """The same."""
        try:
            data, files, _flags, _address = socket.recv_fds(self._door, 1 << 16, _FILES_AT_ONCE)
        except ConnectionError:  # it has left answers unread
            return False
        self._files.extend(files)
        self._frames.feed(data)
        while (payload := self._frames.next_frame()) is not None:
            match _READ.decode(payload):
                case Order() as order:
                    if not self._files:
                        raise RemoteProtocolError(GoodbyeCode.MALFORMED, "no terminal came with it")
                    self._begin(order, self._files.pop(0))
                case End(number=number, at_once=at_once):
                    for pid, (its, _terminal) in self._guests.items():
                        if its == number:
                            os.kill(pid, signal.SIGKILL if at_once else signal.SIGTERM)
        return bool(data)

    def _begin(self, order: Order, terminal: int) -> None:
        try:
            pid = os.fork()
        except OSError:
            os.close(terminal)
            self._tell(Ended(order.number, 1))
            return
        if pid == 0:
            become(order, terminal)
        self._guests[pid] = order.number, terminal
        self._tell(Began(order.number, pid))

    def _reap(self) -> None:
        while self._guests:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            number, terminal = self._guests.pop(pid)
            code = os.waitstatus_to_exitcode(status)
            if code < 0 and os.isatty(terminal):
                os.set_blocking(terminal, False)  # nobody may be there to read it
                with suppress(OSError):
                    os.write(terminal, (_CUT_SHORT + modes.leave(titled=True)).encode())
            self._tell(Ended(number, code))
            os.close(terminal)

    def _tell(self, report: Began | Ended) -> None:
        with suppress(OSError):  # the door has gone; `_hear` notices
            self._door.sendall(frame(msgspec.msgpack.encode(report)))


def become(order: Order, terminal: int) -> NoReturn:
    """Be the guest's client, from here to the end of this process."""
    status = 1
    try:
        os.setsid()
        for number in range(3):
            os.dup2(terminal, number)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.closerange(3, _MOST_FILES)
        os.environ.clear()
        os.environ.update(order.environ)
        from clocktowers_tui.guest.closed import run
        from clocktowers_tui.terminal.guard import Guard

        status = run(Guard())
    finally:
        os._exit(status)


def _import_all() -> None:
    """Everything that a guest may come to need, so that all of them share it."""
    for module in walk_packages(clocktowers_tui.__path__, "clocktowers_tui."):
        if not module.name.endswith("__main__"):
            import_module(module.name)


def main() -> None:
    door = socket.socket(fileno=int(sys.argv[1]))
    door.setblocking(True)
    _import_all()
    gc.collect()
    gc.freeze()
    try:
        Forking(door).run()
    except (RemoteProtocolError, msgspec.DecodeError, UnicodeDecodeError) as error:
        sys.exit(
            f"clocktowers_tui.guest: the door sent a broken order, and its guests end: {error}"
        )


if __name__ == "__main__":
    main()
