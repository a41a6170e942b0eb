"""Every error between the client and a server. `phrases.codes` has the sentences."""

from collections.abc import Mapping
from enum import StrEnum

from protocol.errors import GoodbyeCode, Param


class Fault(StrEnum):
    """What went wrong; the comment behind each names its parameters."""

    BAD_ADDRESS = "bad_address"  # address
    INVITATION_MISTYPED = "invitation_mistyped"
    INVITATION_CUT = "invitation_cut"
    INVITATION_NEWER = "invitation_newer"
    MOVES = "moves"
    OTHER_SERVER = "other_server"  # address
    UNKNOWN_HOST = "unknown_host"  # host
    CLOSED_PORT = "closed_port"  # address
    UNREACHABLE = "unreachable"  # address
    TIMEOUT = "timeout"  # address
    NOT_OURS = "not_ours"  # address
    NO_TLS = "no_tls"  # address
    KEY_CHANGED = "key_changed"  # address
    HUNG_UP = "hung_up"  # address
    MUTE = "mute"  # address
    NONSENSE = "nonsense"
    SENSELESS = "senseless"
    TURNED_AWAY = "turned_away"
    LOST = "lost"  # address
    SILENT = "silent"  # address
    SEAT_GONE = "seat_gone"  # address
    SEAT_ELSEWHERE = "seat_elsewhere"
    LOCAL_SLOW = "local_slow"
    LOCAL_FAILED = "local_failed"  # reason
    LOCAL_ENDED = "local_ended"  # file


class LinkError(Exception):
    """The line could not be opened, or is broken."""

    def __init__(self, fault: Fault, **params: Param) -> None:
        super().__init__(fault.value)
        self.fault = fault
        self.params: Mapping[str, Param] = params


class TurnedAway(LinkError):
    """The server said goodbye; `code` is a `GoodbyeCode` or a newer server's own."""

    def __init__(self, code: str, params: Mapping[str, Param]) -> None:
        super().__init__(Fault.TURNED_AWAY)
        self.code = code
        self.params = params


def moved(error: LinkError) -> tuple[str, str] | None:
    """Where the server leads the player, "" = anywhere that it is found, and the ticket for it."""
    if isinstance(error, TurnedAway) and error.code == GoodbyeCode.MOVED:
        return str(error.params.get("at", "")), str(error.params.get("ticket", ""))
    return None


def stopped(error: LinkError) -> bool:
    """Whether the server has said that it stops: when it starts again its matches go on, and
    nothing else does."""
    return isinstance(error, TurnedAway) and error.code == GoodbyeCode.SHUTDOWN
