"""What plain mode needs of a game: its views as sentences, and typed commands as actions.

What is typed for a move follows from the game's table of moves, as in notation: a game only says
what players call otherwise, such as a card by its number in the hand.

Laws: no sentence depends on colours, columns or time; what is numbered in a sentence has the same
number in a command.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from clocktowers_tui.games.face import Face, advice_in_words, none, nothing
from clocktowers_tui.games.keys import deeds
from clocktowers_tui.keys.actions import Deed
from clocktowers_tui.text.i18n import _
from protocol.games.moves import Field, Json, Moves, RecordError
from protocol.games.registry import GAMES

_BRACKETS: Final = str.maketrans("", "", "[]")


class Asks(NamedTuple):
    """A question, and the whole line that an answer makes, with {} in its place: `play 2 {}`."""

    said: Sequence[str]
    so: str


Read: TypeAlias = "Any | Asks | Sequence[str]"
"""The game's own action, or sentences: what was asked for, or why there is no action."""


class Spoken(NamedTuple):
    """Functions; `spoken` has them for what a game need not say. `names` by seat, clean. Sentences
    are localized."""

    deeds: Sequence[Deed]
    turn: Callable[[Any, Sequence[str]], Sequence[str]]
    """From view and names: what the player has to know to choose now; nothing while there is
    nothing to choose. A game without one tells all that lies on the table."""
    since: Callable[[Any, Any, Sequence[str]], Sequence[str]]
    """What the player is asked, for a listener: from view, the last one of this phase of which they
    have heard that (None: there is none) and names what has changed, and what the player has. A
    game without one tells all."""
    brief: Callable[[Any, Any, Sequence[str]], Sequence[str]]
    """The same in the fewest words: what is chosen from. A game without one tells what it would
    tell a listener for whom nothing has changed."""
    parts: Callable[[Any, Sequence[str]], Mapping[str, Sequence[str]]]
    """Says, of a view and names, what lies on the table: by the English word of each part, the
    player's own parts first. `plain.words` has what the player types for it."""
    glance: Callable[[Any, Sequence[str]], Sequence[str]]
    """From view and names: what `look` alone tells, of which the parts tell more. A game without
    one tells all parts."""
    read: Callable[[Any, Sequence[str], str, Sequence[str]], Read]
    """What a deed means now, from view, names, a word of `deeds` ("" where only numbers were
    typed) and the words behind it, in small letters. An action may be one that the rules refuse:
    the server's refusal says why."""
    typed: Callable[[Any, Any], str]
    """The command that takes this action, as `read` understands it."""
    advice: Callable[[Any, Any, Sequence[str], Any], str]
    """From view, action, names and the action that is to follow, or None, the sentence for a hint:
    what to do, and why."""
    does: Callable[[Any, Any], str]
    """What the player does with this action, for the middle of a sentence."""
    ending: Callable[[Any, Any, Sequence[str]], Sequence[str]] = none
    """From view, outcome and names: what everybody's points are made of, behind the first lines of
    `Face.result`."""
    owned: Callable[[Any, int, Sequence[str]], Iterable[str]] = none
    """From view, a seat and names: what lies before that player."""
    scored: Callable[[Any, Any, Sequence[str]], Iterable[str]] = none
    """From the view before, the view of a player at the table and names: what they have scored, and
    what has changed for everybody."""
    ground: Callable[[Any], Sequence[str]] = none
    """What sentences take for granted, of how the table lies: told when a lesson begins."""
    meant: Callable[[Any], Mapping[str, Sequence[str]]] = lambda view: {}
    """Words that players type and that are no deed → the deed that they mean; or several, of which
    the word behind says one, as in `draw roofs`."""
    standing: Callable[[Any], Sequence[str]] = none
    """Sentences of `turn` that a listener who has heard them need not hear once more."""
    wrong: Callable[[Any, Sequence[Any]], str] = nothing
    """In a lesson: what is wrong with an action where one of these is sought; "" where nothing is
    to be said of it."""


def spoken(
    face: Face, parts: Callable[[Any, Sequence[str]], Mapping[str, Sequence[str]]], **more: Any
) -> Spoken:
    """What is not in `more` follows from the face, and from the game's table of moves."""
    moves = GAMES[face.game].moves

    def turn(view: Any, names: Sequence[str]) -> Sequence[str]:
        return scene(game, view, names) if face.is_my_turn(view) else []

    def since(view: Any, before: Any, names: Sequence[str]) -> Sequence[str]:
        return [sentence(face.expected(view, names)), *game.turn(view, names)]

    def brief(view: Any, before: Any, names: Sequence[str]) -> Sequence[str]:
        return game.since(view, before or view, names)

    def read(view: Any, names: Sequence[str], word: str, rest: Sequence[str]) -> Read:
        return move(moves, [word, *rest])

    def glance(view: Any, names: Sequence[str]) -> Sequence[str]:
        return scene(game, view, names)

    def typed(view: Any, action: Any) -> str:
        return moves.to_line(action)

    def advice(view: Any, action: Any, names: Sequence[str], then: Any) -> str:
        found = face.advice(view, action, names, then)
        return "" if found is None else sentence(advice_in_words(found))

    says: dict[str, Any] = {"turn": turn, "since": since, "brief": brief, "read": read}
    says |= {"glance": glance, "typed": typed, "advice": advice, "does": face.choice, **more}
    game = Spoken(deeds(face.keys), parts=parts, **says)
    return game


def scene(game: Spoken, view: Any, names: Sequence[str]) -> list[str]:
    """All that lies on the table."""
    return [said for part in game.parts(view, names).values() for said in part]


class Unsaid(RecordError):
    """What was typed is no move; its arguments are sentences for the player."""


def heard(field: Field, otherwise: str) -> Field:
    """The field as in notation; `otherwise` is told of anything else."""

    def hear(word: str) -> Json:
        try:
            found = field.hear(word)
            field.read(found)
        except RecordError as error:
            raise Unsaid(otherwise) from error
        return found

    return field._replace(hear=hear)


def numbered(field: Field, things: Sequence[str], *otherwise: str) -> Field:
    """The field by its number among these names of it, from 1 on, or by its name; `otherwise` is
    told of anything else."""

    def hear(word: str) -> Json:
        at = number([word]) - 1
        named = [name for name in things if name.lower() == word]
        if not named and not 0 <= at < len(things):
            raise Unsaid(*otherwise)
        return named[0] if named else things[at]

    return field._replace(hear=hear, say=lambda name: str(things.index(name) + 1))


def move(moves: Moves, words: Sequence[str]) -> Any | Sequence[str]:
    """The action that these words say."""
    try:
        return moves.from_line(words)
    except Unsaid as why:
        return [*map(str, why.args)]
    except RecordError:
        way = moves.called(words[0]) or moves.ways[0]
        return [_("Type it so: {example}").format(example=read_out(way.lines[-1]))]


def read_out(takes: str) -> str:
    """`CARD TOWER or new`: no sign that a listener hears, or does not."""
    return takes.translate(_BRACKETS).replace("|", _(" or "))


def number(words: Sequence[str], at: int = 0) -> int:
    """The whole number that stands there; -1 for none, or for one of many digits."""
    word = words[at] if at < len(words) else ""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 4 else -1


def sentence(text: str, names: Sequence[str] = ()) -> str:
    """With a capital, unless it begins with one of these names, and an end."""
    begins = text[:1] if text.startswith(tuple(filter(None, names))) else text[:1].upper()
    return begins + text[1:] + ("" if text[-1:] in ".!?:" else ".")
