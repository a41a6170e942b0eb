"""What a guest of a server has to know."""

from clocktowers_tui.text.i18n import _, ngettext
from protocol.guests import House


def staying_in_words(house: House | None) -> str:
    """Said in the lobby: how a guest comes back, and when their line ends; "" for other players."""
    if house is None:
        return ""
    lines = [code_in_words(house.code), idle_told_in_words(house.idle_s)]
    return "\n".join(line for line in lines if line)


def code_in_words(code: str) -> str:
    """How a guest without a key comes back to their seat."""
    if not code:
        return ""
    said = _("To come back to your seat, log in as {code}.")
    return said.format(code=code)


def idle_soon_in_words() -> str:
    return _("Press a key, or your connection ends soon.")


def silent_in_words() -> str:
    """The same, where lines are typed."""
    return _("Press Enter, or your connection ends soon.")


def idle_in_words(idle_s: float) -> str:
    """Why the line has ended."""
    minutes = _minutes(idle_s)
    return ngettext(
        "You pressed nothing for {n} minute: the connection has ended. Connect again.",
        "You pressed nothing for {n} minutes: the connection has ended. Connect again.",
        minutes,
    ).format(n=minutes)


def idle_told_in_words(idle_s: float) -> str:
    """Said when the guest comes."""
    minutes = _minutes(idle_s)
    return ngettext(
        "The connection ends when you press nothing for {n} minute.",
        "The connection ends when you press nothing for {n} minutes.",
        minutes,
    ).format(n=minutes)


def _minutes(seconds: float) -> int:
    return max(1, round(seconds / 60))


def failed_in_words() -> str:
    return _("This program has failed; connect again.")


def coming_in_words(table: str) -> str:
    """How friends of a guest come to this table."""
    said = _("Friends come to this server as you did, and join table {code}.")
    return said.format(code=table)


def house_in_words() -> str:
    """The server whose guest the player is, in place of an address."""
    return _("this server")
