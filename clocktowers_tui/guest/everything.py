"""Imports all of the client when it is imported itself: in the process that forks the clients of
guests, so that all of them share it."""

from importlib import import_module
from pkgutil import walk_packages

import clocktowers_tui

for _module in walk_packages(clocktowers_tui.__path__, "clocktowers_tui."):
    if not _module.name.endswith("__main__"):
        import_module(_module.name)
