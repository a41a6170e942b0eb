"""Errors between here and a server, in words."""

from collections.abc import Mapping
from typing import Final

from clocktowers_tui.net.address import HOUSE
from clocktowers_tui.net.errors import Fault, LinkError, TurnedAway
from clocktowers_tui.net.ticket import PasswordAsked
from clocktowers_tui.phrases.filling import fill
from clocktowers_tui.phrases.goodbyes import goodbye_in_words
from clocktowers_tui.phrases.guests import house_in_words
from clocktowers_tui.text.i18n import N_, _

SENTENCES: Final[Mapping[Fault, str]] = {
    Fault.BAD_ADDRESS: N_(
        "“{address}” is not an address: write HOST or HOST:PORT, as 192.168.1.5:7777."
    ),
    Fault.INVITATION_MISTYPED: N_("A letter of that invitation is wrong; paste it again."),
    Fault.INVITATION_CUT: N_("That invitation is cut off; paste or type all of it."),
    Fault.INVITATION_NEWER: N_("That invitation is of a newer version; update this program."),
    Fault.OTHER_SERVER: N_(
        "{address} is not the server of your invitation: another may stand in for it! Nothing was "
        "sent. Ask the host for another invitation."
    ),
    Fault.UNKNOWN_HOST: N_("No host is called “{host}”; check the spelling."),
    Fault.CLOSED_PORT: N_(
        "Nothing answers at {address}; check host and port, and that the server runs there."
    ),
    Fault.UNREACHABLE: N_("You cannot reach {address}; check the address and your network."),
    Fault.TIMEOUT: N_("{address} did not answer in time; check the address and try again."),
    Fault.NOT_OURS: N_("{address} answers, but is not a Clocktowers server; check host and port."),
    Fault.NO_TLS: N_(
        "{address} does not encrypt: others could read your cards and take your seat. If you "
        "accept that, write --unencrypted behind the address."
    ),
    Fault.KEY_CHANGED: N_(
        "{address} does not show the key that you know it by: nothing was sent! Ask its host; if "
        "the key is new, write --new-key behind the address."
    ),
    Fault.HUNG_UP: N_(
        "{address} hung up at once; check host and port, and that the server runs there."
    ),
    Fault.MUTE: N_("{address} says nothing; check host and port."),
    Fault.NONSENSE: N_("This program cannot read the server's answer; update both programs."),
    Fault.SENSELESS: N_(
        "The server's answers make no sense, so you were disconnected; update both programs."
    ),
    Fault.TURNED_AWAY: N_("The server closed the connection; connect again."),
    Fault.LOST: N_("The connection to {address} was lost."),
    Fault.SILENT: N_("{address} was silent for a minute; connect again."),
    Fault.NO_ANSWER: N_("{address} gave no answer; connect again."),
    Fault.SEAT_GONE: N_(
        "Your seat at {address} is gone: the match is over, or the server has restarted."
    ),
    Fault.SEAT_ELSEWHERE: N_("You are playing that seat in another window."),
    Fault.LOCAL_SLOW: N_("The game's own server did not start in time; try again."),
    Fault.LOCAL_FAILED: N_("The game's own server could not start: {reason}"),
    Fault.LOCAL_ENDED: N_("The game's own server ended unexpectedly; its log says why: {file}"),
}

PASSWORD_ASKED: Final[Mapping[bool | None, str]] = {
    None: N_("The server asks for a password."),
    True: N_(
        "The server asks for a password. Nothing encrypts it: others on the network could read it."
    ),
    False: N_(
        "The server takes a password over encrypted connections only; ask the host for an "
        "invitation."
    ),
}


def fault_in_words(error: LinkError) -> str:
    """What went wrong and what to do, as one sentence."""
    if isinstance(error, PasswordAsked):
        return _(PASSWORD_ASKED[error.in_clear])
    if isinstance(error, TurnedAway):
        return goodbye_in_words(error.code, error.params)
    params = {**error.params}
    if params.get("address") == str(HOUSE):
        params["address"] = house_in_words()
    return fill(SENTENCES[error.fault], params)
