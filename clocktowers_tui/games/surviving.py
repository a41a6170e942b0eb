"""A board that fails on a view that passed the checks: into the log with it, and on with the game.

Nothing that a lying server makes a board show can end the client by a key, a click or a resize.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from textual.actions import SkipAction

from clocktowers_tui.config.log_file import note
from clocktowers_tui.games.checks import failure

Method = TypeVar("Method", bound=Callable[..., Any])


def survive(error: Exception) -> None:
    """Write what failed into the log."""
    note(f"board: {failure(error)}")


def guarded(answer: Any) -> Callable[[Method], Method]:
    """A method that answers `answer` where it fails."""

    def guard(method: Method) -> Method:
        @wraps(method)
        def run(*args: Any, **kwargs: Any) -> Any:
            try:
                return method(*args, **kwargs)
            except SkipAction:
                raise
            except Exception as error:
                survive(error)
                return answer

        return cast(Method, run)

    return guard
