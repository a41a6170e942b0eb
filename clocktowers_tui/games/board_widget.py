"""The board of a game on the match screen: data go down (`Board.show`), messages come up
(`Board.Chosen`, `Board.Hint`, `Board.Strayed`, `Board.Arranged`, `Board.LogWanted`).
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual.message import Message

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.surviving import Guarded
from clocktowers_tui.keys.actions import KeyGroups
from clocktowers_tui.keys.keymap import Keymap, keymap_of


class Board(Guarded):
    """A game's interactive board. It takes the focus and handles its own keys.

    After `Chosen` it takes no choice until the next `show`, so that a key pressed twice cannot play
    twice: code that drops an action must call `show` all the same.
    """

    class Chosen(Message):
        """The player wants this action (the game's own Struct); nothing has been sent yet.

        It may be one that the view does not list: the server's refusal tells the player why.
        """

        def __init__(self, action: Any) -> None:
            super().__init__()
            self.action = action

    class Hint(Message):
        """One line for the status: why a pick is impossible, or what may follow; "" clears it."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Arranged(Message):
        """The player has chosen a layout, in the game's own word for it: keep it for next time."""

        def __init__(self, layout: str) -> None:
            super().__init__()
            self.layout = layout

    class Strayed(Message):
        """While the board is guided: a key led elsewhere, and the choice stays as it was. `why`:
        the rules speak against it; "" for what only the lesson does not ask for."""

        def __init__(self, why: str = "") -> None:
            super().__init__()
            self.why = why

    result_leaves: ClassVar[str] = ""
    """The id of the pane that the result leaves in sight, where there is room."""
    result_beside: ClassVar[bool] = True
    """It stands at the right of that pane; else above it."""

    class LogWanted(Message):
        """The last lines of the log were clicked on."""

    def show(
        self, view: Any, names: Sequence[str], *, waiting: bool, log: Sequence[str] = ()
    ) -> None:
        """Draw a view. `names` by seat, clean. `waiting`: an action is under way to the server,
        so nothing can be chosen until the next call. `log`: the newest lines, oldest first; the
        board shows as many of the last ones as it has room for."""
        raise NotImplementedError

    def leap(
        self, before: Any, view: Any, names: Sequence[str], *, log: Sequence[str] = ()
    ) -> None:
        """Draw a view of another moment, which is only looked at: nothing moves. `before`: the view
        that led to it, None at the deal."""
        raise NotImplementedError

    def restyle(self, look: Look) -> None:
        """Draw in another way from now on; what is chosen stays chosen."""
        raise NotImplementedError

    async def still(self) -> None:
        """Wait until nothing moves on the board."""

    def actions_now(self) -> KeyGroups:
        """The actions that do something now, for the key line and the palette. They may change with
        each `show` and each `Hint`."""
        raise NotImplementedError

    def explain(self) -> Sequence[str]:
        """Sentences for the help: what can be done now, and how."""
        raise NotImplementedError

    def aside(self) -> str:
        """What is looked at instead of the player's own things, for the banner; "" usually. It may
        change with each `Hint`."""
        return ""

    def goal(self) -> Sequence[str]:
        """Sentences for the help: what the game is about."""
        return ()

    def legend(self) -> Sequence[str]:
        """Sentences for the help: how to read what only the present layout shows."""
        return ()

    @property
    def keymap(self) -> Keymap:
        """The player's keys, for sentences that name some."""
        return keymap_of(self.app)

    @property
    def choice(self) -> Any:
        """What is chosen now; it is equal to that of another moment while no key has changed it."""
        return None

    def suggest(self, action: Any) -> None:
        """Choose this action (the game's own Struct) as the player's keys would, without playing
        it, and say as a `Hint` what it brings and why; do nothing for what is impossible."""
        raise NotImplementedError

    def guide(self, wanted: Sequence[Any] | None) -> None:
        """From now on take only keys that lead to one of these actions, from the beginning of a
        choice; None: all."""

    def seek(self, sought: Sequence[Any]) -> None:
        """Take all keys, from the beginning of a choice in which none of these actions is made yet:
        the player has to find one."""

    def hide(self, names: frozenset[str]) -> None:
        """In a lesson: leave out these parts, by their ids, and these notes of the game's own,
        until the next call."""

    def follows(self) -> str:
        """In a lesson what follows on the keys pressed so far; "" before the first."""
        return ""

    def step_back(self) -> bool:
        """Undo the last step of an unfinished choice; False when there was none."""
        raise NotImplementedError

    def put_back(self) -> None:
        """Undo all its steps, without a word."""

    def put_right(self, action: Any) -> str:
        """In a lesson: undo what is wrong with an action that the step does not want, and say what
        that is; "" where nothing is to be said of it."""
        self.put_back()
        return ""
