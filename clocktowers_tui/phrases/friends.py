"""What the player's friends type to get here."""

from collections.abc import Sequence

from clocktowers_tui.text.i18n import _


def joining_in_words(friends: Sequence[str], table: str = "") -> str:
    """A line for each address of the player's own server, and a warning."""
    if not friends:
        return ""
    at = f" --table {table}" if table else ""
    sentence = _("Friends join with:  clocktowers join {address}")
    lines = [sentence.format(address=f"{friend}{at}") for friend in friends]
    return "\n".join([*lines, _("The line is not encrypted: play on networks you trust.")])
