"""What the client leans on of Textual beyond its public names, and why. Textual may change any
of it in a minor version; then a test here says which."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from textual._compositor import Compositor
from textual._styles_cache import StylesCache
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.events import Key
from textual.screen import Screen

import clocktowers_tui

METHODS = {
    "_compositor_refresh": "a paint waits for what comes with it",
    "_display": "the driver is handed cells",
    "_get_visual": "the cursor has one colour",
    "_handle_exception": "a screen that is made at the end",
    "_push_result_callback": "the first screen is home, and can be left",
    "get_inner_outer": "closed widgets are not kept",
}
"""Why we call or override each."""


class _Bound(App[None], inherit_bindings=False):
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "one", id="one"),
        Binding("a", "two", id="two"),
    ]


def _read(typed: str) -> list[str]:
    read = [*(parser := XTermParser()).feed(typed), *parser.tick()]
    return [one.key for one in read if isinstance(one, Key)]


def _batches(app: App[None]) -> bool:
    with app.batch_update():
        return app._batch_count == 1


NAMES: dict[str, tuple[str, Callable[[Any], object]]] = {
    "_dom_ready": ("the first paint waits for nothing", lambda app: app._dom_ready),
    "_batch_count": ("a batch is painted at its end", _batches),
    "_dirty_widgets": (
        "a paint that has waited paints all that has changed",
        lambda app: "update_widgets(self._dirty_widgets)" in inspect.getsource(Screen),
    ),
    "_compositor": ("it paints", lambda app: isinstance(app.screen._compositor, Compositor)),
    "_full_map_invalidated": ("a layout lays out", lambda _: Compositor()._full_map_invalidated),
    "_bindings": (
        "keys are listed as we wrote them",
        lambda app: [one.id for _key, one in app._bindings] == ["one", "two"],
    ),
    "_exit": ("a screen made at the end", lambda app: app._exit is False),
    "_handle_exception": (
        "it is handed the error alone",
        lambda app: [*inspect.signature(app._handle_exception).parameters] == ["error"],
    ),
    "_driver": ("the app tells the terminal", lambda app: isinstance(app._driver, Driver)),
    "_app": ("our driver is one of Textual's", lambda app: app._driver._app is app),
    "_loop": ("our driver is one of Textual's", lambda app: app._driver._loop.is_running()),
    "_mouse": ("our driver is one of Textual's", lambda app: app._driver._mouse is True),
    "_styles_cache": ("it has get_inner_outer", lambda app: StylesCache),
    "_xterm_parser": ("a thread of ours reads the keyboard", lambda app: _read("a\x1b") == ["a"]),
}
"""Attributes and modules: why we need each, and what we take for granted, of an app that runs."""

OTHERS = {"_actions", "_asdict", "_field_defaults", "_replace", "_value_"}  # not of Textual
PRIVATE = re.compile(r"_[a-z]")
FOLDER = Path(clocktowers_tui.__file__).parent


async def test_the_names_that_we_lean_on_mean_what_they_meant() -> None:
    app, broken = _Bound(), dict[str, object]()
    async with app.run_test():
        for name, (why, holds) in NAMES.items():
            try:
                broken |= {} if holds(app) else {name: why}
            except Exception as error:
                broken[name] = (why, error)
    assert not broken


def test_nothing_else_that_is_private_to_textual_is_used() -> None:
    """Where Textual calls it no more, nobody would notice."""
    assert {*_overridden()} == {*METHODS} - {"_push_result_callback", "get_inner_outer"}
    assert _used() <= {*METHODS, *NAMES, *OTHERS}


def _used() -> set[str]:
    """The private names in our text that no class of ours has, and Textual's private modules."""
    used, ours = set[str](), set[str]()
    for file in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.ImportFrom(module=str(module)) if module.startswith("textual._"):
                    used.add(module.removeprefix("textual."))
                case ast.Attribute(value=ast.Name("self"), attr=name, ctx=ast.Store()):
                    ours.add(name)
                case ast.Attribute(attr=name):
                    used.add(name)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    ours.add(name)
                case ast.AnnAssign(target=ast.Name(name)) | ast.Assign(targets=[ast.Name(name)]):
                    ours.add(name)
    return {name for name in used - ours if PRIVATE.match(name)}


def _overridden() -> Iterator[str]:
    """Private methods that one of our classes has in the place of one of Textual's."""
    for file in FOLDER.rglob("*.py"):
        if file.name == "__main__.py":
            continue
        parts = file.relative_to(FOLDER.parent).with_suffix("").parts
        module = ".".join(part for part in parts if part != "__init__")
        for one in vars(import_module(module)).values():
            if isinstance(one, type) and one.__module__ == module:
                theirs = [base for base in one.__mro__ if base.__module__.startswith("textual")]
                for name, part in vars(one).items() if theirs else ():
                    if inspect.isfunction(part) and PRIVATE.match(name):
                        yield from (name for base in theirs if callable(vars(base).get(name)))
