"""The running program: the app, the open line, which screen is shown, in which look.

What the menu's first picture does without is read behind it: a file that the picture needs imports
such a module whole, as in `from clocktowers_tui.net import wishes`.
"""

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec
from typing import Final

_LATER: Final = (
    *("app.places", "deeds.asking", "deeds.keeping", "deeds.plausible", "games.face", "new_table"),
    *("net.address", "net.errors", "net.journey", "net.seats", "net.trust", "net.wishes"),
    *("phrases.codes", "screens.dialogs", "state.store"),
)


def put_off() -> None:
    """From now on Python reads each of these when something in it is first asked for."""
    for name in (f"clocktowers_tui.{later}" for later in _LATER):
        if name not in sys.modules and (spec := find_spec(name)) and spec.loader:
            spec.loader = loader = LazyLoader(spec.loader)
            sys.modules[name] = module = module_from_spec(spec)
            loader.exec_module(module)
            package, _, own = name.rpartition(".")
            setattr(sys.modules[package], own, module)


def read_all() -> None:
    """Read them before two threads can ask at once."""
    for name in _LATER:
        vars(sys.modules[f"clocktowers_tui.{name}"])
