"""What the client leans on of Textual beyond its public names, and why. Textual may change any
of it in a minor version; then a test here says which."""

import ast
import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from textual._styles_cache import StylesCache
from textual.app import App
from textual.screen import Screen

import clocktowers_tui

LEANED: dict[str, tuple[Callable[..., Any], str, list[str]]] = {
    "_compositor_refresh": (
        Screen._compositor_refresh,
        "a paint waits for what comes with it: screens/screen.py",
        ["self"],
    ),
    "_push_result_callback": (
        Screen._push_result_callback,
        "the first screen is home, and can be left: app/places.py",
        ["self", "requester", "callback", "future"],
    ),
    "_handle_exception": (
        App._handle_exception,
        "a screen that is being made while the app ends is no failure: app/styled.py",
        ["self", "error"],
    ),
    "get_inner_outer": (
        StylesCache.get_inner_outer,
        "what a closed widget has painted is not kept, 60 MB: app/styled.py",
        [],
    ),
}
"""What it is, why we need it, and with which arguments."""

FOLDER = Path(clocktowers_tui.__file__).parent


@pytest.mark.parametrize("name", LEANED)
def test_what_we_lean_on_is_still_there(name: str) -> None:
    method, why, arguments = LEANED[name]
    known = [*inspect.signature(method).parameters]
    assert not arguments or known == arguments, why


def test_a_paint_still_goes_through_it() -> None:
    assert "_compositor_refresh()" in inspect.getsource(Screen._on_timer_update)
    assert "_compositor_refresh" in inspect.getsource(Screen._refresh_layout)


def test_no_other_private_method_of_textual_is_overridden() -> None:
    """Where Textual calls it no more, nobody would notice. What we call ourselves fails loudly."""
    assert {*_overridden()} == {*LEANED} - {"_push_result_callback", "get_inner_outer"}


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
                for name in _written(file, one.__name__) if theirs else ():
                    yield from (name for base in theirs if callable(vars(base).get(name)))


def _written(file: Path, name: str) -> set[str]:
    """The private methods that stand in our text of a class."""
    return {
        part.name
        for one in ast.walk(ast.parse(file.read_text()))
        if isinstance(one, ast.ClassDef) and one.name == name
        for part in one.body
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
        and part.name[:1] == "_" != part.name[1:2]
    }
