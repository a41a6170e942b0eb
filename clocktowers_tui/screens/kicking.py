"""Lets the host send somebody away: asks whom, and whether really."""

from typing import Any

from textual.app import App

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Table
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row
from protocol.from_client import Kick
from protocol.from_server import Refused
from protocol.table import SeatKind


def may_kick(state: State) -> bool:
    """Whether the player is host and anybody else is there."""
    return state.table is not None and state.table.is_host and bool(_others(state.table))


def _others(table: Table) -> list[str]:
    """The names that may be sent away: people at seats, those who may come back, and watchers."""
    seated = [
        info.name
        for seat, info in enumerate(table.info.seats)
        if seat != table.seat and (info.kind is SeatKind.HUMAN or info.away)
    ]
    return [*seated, *table.watching]


async def kick(app: App[Any], client: Client) -> str:
    """Ask, and do it; returns the sentence that says why it was impossible, or ""."""
    if client.state.table is None or not may_kick(client.state):
        return ""
    others = _others(client.state.table)
    rows = [Row("", _("Nobody")), *(Row(f"{n}", name) for n, name in enumerate(others))]
    lasting = _("They cannot come back to this table.")
    question = Question(_("Choose a player to send away"), [lasting], rows)
    if not (answer := await app.push_screen_wait(question)):
        return ""
    name = others[int(answer)]
    sure = _("Send {name} away from the table?").format(name=name)
    rows = [Row("no", _("No")), Row("yes", _("Send away"))]
    if await app.push_screen_wait(Question(_("Send away"), [sure, lasting], rows)) != "yes":
        return ""
    answered = await client.journey.request(Kick(id=0, name=name))
    if isinstance(answered, Refused):
        return refused_in_words(answered)
    return ""
