"""What the client needs of a game: a board widget, and words for the game's codes.

The match screen holds the board, the banner, the hint and the link; the board (`board`)
knows the game and nothing of the link. A face loads what draws, and with it Textual, only when it
draws: who only reads its sentences needs neither.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct, structs

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.keys import Key, answers
from clocktowers_tui.games.standings import ResultLine, by_points
from clocktowers_tui.keys.actions import Action, KeyGroups
from clocktowers_tui.text.i18n import N_, SOURCE, _, language
from protocol.errors import Refusal
from protocol.games.registry import GAMES
from protocol.ids import Seat

if TYPE_CHECKING:  # what draws
    from rich.style import Style

    from clocktowers_tui.games.board import Board

Piece = TypeVar("Piece", bound=Hashable)


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


def plies_of(
    told: Sequence[Sequence[Any]], pieces: Callable[[Any], Iterable[Piece]]
) -> dict[Piece, Sequence[int]]:
    """The plies at which something happens to one and the same tower, tile or card. `pieces`: what
    an event happens to. They come in the order in which they are first seen."""
    found: dict[Piece, dict[int, None]] = {}
    for ply, events in enumerate(told):
        for event in events:
            for piece in pieces(event):
                found.setdefault(piece, {})[ply] = None
    return {piece: tuple(plies) for piece, plies in found.items()}


class Advice(NamedTuple):
    """A hint: what to do; `brings`: points or money at once, in words, "" for none; `why`: one
    reason, for the middle of a sentence, or ""."""

    what: str
    why: str
    brings: str = ""


Brought: TypeAlias = Mapping[str, tuple[int, int]]
"""`Judged.parts` of one seat: part → the thousandths of a point that it brought as played, and with
the better move."""


class Cost(NamedTuple):
    """What an action costs, in a sentence: that `seat` has less, or more where another acts.
    `points`: how much of the lead that explains, in thousandths; what has less than 0 speaks for
    the action, and is not told. `aims`: it says what the better one is
    for, so that nothing else is said of that."""

    seat: int
    said: str
    points: int = 0
    aims: bool = False


def advised(advice: Advice) -> str:
    """What to do, what it brings and why, for the middle of a sentence."""
    said = ", ".join(filter(None, (advice.what, advice.brings)))
    return f"{said} ({advice.why})" if advice.why else said


def advice_in_words(advice: Advice) -> str:
    """The sentence for the player who asked."""
    return _("Hint: {advice}").format(advice=advised(advice))


def deed(
    names: Sequence[str], you: Seat | None, seat: int, yours: str, theirs: str, **told: object
) -> str:
    """What a seat did: the sentence for its player, or the one with the player's {name}."""
    return (yours if seat == you else theirs).format(name=names[seat], **told)


def number(refusal: Refusal, name: str) -> int:
    """A parameter, or 0: on the wire it may be missing, or of another type."""
    value = refusal.params.get(name)
    return value if isinstance(value, int) else 0


class OptionField(NamedTuple):
    """One option in the table form: its name on the wire, and (value, words) to choose from.

    Values are what goes over the wire; the first one is the default. `numbers`: those that a table
    may have, too, though the form does not list them. `sentence`: what is chosen here. `among`: it
    matters only where people play each other. `hurry`: it says how much hurry there is, and changes
    no rule. `alone`: among a table's options its words need no label, and the default has a name.
    """

    name: str
    label: str
    values: Sequence[tuple[Any, str]]
    numbers: Numbers | None = None
    sentence: str = ""
    among: bool = False
    hurry: bool = False
    alone: bool = False

    def words(self, value: Any) -> str | None:
        """The words for a value from the wire; None: the option has no such value."""
        for known, words in self.values:
            if plain(value) == plain(known):
                return words
        numbers = self.numbers
        if numbers is None or type(value) is not int:
            return None
        return numbers.words(value) if numbers.least <= value <= numbers.most else None

    def of(self, options: Mapping[str, Any]) -> str:
        """What a table's line of options says of it; "" for the default."""
        default, usual = self.values[0]
        words = self.words(options.get(self.name, default)) or usual
        if self.alone:
            return words
        return "" if words == usual else f"{self.label}: {words}"


def plain(value: Any) -> Any:
    """A value as it compares after a journey over the wire, which knows no tuples."""
    return list(value) if isinstance(value, tuple) else value


# What a game need not say ------------------------------------------------------------------------


def nothing(*_given: Any) -> str:
    return ""


def none(*_given: Any) -> Sequence[Any]:
    return ()


def is_at_turn(view: Any) -> bool:
    """As `is_my_turn`."""
    return view.turn is not None and bool(view.turn == view.seat)


def standard_rules() -> str:
    return _("standard rules")


