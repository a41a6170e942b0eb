"""What the attacking process is told, and what it reports."""

from enum import StrEnum

from msgspec import Struct


class Kind(StrEnum):
    """What a connection of the attack does after its hello; `attacker` does it."""

    READERS = "readers"  # ask for pages of the lobby from a table, and read none of them
    COMMANDS = "commands"  # ask for such pages without end, and read them
    SILENT = "silent"  # say nothing at all, not even hello
    CROWD = "crowd"  # stay, one of many from the same address
    TRICKLE = "trickle"  # begin a frame and send a byte of it each second
    GARBAGE = "garbage"  # say something that is no message; the next comes when it is thrown out
    HELLOS = "hellos"  # go when the server welcomes them; then the next comes
    PASSWORDS = "passwords"  # have a wrong password; the next comes when it is thrown out
    HANDSHAKES = "handshakes"  # say the first words of TLS and cut the line at the server's
    REKEYING = "rekeying"  # ask inside TLS for new keys, many times at once, until hung up on
    UPGRADES = "upgrades"  # ask for a page's terminal as a new guest, and go when it is there


class AttackPlan(Struct, frozen=True):
    """`rate_s`: connections opened a second, at most `connections` at a time. `asks`: pages asked
    for at once on each. `source`: the address that they come from."""

    kind: Kind
    connections: int
    rate_s: float
    asks: int = 0
    source: str = "127.0.0.1"
    port: int = 0


class Report(Struct, kw_only=True):
    """`opened`: connections that stood; `open`: how many still do; `served`: how many heard of the
    server. `asked`: steps of scripts that were said. `answers`: pages that came. `goodbyes`: of the
    server, by code."""

    opened: int = 0
    open: int = 0
    served: int = 0
    asked: int = 0
    answers: int = 0
    goodbyes: dict[str, int] = {}
