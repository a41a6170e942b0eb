"""The state of the connection, for the banner."""

from clocktowers_tui.state.connection import Connection
from clocktowers_tui.text.i18n import _


def trouble_in_words(connection: Connection | None) -> str:
    """A few words; "" when there is nothing to say."""
    if connection is None or not connection.attempt:
        return ""
    return _("reconnecting, try {n}").format(n=connection.attempt)


def port_taken_in_words(taken: int, port: int, *, by_own: bool) -> str:
    """The player's own server has another port than it was asked to have."""
    sentence = (
        _("Your other server has port {taken}: friends use port {port}. Or stop it and host again.")
        if by_own
        else _(
            "Another program has port {taken}: friends use port {port}. Or stop it and host again."
        )
    )
    return sentence.format(taken=taken, port=port)


def renamed_in_words(name: str) -> str:
    """Why the player has another name at this server than they asked for."""
    return _("Another player has that name: here you are {name}.").format(name=name)


def unsent_in_words(connection: Connection | None) -> str:
    """What becomes of an action now; "" when it goes out at once."""
    if not trouble_in_words(connection):
        return ""
    return _("The connection is lost: this is sent when it is back.")
