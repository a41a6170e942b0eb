"""The connection in words: its state, and how the player arrived."""

from typing import assert_never

from clocktowers_tui.net.journey import News, PortTaken, Renamed
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.state.connection import Connection
from clocktowers_tui.text.i18n import _
from protocol.from_server import Refused


def trouble_in_words(connection: Connection | None) -> str:
    """A few words; "" when there is nothing to say."""
    if connection is None or not connection.attempt:
        return ""
    return _("reconnecting, try {n}").format(n=connection.attempt)


def arrival_in_words(news: News) -> str:
    """What the player has to know about how they arrived."""
    match news:
        case Refused():
            return refused_in_words(news)
        case Renamed(name=name):
            return _("Another player has that name: here you are {name}.").format(name=name)
        case PortTaken(taken=taken, port=port, by_own=by_own):
            return _port_taken(by_own=by_own).format(taken=taken, port=port)
        case _:
            assert_never(news)


def _port_taken(*, by_own: bool) -> str:
    own = _(
        "Your other server has port {taken}: friends use port {port}. Or stop it and host again."
    )
    program = _(
        "Another program has port {taken}: friends use port {port}. Or stop it and host again."
    )
    return own if by_own else program


def unsent_in_words(connection: Connection | None) -> str:
    """What becomes of an action now; "" when it goes out at once."""
    if not trouble_in_words(connection):
        return ""
    return _("The connection is lost: this is sent when it is back.")
