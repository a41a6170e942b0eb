"""The keys of a board, and plain mode's words for them: one table a game, a row for each key.

From the rows follow the bindings, the help, plain mode's deeds and, where a game does not choose
them itself, the keys that lead somewhere now.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Deed, KeyGroups, Named, bound
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.i18n import N_, _

if TYPE_CHECKING:  # plain mode runs without Textual
    from textual.binding import BindingType


class Step(NamedTuple):
    """What a key makes of a choice. `remark`: why it did nothing, with the names of keys in braces
    (`with_keys`)."""

    selection: Any
    action: Any = None
    remark: str | None = None


Choose: TypeAlias = Callable[[Any, Any], Step]
"""What a key does to a choice: a function of `choosing`, of the view and the selection."""


class Key(NamedTuple):
    """`words`: what it does, in few words, translated when it is shown; rows with the same words
    that follow each other stand together, and those without stand nowhere. `does`: to the choice;
    or, where it concerns the board alone, a call of the board's method, as in a binding. `deed`:
    how plain mode says it, where one that `waits` is a move; several keys may be one deed, and a
    deed may have no key."""

    action: Action | None
    words: str = ""
    does: Choose | str = ""
    deed: Deed | None = None


def bindings(keys: Sequence[Key]) -> "list[BindingType]":
    """For the class of the board."""
    return [
        bound(key.action, key.does if isinstance(key.does, str) else f"key({row})")
        for row, key in enumerate(keys)
        if key.action is not None
    ]


def answers(keys: Sequence[Key]) -> KeyGroups:
    """All actions of the board, for the help."""
    groups: list[tuple[list[Action], str]] = []
    for key in keys:
        if key.action is None or not key.words:
            continue
        if not groups or groups[-1][1] != _(key.words):
            groups.append(([], _(key.words)))
        groups[-1][0].append(key.action)
    return groups


def leading(keys: Sequence[Key], view: Any, selection: Any) -> KeyGroups:
    """The actions that lead somewhere from here: what they do to the choice has no remark."""
    return answers(
        [
            key
            for key in keys
            if not isinstance(key.does, str) and key.does(view, selection).remark is None
        ]
    )


def deeds(keys: Sequence[Key]) -> Sequence[Deed]:
    """What can be typed, with the keys that do the same."""
    found: dict[str, Deed] = {}
    for key in keys:
        if key.deed is not None:
            deed = found.setdefault(key.deed.word, key.deed)
            own = () if key.action is None else (key.action,)
            found[deed.word] = deed._replace(keys=(*deed.keys, *own))
    return (*found.values(),)


# The keys that a sentence names ------------------------------------------------------------------


ALL_BOARDS: Final[Named] = {
    "moves": (actions.UP, actions.DOWN, actions.LEFT, actions.RIGHT),
    "confirm": (actions.CONFIRM,),
    "back": (actions.BACK,),
    "result": (actions.RESULT,),
    "leave": (actions.LEAVE,),
}


def with_keys(text: str, keymap: Keymap, named: Named, **told: object) -> str:
    """A sentence, translated, with the keys that it names. `told`: what else stands in it."""
    keys = {name: keymap.names(together) for name, together in {**ALL_BOARDS, **named}.items()}
    return text.format(**{**keys, **told})


NOT_YOUR_TURN: Final = N_("It is not your turn yet.")
WATCHING: Final = N_("You are watching: you cannot play.")
OVER: Final = N_("The match is over: {result} shows the result, {leave} leaves.")


def not_now(view: Any) -> str:
    """Why the player of a game in turns has nothing to choose; a remark."""
    if view.turn is None or view.phase == "over":
        return OVER
    return WATCHING if view.seat is None else NOT_YOUR_TURN
