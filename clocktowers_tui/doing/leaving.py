"""Leaves a match or a table for good."""

from clocktowers_tui.doing.client import Client
from clocktowers_tui.state.store import left
from protocol.from_client import Leave


async def leave(client: Client) -> None:
    """Give the seat up; alone with bots that ends the match."""
    if client.state.alone:
        await client.journey.end()
    elif await client.journey.request(Leave(id=0)) is not None:
        client.change(left(client.state))
