"""How the line to the server is, for the banner."""

from clocktowers_tui.i18n import _
from clocktowers_tui.state.connection import Connection


def line_in_words(connection: Connection | None) -> str:
    """One or two words."""
    if connection is None or not connection.attempt:
        return _("live")
    return _("reconnecting ({n})").format(n=connection.attempt)
