"""Sends a seat's actions to its match, which waits until the server has them."""

import os
from typing import Any

from msgspec.structs import replace

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.state import match as matches
from clocktowers_tui.state.match import Match
from protocol.from_client import Act, TakeBack
from protocol.from_server import Done, Refused


async def act(client: Client, action: Any) -> Refused | None:
    """Take this action; returns the server's refusal."""
    match = client.state.match
    assert match is not None
    wish = Act(id=0, version=match.version, key=os.urandom(8), action=action)
    return await _ask(client, match, wish)


async def take_back(client: Client) -> Refused | None:
    """Undo the player's newest action; returns the server's refusal."""
    match = client.state.match
    assert match is not None
    return await _ask(client, match, TakeBack(id=0, version=match.version, key=os.urandom(8)))


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
