"""What the player's friends type to get here."""

from collections.abc import Sequence

from clocktowers_tui.text.i18n import _


def joining_in_words(friends: Sequence[str]) -> str:
    """A line for each address of the player's own server."""
    return "\n".join(f"{typing_in_words()}  {command}" for command in commands(friends))


def commands(addresses: Sequence[str], table: str = "") -> list[str]:
    """What leads to a server, or to a table of it."""
    at = f" --table {table}" if table else ""
    return [f"clocktowers join {address}{at}" for address in addresses]


def typing_in_words() -> str:
    return _("Friends type:")
