"""Every error between the client and a server."""

from collections.abc import Mapping
from enum import Enum, unique

from clocktowers_tui.text.i18n import N_
from protocol.errors import GoodbyeCode, Param


@unique
class Fault(Enum):
    """What went wrong and what to do, in a sentence."""

    BAD_ADDRESS = N_("“{address}” is not an address: write HOST or HOST:PORT, as 192.168.1.5:7777.")
    INVITATION_MISTYPED = N_("A letter of that invitation is wrong; paste it again.")
    INVITATION_CUT = N_("That invitation is cut off; paste or type all of it.")
    INVITATION_NEWER = N_("That invitation is of a newer version; update this program.")
    MOVES = N_("That code moves a player to this machine: clocktowers move-in takes it.")
    OTHER_SERVER = N_(
        "{address} is not the server of your invitation: another may stand in for it! Nothing was "
        "sent. Ask the host for another invitation."
    )
    UNKNOWN_HOST = N_("No host is called “{host}”; check the spelling.")
    CLOSED_PORT = N_(
        "Nothing answers at {address}; check host and port, and that the server runs there."
    )
    UNREACHABLE = N_("You cannot reach {address}; check the address and your network.")
    TIMEOUT = N_("{address} did not answer in time; check the address and try again.")
    NOT_OURS = N_("{address} answers, but is not a Clocktowers server; check host and port.")
    NO_TLS = N_(
        "{address} does not encrypt: others could read your cards and take your seat. If you "
        "accept that, write --unencrypted behind the address."
    )
    KEY_CHANGED = N_(
        "{address} does not show the key that you know it by: nothing was sent! Ask its host; if "
        "the key is new, write --new-key behind the address."
    )
    HUNG_UP = N_("{address} hung up at once; check host and port, and that the server runs there.")
    MUTE = N_("{address} says nothing; check host and port.")
    NONSENSE = N_("This program cannot read the server's answer; update both programs.")
    SENSELESS = N_(
        "The server's answers make no sense, so you were disconnected; update both programs."
    )
    TURNED_AWAY = N_("The server closed the connection; connect again.")
    LOST = N_("The connection to {address} was lost.")
    SILENT = N_("{address} gave no answer; connect again.")
    SEAT_GONE = N_(
        "Your seat at {address} is gone: the match is over, or the server has restarted."
    )
    SEAT_ELSEWHERE = N_("You are playing that seat in another window.")
    LOCAL_SLOW = N_("The game's own server did not start in time; try again.")
    LOCAL_FAILED = N_("The game's own server could not start: {reason}")
    LOCAL_ENDED = N_("The game's own server ended unexpectedly; its log says why: {file}")


class LinkError(Exception):
    """The line could not be opened, or is broken."""

    def __init__(self, fault: Fault, **params: Param) -> None:
        super().__init__(fault.name)
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
