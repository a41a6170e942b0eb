"""The guard of everything that draws a view: a board that fails is told of, and the client goes on.

A server may be broken, newer than this client, or lying: then values of its views contradict each
other, and drawing them fails, in any of these methods.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

from textual.actions import SkipAction
from textual.message import Message
from textual.widget import Widget

from clocktowers_tui.config.log_file import failure, note

_ANSWERS: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("show", "redraw", "suggest", "guide", "seek", "hide", "put_back")),
    **dict.fromkeys(("on_resize", "on_pane_picked", "take", "hint")),
    **dict.fromkeys(("explain", "goal", "legend", "actions_now"), ()),
    **dict.fromkeys(("aside", "follows", "put_right"), ""),
    "step_back": False,
    "arranged": {},
    "under": None,
}
"""The guarded methods, beside all actions, and what they answer when they fail."""


class Guarded(Widget):
    """A widget that draws what a server tells."""

    class Failed(Message):
        """The view cannot be shown."""

    def __init_subclass__(cls, **how: Any) -> None:
        super().__init_subclass__(**how)
        for name, method in [*vars(cls).items()]:
            if name in _ANSWERS or name.startswith("action_"):
                setattr(cls, name, _guarded(method, _ANSWERS.get(name)))


def _guarded(method: Callable[..., Any], answer: Any) -> Callable[..., Any]:
    @wraps(method)
    def run(self: Guarded, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except SkipAction:
            raise
        except Exception as error:
            survive(error)
            self.post_message(Guarded.Failed())
            return answer

    return run


def survive(error: Exception) -> None:
    """Write what failed into the log."""
    note(f"board: {failure(error)}")
