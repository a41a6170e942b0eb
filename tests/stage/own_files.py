"""What the tests of the client ask of every game, out of files of the same name in its folder."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from clocktowers_tui.games.registry import FACES
from clocktowers_tui.games.spans import Rect
from clocktowers_tui.keys.keymap import Keymap
from protocol.errors import Refusal


def by_game(file: str, name: str) -> dict[str, Any]:
    """Game → what its `tests/games/NAME/FILE.py` has under this name."""
    folder = "tests.games"
    return {game: getattr(import_module(f"{folder}.{game}.{file}"), name) for game in FACES}


def of_every_game(file: str, name: str) -> tuple[Any, ...]:
    """The same without the games, in the order of the registry."""
    return tuple(by_game(file, name).values())


class Stages(NamedTuple):
    """What the walk through all screens sees of a game: `STAGES` in its `stages.py`.

    `events`: for the log. `boards`: for each stage a view and the keys that lead there. `seats`:
    how many a view has. `remarks`: answers to keys that do nothing. `said`: what else the status
    may say in this game. `ends`: last views and their outcomes. These are functions, because
    sentences follow the language."""

    game: str
    events: Sequence[Any]
    boards: Callable[[], Mapping[str, tuple[Any, Sequence[str]]]]
    seats: Callable[[Any], int]
    remarks: Callable[[], Sequence[str]]
    said: Callable[[], Sequence[str]]
    ends: Callable[[], Sequence[tuple[Any, Any]]]


class OnBoard(NamedTuple):
    """What the laws of the boards press in a game; a step is a view, and keys one after the other.

    `shell`: a board of the game on its screen, for a view and a look. `golden`: a step, and the
    golden board to which it leads on 80 by 24. `whose`: what stands where the player's own things
    are. `hints`: steps (no view: on the same board), and how the hint goes or what it contains.
    `sends`: a step that sends an action, keys that do nothing meanwhile, and the action. `back`: a
    step, and how often Esc steps back from there. `paints`: a view, one that looks the same, and
    keys, each with the most lines that it may paint. `marked`: a step after which something is
    shown in reverse. `parts`: the parts of a large board in a view."""

    shell: Callable[..., Any]
    golden: tuple[Any, Sequence[str], str]
    whose: str
    hints: Sequence[tuple[Any, Sequence[str], str]]
    sends: tuple[Any, Sequence[str], Sequence[str], Any]
    back: tuple[Any, Sequence[str], int]
    paints: tuple[Any, Any, Sequence[tuple[str, int]]]
    marked: tuple[Any, Sequence[str]]
    parts: tuple[Any, set[str]]


class Drawn(NamedTuple):
    """What the laws of drawing see of a game.

    `moments`: scenes of a match of so many seats, from the eyes of one or of a watcher. `crowded`:
    scenes of four seats with much in them. `hits`: scenes, and what can be picked there with the
    mouse. `laid_out`: the rectangles of each layout that a board of this size may have; none: it is
    too small. `drawn`: inks of pictures, which nobody reads. `grounds`: the colours that mean
    something in a palette, and how far apart they are for all eyes."""

    moments: Callable[[int, int | None], Iterator[Any]]
    crowded: Sequence[Any]
    hits: Sequence[tuple[Any, set[Any]]]
    laid_out: Callable[[int, int], Iterable[Sequence[Rect]]]
    drawn: Sequence[Any]
    grounds: Callable[[Any], Sequence[str]]
    apart: float


class Said(NamedTuple):
    """What the laws of words ask of a game.

    `played`: a match at its end, of so many seats, with a seed of this byte, seen by a seat or a
    watcher. `told`: events of the second seat or nobody, and their lines for the others. `own`:
    events, and their lines for this seat. `silent`: whether another event tells it for Ann. `seen`:
    matches as somebody saw them (events and last view) who saw one thing otherwise. `shown`: the
    type of event by which what was hidden is seen. `options`: options on the wire, and the words.
    `values`: values of options on the rules page that their types do not tell. `keys`: a keymap, a
    refusal, and what is said with the player's keys. `letters`: what has a letter of its own, by
    what translators are asked for, and `lettered`: how the board has it."""

    played: Callable[[int, int, int | None], Any]
    told: Sequence[tuple[Any, str]]
    own: Sequence[tuple[Any, int, str]]
    silent: Callable[[Any], bool]
    seen: Callable[[Any], Iterator[tuple[Sequence[Any], Any]]]
    shown: type
    options: Sequence[tuple[Mapping[str, Any], str]]
    values: Mapping[str, Sequence[str]]
    keys: Sequence[tuple[Keymap, Refusal, str]]
    letters: Mapping[str, str]
    lettered: Callable[[], str]


def for_both(told: Iterable[tuple[Any, str]]) -> list[Any]:
    """The events of these examples, and the same of the first seat; of those that name another seat
    neither, for a table may have no more than one."""
    named = (event for event, _line in told)
    events = [one for one in named if not any(getattr(one, name, 0) for name in _NAMING)]
    return [*events, *(replace(event, seat=0) for event in events if hasattr(event, "seat"))]


_NAMING: Final = ("first_seat", "victim")


class FaceCase(NamedTuple):
    """A game for the laws of the client: `CASE` in its `face_case.py`."""

    board: OnBoard
    drawing: Drawn
    words: Said