class Face(NamedTuple):
    """What the client shows of a game: functions, with defaults where a game need not say anything.
    Sentences are localized; player names must be clean."""

    game: str
    minutes: int
    """How long a match takes, about."""
    keys: Sequence[Key]
    """The keys of the board."""
    pitch: Callable[[], str]
    """What the game is, in a few words."""
    about: Callable[[], str]
    """What it is about, in a sentence or two."""
    turn: Callable[[Any], int]
    """Which turn of the player who is to act it is, counted from 1; of a match that is over, or
    begins, the most that anybody had."""
    phrase: Callable[[Any, Sequence[str], Seat | None], str]
    """An event for the log; "" for one that another event already tells. The seat is the reader's;
    None: a watcher."""
    expected: Callable[[Any, Sequence[str]], str]
    """One line: whose turn it is and what is expected of them."""
    refusal: Callable[..., str | None] = lambda refusal, keymap=None: None
    """Why an action is impossible, for the codes of this game; None for all others, and where the
    code itself must do. It is given a `Refusal` and, if wished, the keymap with the keys to name.
    """
    choice: Callable[[Any, Any], str] = nothing
    """From what the player sees and a legal action: what they do with it, for the middle of a
    sentence."""
    advice: Callable[..., Advice | None] = lambda view, action, names, then=None: None
    """From view, action and names what to say of a hint; None: the action is impossible. Last comes
    the action that the hint says to do `then`, if it says so."""
    costs: Callable[[Any, Any, Any, Sequence[str]], Sequence[Cost]] = none
    """From view, two legal actions and names: what the first one costs that the other keeps; none
    for nothing that the table shows."""
    option_fields: Callable[..., Sequence[OptionField]] = lambda seats=None: ()
    """The rows of the table form, with the values that a table of so many seats can choose;
    without a number, of any."""
    preset_names: Sequence[str] = (N_("Standard"),)
    """Of the game's presets, in their order; translated when they are shown."""
    result: Callable[[Any, Any, Sequence[str], int], Sequence[ResultLine]] = by_points
    """From view, outcome, names and a width the result screen's first lines: winners, what decided
    a tie, each seat's points. Columns fit into that many cells; sentences may be longer, the screen
    breaks them."""
    result_details: Callable[[Any, Any, Sequence[str], int], Sequence[ResultLine]] = none
    """What the points are made of; stands at the end of the result screen."""
    later: Callable[[Any, Any, Any, Sequence[Brought], Sequence[str]], Sequence[Cost]] = none
    """From view, the action and the better one, `Judged.parts` and names: what comes of both by the
    end, what weighs most first."""
    ahead: Callable[[Any, Any, Sequence[str], int, tuple[int, int]], Sequence[str]] = none
    """From the last view, outcome, names, the reader's seat and the winner's with another's: by
    what the first of these two was ahead, in a sentence, if that tells much of the difference."""
    rounds: Callable[[Sequence[Any], Sequence[str], int], Sequence[ResultLine]] = none
    """From the events of the match, names and a width: what each round has brought, above that."""
    is_my_turn: Callable[[Any], bool] = is_at_turn
    """Whether the match waits for the seat that this view was made for."""
    is_spent: Callable[[Any], bool] = lambda view: False
    """True once the player can win no more points: the match only has to be played to its end."""
    opens_turn: Callable[[Any, Seat | None], bool] = lambda event, acting: (
        getattr(event, "seat", acting) != acting
    )
    """Whether another turn begins with this event, after one of that seat."""
    stories: Callable[[Sequence[Sequence[Any]], Sequence[str]], Sequence[Story]] = none
    """From the events of the deal and of each ply of a whole match, and the names: what happens to
    each tower, tile or card."""
    same_deal: Callable[[Sequence[Any], Any, bytes], bool | None] = lambda events, view, seed: None
    """Whether what was seen of the deal (the events of the whole match, in order, and the last
    view) is what this seed gives. None: too little was seen to say so."""
    score: Callable[[int], str] = str
    """The points of a seat, as short as can be."""
    notation: Callable[[Look], Sequence[str]] = none
    """A few lines for the help: how to read the short forms on a board in this look."""
    about_level: Callable[[str], str] = nothing
    """A few words on what bots of this level do; "" where the name says it."""
    open: bool = False
    """Nothing is hidden from any player, so that a match may go by mail, as a file."""
    in_turns: bool = True
    """One seat acts at a time, so that a table may have a clock. What follows is for a race."""
    round: Callable[[Any], int] = lambda view: 0
    """Which round it is, counted from 1, where each has turns of its own; 0: there are none."""
    due_ms: Callable[[Any], int | None] = lambda view: None
    """The match time at which the phase ends by itself; None: it waits for a player."""
    at_once: Callable[[Any], bool] = lambda view: False
    """True while all act at once: of two people at one keyboard each by keys of their own."""
    races: Callable[[Any], bool] = lambda view: False
    """True during a race: then no screen may cover the board."""
    hurries: Callable[[Any], bool] = lambda view: False
    """True for a view of a match in which players race."""
    was_there: Callable[..., Sequence[str]] = lambda view, came=None: ()
    """What the player's card could make in the race that this view shows, the most first; with what
    came of their shot only what was better than that."""
    best: Callable[..., Any] = lambda view, came=None: view
    """The view after the first of these."""
    was_nothing: Callable[[Any], str] = nothing
    """Why there was nothing: a sentence."""
    tried: Callable[[Any, Any], tuple[Any, Any] | None] = lambda view, action: None
    """What a card makes that is tried again without hurry, from the view of its race, or of what
    came of the last action, and an action, None to begin: the next view and its event, None where
    nothing comes of it."""
    reactions_ms: Callable[[bytes, int], Sequence[int]] = none
    """How soon this seat acted in each race of a match, as far as its record tells."""

    @property
    def actions(self) -> Sequence[Action]:
        """The game's own actions."""
        return [key.action for key in self.keys if key.action and key.action.game]

    @property
    def most_people(self) -> int:
        """How many can play at one keyboard; for those who act at once it has two halves."""
        return max(GAMES[self.game].seats) if self.in_turns else 2

    def board(self, look: Look, layout: str = "") -> "Board[Any, Any]":
        """A new board in a look; and, if wished, the word of the last `Board.Arranged`: any other
        word lets the board decide."""
        made: Board[Any, Any] = import_module(self._file("board")).BOARD(look, layout)
        return made

    def card_art(
        self, look: Look, width: int, height: int
    ) -> "Sequence[Sequence[tuple[str, Style]]]":
        """Rows of one width that make people want to play it, for the menu: as large as fits into
        so many cells, of 20x5 at least. Blank where the game has no file for it."""
        from rich.style import Style

        if (pictures := self._pictures()) is None:
            return [[(" " * width, Style())]] * height
        drawn: Sequence[Sequence[tuple[str, Style]]] = pictures.card_art(look, width, height)
        return drawn

    def end_art(
        self, look: Look, view: Any, outcome: Any, names: Sequence[str], width: int, height: int
    ) -> "Sequence[Sequence[tuple[str, Style]]]":
        """Rows that show what a match has come to, for its result: at most so many, of at most so
        many cells. None where the game has no file for it, or it has no room."""
        if (pictures := self._pictures()) is None:
            return ()
        drawn: Sequence[Sequence[tuple[str, Style]]]
        drawn = pictures.end_art(look, view, outcome, names, width, height)
        return drawn

    def _pictures(self) -> Any:
        """The game's `pictures.py`, if it has one."""
        name = self._file("pictures")
        return import_module(name) if find_spec(name) else None

    def _file(self, name: str) -> str:
        return f"{__package__}.{self.game}.{name}"

    def rules(self) -> str:
        """All the rules, in Markdown, in the language spoken now; in English where there is none in
        it. They are the project's documentation of the game: a file for each language."""
        folder = Path(__file__).parent / self.game / "rules"
        texts = (folder / f"{code}.md" for code in (language(), SOURCE))
        return next(text for text in texts if text.is_file()).read_text(encoding="utf-8")

    def title(self) -> str:
        title: str = import_module(self._file("actions")).title()
        return title

    def presets(self) -> Sequence[tuple[str, str]]:
        """(name on the wire, words); the first is the default."""
        return [*zip(GAMES[self.game].presets, map(_, self.preset_names), strict=True)]

    def options_in_words(self, options: Mapping[str, Any]) -> str:
        """What differs from the default, in one line; `options` is the plain map of the wire."""
        said = (field.of(options) for field in self.option_fields())
        return "; ".join(filter(None, said)) or standard_rules()

    def answers_to(self) -> KeyGroups:
        """All actions of the board, for the help."""
        return answers(self.keys)


