"""Help for a player in a match: a hint from the server, how fast bots act, and who may have them
hurry or play the rest."""

from typing import Any

from msgspec import Struct

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.games.face import Face
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.phrases.codes import refused_in_words
from clocktowers_tui.state.store import State, handed_over
from clocktowers_tui.text.i18n import _
from protocol.codec import read_as
from protocol.errors import Refusal, RemoteProtocolError
from protocol.from_client import Hint, SetPace
from protocol.from_server import Done, Refused
from protocol.games.registry import GAMES
from protocol.table import Pace, SeatKind


def may_ask_for_hint(state: State, face: Face) -> bool:
    """Whether this table gives hints, and the match waits for the player."""
    match, table = state.match, state.table
    if match is None or match.over or match.view is None or table is None or handed_over(state):
        return False
    return table.info.hints and face.is_my_turn(match.view)


def may_hand_over(state: State, face: Face) -> bool:
    """Whether the player alone plays against bots, in turns."""
    match = state.match
    if match is None or match.over or match.view is None or not face.in_turns:
        return False
    return _plays_alone(state)


def may_hurry(state: State, face: Face) -> bool:
    """Whether bots are to act: before the player's next turn, or to the end."""
    match = state.match
    if match is None or not may_hand_over(state, face):
        return False
    return handed_over(state) or not face.is_my_turn(match.view)


def _plays_alone(state: State) -> bool:
    """Whether everybody else who plays is a bot."""
    table = state.table
    if table is None or state.seat is None:
        return False
    others = (seat for number, seat in enumerate(table.info.seats) if number != state.seat)
    return all(seat.kind is SeatKind.BOT for seat in others)


async def ask_for_hint(client: Client, face: Face, keymap: Keymap) -> Struct | str:
    """The action that a strong bot would take, or why there is none to name."""
    asked = _question(client.state, face)
    answer = await client.journey.request(Hint(id=0))
    match = client.state.match
    if isinstance(answer, Refused):
        refusal = Refusal(answer.code, answer.params)
        return face.refusal(refusal, keymap) or refused_in_words(answer)
    if not isinstance(answer, Done) or match is None:
        return ""
    if answer.version != match.version and (
        face.in_turns or _question(client.state, face) != asked
    ):
        return _("The match has moved on: ask again.")
    if answer.action is None:
        return _("Hint: wait for the others.")
    return _action(match.game, answer.action)


def _question(state: State, face: Face) -> str:
    """What the match waits for. Where all act at once it may wait for the same, whatever happens
    meanwhile."""
    match = state.match
    return "" if match is None or match.view is None else face.expected(match.view, match.names)


def _action(game: str, action: Any) -> Struct | str:
    """What a server says may be no action of the game."""
    try:
        found: Struct = read_as(action, GAMES[game].action)
    except RemoteProtocolError:
        return _("You cannot see this hint: update this program.")
    return found


async def keep_pace(client: Client, asked: Pace) -> Pace:
    """Where the player alone plays, tell the server how fast bots act, if it was last `asked` for
    another pace. Returns the pace that holds now."""
    wanted = client.settings.pace
    if wanted is asked or client.journey.teaches or not _plays_alone(client.state):
        return asked
    answer = await client.journey.request(SetPace(id=0, pace=wanted))
    return wanted if isinstance(answer, Done) else asked
