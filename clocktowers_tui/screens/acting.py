"""What a seat asks of its match, and what comes of it: the board waits till the server has it."""

import secrets
from typing import Any

from msgspec.structs import replace

from clocktowers_tui.screens.client import Client
from clocktowers_tui.state import match as matches
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State
from protocol.from_client import Act, TakeBack
from protocol.from_server import Done, Refused


def may_act(state: State) -> bool:
    """Whether one has a seat in a match that goes on, and nothing is on its way to it."""
    match = state.match
    return state.seat is not None and match is not None and match.pending is None and not match.over


async def act(client: Client, action: Any) -> Refused | None:
    """Do this; what the server said against it."""
    match = client.state.match
    assert match is not None
    wish = Act(id=0, version=match.version, key=secrets.token_bytes(8), action=action)
    return await _ask(client, match, wish)


async def take_back(client: Client) -> Refused | None:
    """Undo one's newest action; what the server said against it."""
    match = client.state.match
    assert match is not None
    return await _ask(
        client, match, TakeBack(id=0, version=match.version, key=secrets.token_bytes(8))
    )


async def _ask(client: Client, match: Match, wish: Act | TakeBack) -> Refused | None:
    _put(client, matches.sent(match, wish.key))
    answer = await client.journey.request(wish)
    match_now = client.state.match
    if match_now is None:
        return None
    if isinstance(answer, Done):
        _put(client, matches.accepted(match_now, wish.key, answer.version or 0))
    elif isinstance(answer, Refused):
        _put(client, matches.refused(match_now, wish.key))
        return answer
    return None


def _put(client: Client, match: Match) -> None:
    client.change(replace(client.state, match=match))