# Rows of the table form that several games have alike ---------------------------------------------


def choice_field(
    options: type[Struct],
    name: str,
    label: str,
    *words: str,
    sentence: str = "",
    among: bool = False,
    hurry: bool = False,
) -> OptionField:
    """An option of these whose values are an enum's members: words for the default, then for the
    others in their order."""
    values = zip(_values(options, name), words, strict=True)
    chosen = tuple((value.value, said) for value, said in values)
    return OptionField(name, label, chosen, sentence=sentence, among=among, hurry=hurry)


@cache
def _values(options: type[Struct], name: str) -> Sequence[StrEnum]:
    [field] = [one for one in structs.fields(options) if one.name == name]
    return sorted(field.type, key=lambda value: bool(value != field.default))


def take_back() -> OptionField:
    words = (("on", _("until the next move")), ("off", _("not allowed")))
    sentence = _("May you take back a move before the next player moves?")
    return OptionField("take_back", _("Taking moves back"), words, sentence=sentence)


def first_seat(seats: int) -> OptionField:
    chosen = [(seat, _("seat {n}").format(n=seat + 1)) for seat in range(seats)]
    values = ((None, _("at random")), *chosen)
    return OptionField("first_seat", _("Who begins"), values, sentence=_("Who has the first turn?"))
