"""The parser of `clocktowers-server`, in the language of the terminal."""

from protocol import usage
from server.speaking import _, ngettext


class Parser(usage.Parser):
    words = staticmethod(_)
    plural = staticmethod(ngettext)
