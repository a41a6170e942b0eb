"""All guests of a server: who may come in, where each keeps what is theirs, and their clients.

A door tells who calls (`Arriving`) and has a `Screen`; it gets a `Guest`, or a sentence that says
why not. Law: a guest counts until their client's process has ended.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final, NamedTuple

import structlog
from msgspec.structs import replace

from protocol.guests import SOCKET_NAME, House
from server.guests.folders import Folders, Lodging
from server.guests.guest import CannotStart, Guest, Screen, Size
from server.guests.passing import Setup
from server.net.callers import Addresses

TOLD: Final = (
    *("TERM", "COLORTERM", "NO_COLOR", "NO_MOTION", "TERM_PROGRAM"),
    *("LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"),
)
"""What a caller may say of their terminal and language."""
PASSWORD_BYTES: Final = 512
"""The longest password of a server fits in any alphabet, and it fits in a hello. An invitation may
be given as one."""
KEPT: Final = 4
"""Of so many places one is for addresses that have none."""
ENDING_S: Final = 2.0
_VALUE: Final = re.compile(r"[\w.+@:-]{1,64}", re.ASCII)
_UTF8: Final = "C.UTF-8"
"""For callers who do not say what their terminal understands: all of today's do."""


class TurnedAway(Exception):
    """The caller may not come in; the text is a sentence for them."""


class Arriving(NamedTuple):
    """Who calls at a door.

    `says`: what their client is told of them; its `code` is what they were told when they came
    without proof before. `proof`: what only they can have shown, as `ssh SHA256:…`; "" = nothing.
    `environ`: what they say of their terminal and language. `size`: of their terminal, None = they
    have none.
    """

    says: House
    proof: str = ""
    environ: Mapping[str, str] = {}
    size: Size | None = Size()


class Guests:
    """Of one server, for all of its doors."""

    def __init__(self, setup: Setup) -> None:
        """Raises OSError."""
        limits = setup.limits
        self._limits: Final = limits
        self._folders: Final = Folders(Path(setup.state))
        self._socket: Final = Path(setup.state) / SOCKET_NAME
        self._addresses: Final = Addresses(
            limits.guests_per_address, loopback_counts=limits.loopback_counts
        )
        self._lodged: Final[Counter[Path]] = Counter()
        self._here: Final[set[Guest]] = set()

    def __len__(self) -> int:
        return self._lodged.total()

    def open(self, caller: Arriving, screen: Screen) -> Guest:
        """Start a client for this caller. Raises TurnedAway."""
        if len(self) >= self._limits.guests:
            raise TurnedAway("All places for guests are taken; try again later.")
        if len(caller.says.password.encode("utf-8", "replace")) > PASSWORD_BYTES:
            raise TurnedAway(f"A password has {PASSWORD_BYTES} bytes at most.")
        leaving = ExitStack()  # closed when they go, or are not let in
        try:
            return self._let_in(caller, screen, leaving)
        except BaseException:
            leaving.close()
            raise

    def _let_in(self, caller: Arriving, screen: Screen, leaving: ExitStack) -> Guest:
        address = caller.says.address
        there = self._addresses.count(address)
        if there and self._limits.guests - len(self) <= self._limits.guests // KEPT:
            raise TurnedAway("The last places are for people who have none; try again later.")
        if not self._addresses.admit(address):
            raise TurnedAway(f"{there} guests from your address are here already; end one of them.")
        leaving.callback(self._addresses.release, address)
        lodging = self._lodging(caller)
        if self._lodged[lodging.home] >= self._limits.guests_per_identity:
            most = self._limits.guests_per_identity
            raise TurnedAway(f"You are here {most} times already; end one of them.")
        self._lodged[lodging.home] += 1
        leaving.callback(self._checked_out, lodging)
        house = replace(
            caller.says,
            socket=str(self._socket),
            home=str(lodging.home),
            identity=lodging.identity,
            code=lodging.code,
            idle_s=self._limits.guest_idle_s,
        )
        try:
            guest = Guest(house, _environ(caller), caller.size, screen, leaving.close)
        except CannotStart:
            structlog.get_logger().warning("no client can be started", address=address)
            raise TurnedAway("This server cannot start a client now; try again later.") from None
        self._here.add(guest)
        leaving.callback(self._here.discard, guest)
        return guest

    def _checked_out(self, lodging: Lodging) -> None:
        self._lodged[lodging.home] -= 1
        if not self._lodged[lodging.home]:
            del self._lodged[lodging.home]
            self._folders.left(lodging)

    async def end(self) -> None:
        """End all clients, in good order as far as that takes no longer than `ENDING_S`."""
        for guest in self._here:
            guest.end()
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDING_S):
                for guest in list(self._here):
                    await guest.ended.wait()
        for guest in self._here:
            guest.kill()

    async def prune(self) -> None:
        """Remove the folders that nobody will need."""
        with suppress(OSError):
            if gone := await self._folders.prune(self._lodged):
                structlog.get_logger().info("guests' folders pruned", folders=gone)

    def _lodging(self, caller: Arriving) -> Lodging:
        try:
            if caller.proof:
                return self._folders.of(caller.proof)
            return self._folders.passing(caller.says.code)
        except OSError as error:
            why = error.strerror or str(error)
            structlog.get_logger().error("no folder for a guest", why=why)
            raise TurnedAway("This server has no room for guests now; try again later.") from None


def _environ(caller: Arriving) -> dict[str, str]:
    """What a client is told of its caller's terminal and language, and nothing else."""
    said = {
        name: value
        for name, value in caller.environ.items()
        if name in TOLD and _VALUE.fullmatch(value)
    }
    if not any(name in said for name in ("LANG", "LC_ALL", "LC_CTYPE")):
        said["LANG"] = _UTF8
    return said
