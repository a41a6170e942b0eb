"""All screens of the client, found by looking: nobody has to list a new screen."""

import importlib
import pkgutil

from textual.screen import Screen

from clocktowers_tui import screens


def our_screens() -> set[str]:
    """The names of all classes that are shown as a screen of their own."""
    for module in pkgutil.iter_modules(screens.__path__, f"{screens.__name__}."):
        importlib.import_module(module.name)
    found: set[str] = set()
    todo: list[type] = [Screen]
    while todo:
        kind = todo.pop()
        todo += kind.__subclasses__()
        if kind.__module__.startswith(screens.__name__) and not kind.__subclasses__():
            found.add(kind.__name__)
    return found
