"""The parser of `clocktowers-server`, in the language of the terminal."""

from protocol import usage
from server.speaking import _


class ToolsParser(usage.Parser):
    words = staticmethod(_)
