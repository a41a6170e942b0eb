"""Servers to go to, in words."""

from typing import Final

from clocktowers_tui.net.address import Address
from clocktowers_tui.net.nearby import Deaf, Heard
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import _, pgettext

_ADDRESS: Final = 21
_ABOUT: Final = 16
_GAP: Final = 2


def known_server_in_words(address: Address, heard: Heard | None, width: int) -> str:
    """A line of the list: a name, the address, and what there is to know. `heard` None: the player
    has been there."""
    name, ends = "" if heard is None else heard.nearby.name, " " * _GAP + _about(heard)
    first = max(0, width - _GAP - _ABOUT)
    if not name:
        return pad(str(address), first) + ends
    return pad(name, first - _GAP - _ADDRESS) + " " * _GAP + pad(str(address), _ADDRESS) + ends


def _about(heard: Heard | None) -> str:
    if heard is None:
        return pgettext("of a server, 16 cells", "joined before")
    if not heard.nearby.understood:
        return pgettext("of a server, 16 cells", "another version")
    if heard.nearby.password:
        return pgettext("of a server, 16 cells", "asks a password")
    return pgettext("of a server, 16 cells", "on your network")


def looking_in_words() -> str:
    return _("Looking for servers on your network…")


def nobody_in_words() -> str:
    return _("You see no server on your network yet.")


def deaf_in_words(error: Deaf) -> str:
    """Why no server on the network can be heard, and what to do."""
    if not error.why:
        return _("Ask your host for an invitation, or for the server's address.")
    said = _("You cannot see servers on your network: {why}. Type an address.")
    return said.format(why=error.why)
