"""The real rules with one thing broken, for the controls."""

from collections.abc import Callable
from typing import Any

from tests.laws.case import Rules


class Broken:
    """Passes every call on to the real rules, except for the functions it is given."""

    def __init__(self, real: Rules, **functions: Callable[..., Any]) -> None:
        self.real = real
        self.functions = functions

    def __getattr__(self, name: str) -> Any:
        return self.functions.get(name) or getattr(self.real, name)
