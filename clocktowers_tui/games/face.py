"""What the client needs of a game: a board widget, and words for the game's codes.

The match screen holds the board, the banner, the hint and the link; the board (`board_widget`)
knows the game and nothing of the link. A face loads what draws, and with it Textual, only when it
draws: who only reads its sentences needs neither.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from clocktowers_tui.config.look import Look
from clocktowers_tui.keys.actions import Action, KeyGroups
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap
from protocol.errors import Refusal
from protocol.ids import Seat

if TYPE_CHECKING:  # what draws
    from rich.style import Style

    from clocktowers_tui.games.board_widget import Board


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


class ResultLine(NamedTuple):
    """A line of the result, and the style in which a screen shows it."""

    plain: str
    style: str = ""


class OptionField(NamedTuple):
    """One option in the table form: its name on the wire, and (value, words) to choose from.

    Values are what goes over the wire; the first one is the default. `numbers`: those that a table
    may have, too, though the form does not list them. `sentence`: what is chosen here. `among`: it
    matters only where people play each other. `hurry`: it says how much hurry there is, and changes
    no rule.
    """

    name: str
    label: str
    values: Sequence[tuple[Any, str]]
    numbers: Numbers | None = None
    sentence: str = ""
    among: bool = False
    hurry: bool = False

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


class Face(Protocol):
    """What the client shows of a game. Sentences are localized; player names must be clean."""

    game: str
    in_turns: bool
    """One seat acts at a time, so that a table may have a clock."""
    minutes: int
    """How long a match takes, about."""
    actions: Sequence[Action]
    """The game's own actions, which join the registry."""

    def board(self, look: Look, layout: str = "") -> "Board":
        """A new board in this look. `layout`: the word of the last `Board.Arranged`; any other word
        lets the board decide."""

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
    ) -> "Sequence[Sequence[tuple[str, Style]]]":
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
        """Which turn of the player who is to act it is, counted from 1; of a match that is over, or
        begins, the most that anybody had."""

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
    ) -> Sequence[ResultLine]:
        """The result screen's first lines: winners, what decided a tie, each seat's points. Columns
        fit into `width` cells; sentences may be longer, the screen breaks them."""

    def result_details(
        self, view: Any, outcome: Any, names: Sequence[str], width: int
    ) -> Sequence[ResultLine]:
        """What the points are made of; stands at the end of the result screen."""

    def same_deal(self, events: Sequence[Any], view: Any, seed: bytes) -> bool | None:
        """Whether what was seen of the deal is what this seed gives. `events`: of the whole
        match, in order; `view`: the last one. None: too little was seen to say so."""

    def answers_to(self) -> KeyGroups:
        """All actions of the board, for the help."""

    def rules(self) -> str:
        """All the rules, in Markdown: the project's documentation of the game."""

    def notation(self, look: Look) -> Sequence[str]:
        """A few lines for the help: how to read the short forms on a board in this look."""
