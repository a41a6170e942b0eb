"""What plain mode needs of a game: its views as sentences, and typed commands as actions.

Laws: no sentence depends on colours, columns or time; what is numbered in a sentence has the same
number in a command.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from clocktowers_tui.keys.actions import Action


class Order(NamedTuple):
    """A command of a game. `word` and `short` are typed, `takes` is what follows them: all the same
    in every language. `words`: what it does, translated when it is shown. `actions`: of the
    registry, that a key would do. `asks`: it only tells something, also out of turn."""

    word: str
    words: str
    short: str = ""
    takes: str = ""
    actions: Sequence[Action] = ()
    asks: bool = False


Read: TypeAlias = "Any | Sequence[str]"
"""The game's own action, or sentences: what was asked for, or why there is no action."""


class Spoken(Protocol):
    """`names` by seat, clean. Sentences are localized."""

    orders: Sequence[Order]

    def turn(self, view: Any, names: Sequence[str]) -> Sequence[str]:
        """What the player has to know to choose now; nothing while there is nothing to choose."""

    def standing(self, view: Any) -> Sequence[str]:
        """Sentences of `turn` that a listener who has heard them need not hear once more."""

    def parts(self, view: Any, names: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """All that lies on the table, the player's own first, by a word that is typed: the same in
        every language."""

    def ending(self, view: Any, outcome: Any, names: Sequence[str]) -> Sequence[str]:
        """What everybody's points are made of, behind the first lines of `Face.result`."""

    def read(self, view: Any, names: Sequence[str], word: str, rest: Sequence[str]) -> Read:
        """What an order means now. `word`: of `orders`; "" where only numbers were typed. `rest`:
        the words behind it, in small letters. An action may be one that the rules refuse: the
        server's refusal says why."""

    def typed(self, view: Any, action: Any) -> str:
        """The command that takes this action, as `read` understands it."""

    def does(self, view: Any, action: Any) -> str:
        """What the player does with this action, for the middle of a sentence."""

    def wrong(self, action: Any, sought: Sequence[Any]) -> str:
        """In a lesson: what is wrong with an action where one of these is sought; "" where nothing
        is to be said of it."""

    def advice(self, view: Any, action: Any, names: Sequence[str]) -> str:
        """The sentence for a hint: what to do, and why."""


def scene(spoken: Spoken, view: Any, names: Sequence[str]) -> list[str]:
    """All that lies on the table."""
    return [said for part in spoken.parts(view, names).values() for said in part]


def number(words: Sequence[str], at: int = 0) -> int:
    """The whole number that stands there; -1 for none, or for one of many digits."""
    word = words[at] if at < len(words) else ""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 4 else -1


def sentence(text: str) -> str:
    """With a capital and an end."""
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?:" else ".")
