"""What the client needs of a game: a board widget, and words for the game's codes.

The match screen holds the board, the banner, the hint and the link; the board knows the game and
nothing of the link. Data go down (`Board.show`), messages come up
(`Board.Chosen`, `Board.Hint`, `Board.Strayed`, `Board.Arranged`, `Board.LogWanted`).
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple, Protocol, TypeAlias

from rich.style import Style
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from clocktowers_tui.config.look import Look
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap, keymap_of
from protocol.ids import Seat
from protocol.refusal import Refusal

TRIED: Final = (160, 48)
"""Columns and rows of a board that `Face.try_out` draws: all parts of every board fit."""

Together: TypeAlias = Sequence[tuple[Sequence[Action], str]]
"""Actions that stand together, and the words for them."""


class Numbers(NamedTuple):
    """Whole numbers from `least` to `most`, and how one of them is said."""

    least: int
    most: int
    words: Callable[[int], str]


class Story(NamedTuple):
    """One tower, tile or card of a match: what it is called, the same from everybody's eyes, and
    the plies at which something happens to it, ascending."""

    words: str
    plies: Sequence[int]


class OptionField(NamedTuple):
    """One option in the table form: its name on the wire, and (value, words) to choose from.

    Values are what goes over the wire; the first one is the default. `numbers`: those that a table
    may have, too, though the form does not list them. `sentence`: what is chosen here. `among`: it
    matters only where people play each other.
    """

    name: str
    label: str
    values: Sequence[tuple[Any, str]]
    numbers: Numbers | None = None
    sentence: str = ""
    among: bool = False

    def words(self, value: Any) -> str | None:
        """The words for a value from the wire; None: the option has no such value."""
        for known, words in self.values:
            if plain(value) == plain(known):
                return words
        numbers = self.numbers
        if numbers is None or type(value) is not int:
            return None
        return numbers.words(value) if numbers.least <= value <= numbers.most else None


def plain(value: Any) -> Any:
    """A value as it compares after a journey over the wire, which knows no tuples."""
    return list(value) if isinstance(value, tuple) else value


class Board(Widget):
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

    def actions_now(self) -> Together:
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


class Face(Protocol):
    """What the client shows of a game. Sentences are localized; player names must be clean."""

    game: str
    in_turns: bool
    """One seat acts at a time, so that a table may have a clock."""
    minutes: int
    """How long a match takes, about."""
    actions: Sequence[Action]
    """The game's own actions, which join the registry."""

    def board(self, look: Look, layout: str = "") -> Board:
        """A new board in this look. `layout`: the word of the last `Board.Arranged`; any other
        word lets the board decide."""

    def option_fields(self, seats: int | None = None) -> Sequence[OptionField]:
        """The rows of the table form, with the values that a table of `seats` seats can choose."""

    def presets(self) -> Sequence[tuple[str, str]]:
        """(name on the wire, words); the first is the default."""

    def options_in_words(self, options: Any) -> str:
        """What differs from the default, in one line; `options` is the plain map of the wire."""

    def about_level(self, level: str) -> str:
        """A few words on what bots of this level do; "" where the name says it."""

    def pitch(self) -> str:
        """What the game is, in a few words."""

    def about(self) -> str:
        """What it is about, in a sentence or two."""

    def card_art(
        self, look: Look, width: int, height: int
    ) -> Sequence[Sequence[tuple[str, Style]]]:
        """Rows of one width that make people want to play it, for the menu: as large as fits into
        so many cells, of 20x5 at least."""

    def is_my_turn(self, view: Any) -> bool:
        """Whether the match waits for the seat that this view was made for."""

    def is_spent(self, view: Any) -> bool:
        """Whether nothing brings the player points any more, and the match only has to be played
        to its end."""

    def due_ms(self, view: Any) -> int | None:
        """The match time at which the phase ends by itself; None: it waits for a player."""

    def races(self, view: Any) -> bool:
        """Whether the quickest of all wins now, so that nothing may cover the board."""

    def expected(self, view: Any, names: Sequence[str]) -> str:
        """One line: whose turn it is and what is expected of them."""

    def turn(self, view: Any) -> int:
        """Which turn of the match it is, counted from 1 over all seats."""

    def round(self, view: Any) -> int:
        """Which round it is, counted from 1, where each has turns of its own; 0: there are none."""

    def phrase(self, event: Any, names: Sequence[str], you: Seat | None) -> str:
        """An event for the log; "" for one that another event already tells."""

    def opens_turn(self, event: Any, acting: Seat | None) -> bool:
        """Whether another turn begins with this event. `acting`: the seat of the event before."""

    def stories(self, told: Sequence[Sequence[Any]], names: Sequence[str]) -> Sequence[Story]:
        """What happens to each tower, tile or card. `told`: the events of the deal and of each ply
        of a whole match."""

    def refusal(self, refusal: Refusal, keymap: Keymap = DEFAULT_KEYS) -> str | None:
        """Why an action is impossible, for the codes of this game; None for all others. `keymap`:
        the keys to name."""

    def choice(self, view: Any, action: Any) -> str:
        """What the player does with a legal action, for the middle of a sentence. `view`: what they
        see before it."""

    def was_there(self, view: Any) -> Sequence[str]:
        """What the player's card could make in a race that looks so, the most first; none of a
        game in turns."""

    def hurries(self, view: Any) -> bool:
        """Whether a match that looks so is a race in earnest."""

    def reactions_ms(self, record: bytes, seat: int) -> Sequence[int]:
        """How soon this seat acted in each race of a match, as far as its record tells; none of a
        game in turns."""

    def score(self, points: int) -> str:
        """The points of a seat, as short as can be."""

    def result(
        self, view: Any, outcome: Any, names: Sequence[str], width: int
    ) -> Sequence[Content]:
        """The result screen's first lines: winners, what decided a tie, each seat's points. Columns
        fit into `width` cells; sentences may be longer, the screen breaks them."""

    def result_details(
        self, view: Any, outcome: Any, names: Sequence[str], width: int
    ) -> Sequence[Content]:
        """What the points are made of; stands at the end of the result screen."""

    def try_out(self, view: Any, names: Sequence[str]) -> None:
        """Draw a view and say all about it, out of sight. Raises anything if the view cannot be of
        a match of these players; all else here is only called with what has passed."""

    def same_deal(self, events: Sequence[Any], view: Any, seed: bytes) -> bool | None:
        """Whether what was seen of the deal is what this seed gives. `events`: of the whole
        match, in order; `view`: the last one. None: too little was seen to say so."""

    def answers_to(self) -> Together:
        """All actions of the board, for the help."""

    def rules(self) -> str:
        """All the rules, in Markdown: the project's documentation of the game."""

    def notation(self, look: Look) -> Sequence[str]:
        """A few lines for the help: how to read the short forms on a board in this look."""
