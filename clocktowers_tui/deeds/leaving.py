"""Leaves a match or a table for good, and says what the player gives up by it."""

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.state.store import Place, State, left, place
from clocktowers_tui.text.i18n import _
from protocol.from_client import Leave


async def leave(client: Client) -> None:
    """Give the seat up; alone with bots that ends the match."""
    if client.state.alone:
        await client.journey.end()
    elif await client.journey.request(Leave(id=0)) is not None:
        client.change(left(client.state))


def misses_ranking(state: State) -> bool:
    """Whether other tables still play the deal of the player's match, which is over."""
    match, table = state.match, state.table
    if match is None or match.aborted or match.seed:
        return False
    return table is not None and bool(table.info.deal)


def given_up_in_words(state: State, *, keeps: bool) -> str:
    """What the player gives up by leaving for good; "" where that is nothing. `keeps`: as in
    `Journey`."""
    match, table = state.match, state.table
    if match is not None and not match.over:
        if not keeps:
            return _("Practice is not kept: the next one is a new deal.")
        if state.alone:
            return _("If you end the match, nobody wins.")
        return (
            _("If you leave the match, a bot plays on for you.") if state.seat is not None else ""
        )
    if misses_ranking(state):
        return _("If you leave now, you miss the ranking; your record comes later.")
    if place(state) is Place.TABLE and table is not None and table.is_host and table.others:
        return _("Another player becomes the table's host.")
    return ""
