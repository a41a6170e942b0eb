"""Errors between here and a server, in words."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.phrases.filling import fill
from clocktowers_tui.phrases.goodbyes import goodbye_in_words
from clocktowers_tui.text.i18n import N_

SENTENCES: Final[Mapping[Fault, str]] = {
    Fault.BAD_ADDRESS: N_(
        "“{address}” is no address: write HOST or HOST:PORT, for example 192.168.1.5:7777, an IPv6 "
        "one as [::1]:7777."
    ),
    Fault.NO_INVITATION: N_(
        "This version reads no invitations: type HOST:PORT/TABLE, as the host's screen shows it."
    ),
    Fault.UNKNOWN_HOST: N_("No host is called “{host}”; check the spelling."),
    Fault.CLOSED_PORT: N_(
        "Nothing answers at {address}; check host and port, and that the server runs there."
    ),
    Fault.UNREACHABLE: N_("{address} cannot be reached; check the address and your network."),
    Fault.TIMEOUT: N_("{address} did not answer in time; check the address and try again."),
    Fault.NOT_OURS: N_(
        "{address} answers, but not as a Clocktowers server does: something else may be listening "
        "there; check host and port."
    ),
    Fault.HUNG_UP: N_(
        "{address} took the call and hung up: nothing runs at the far end of a tunnel, or "
        "something else is listening there; check host and port."
    ),
    Fault.MUTE: N_(
        "{address} took the call and then said nothing: something else than a Clocktowers server "
        "may be listening there; check host and port."
    ),
    Fault.NONSENSE: N_(
        "The server said something this program cannot read; bring both up to date."
    ),
    Fault.SENSELESS: N_(
        "The server says things that make no sense; the line is given up. Bring both up to date."
    ),
    Fault.TURNED_AWAY: N_("The server closed the line; connect again."),
    Fault.LOST: N_("The line to {address} was lost."),
    Fault.SILENT: N_("{address} has not been heard of for a minute; the line is given up."),
    Fault.NO_ANSWER: N_("{address} did not answer what was asked; the line is given up."),
    Fault.SEAT_GONE: N_(
        "{address} answers again, but your seat is gone: the match is over, or the server was "
        "started anew."
    ),
    Fault.SEAT_ELSEWHERE: N_("That seat is being played in another window of yours."),
    Fault.LOCAL_SLOW: N_("The game's own server did not start in time; try again."),
    Fault.LOCAL_FAILED: N_("The game's own server could not start: {reason}"),
    Fault.LOCAL_ENDED: N_("The game's own server ended unexpectedly; its log says why: {file}"),
}


def fault_in_words(error: LinkError) -> str:
    """What went wrong and what to do, as one sentence."""
    if isinstance(error, TurnedAway):
        return goodbye_in_words(error.code, error.params)
    return fill(SENTENCES[error.fault], error.params)
