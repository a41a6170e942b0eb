"""The parser of `clocktowers`, in the player's language."""

from clocktowers_tui.text.i18n import _
from protocol import usage


class Parser(usage.Parser):
    words = staticmethod(_)
