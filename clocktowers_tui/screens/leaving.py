"""Leaving a match or a table: asks whether really, and whether for good."""

from typing import Any

from textual.app import App

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.leaving import given_up_in_words, leave, misses_ranking
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.state.store import State
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row


async def ask_and_leave_match(app: App[Any], client: Client) -> None:
    """A match that is over needs no question, unless other tables play its deal; one whose clock
    runs on meanwhile says so, and its clock stands as soon as its only player is at the menu."""
    match = client.state.match
    if match is None or match.over:
        if await _gives_up_the_ranking(app, client.state):
            await leave(client)
        return
    runs = client.faces[match.game].due_ms(match.view) is not None
    stands = runs and client.state.alone and client.journey.keeps
    question = _question(client.state, keeps=client.journey.keeps, runs=stands)
    answer = await app.push_screen_wait(question)
    if answer == "leave":
        await leave(client)
    elif answer == "menu":
        await client.journey.end(hold_seat=True)
        if stands:
            client.tell(_("Your match waits, and its clock stands still."))


def _question(state: State, *, keeps: bool, runs: bool) -> Question:
    title, given_up = _("Leave this match?"), given_up_in_words(state, keeps=keeps)
    stay, leave = Row("stay", _("Stay")), Row("leave", _("Leave the match"))
    if not keeps:
        return Question(title, [given_up], [stay, Row("leave", _("End the practice"))])
    if state.alone:
        menu = Row("menu", _("To the menu (the match waits)"))
        clock = [_("The clock runs on here; in the menu it stands still.")] if runs else []
        return Question(title, [*clock, given_up], [stay, menu, Row("leave", _("End the match"))])
    if state.seat is None:
        stop = Row("leave", _("Stop watching"))
        return Question(_("Stop watching this match?"), [], [stay, stop])
    back = _("You can come back from the menu; after a while a bot plays for you.")
    if state.table is not None and not state.table.others:
        back = _("You can come back from the menu; the match waits a while.")
    return Question(title, [back, given_up], [stay, Row("menu", _("To the menu")), leave])


async def _gives_up_the_ranking(app: App[Any], state: State) -> bool:
    """Whether the player goes; they are asked where other tables still play the match's deal."""
    return not misses_ranking(state) or await _sure(
        app, _("Other tables still play this deal"), given_up_in_words(state, keeps=True)
    )


async def _sure(app: App[Any], title: str, given_up: str) -> bool:
    answers = [Row("stay", _("Stay")), Row("leave", _("Leave the table"))]
    return await app.push_screen_wait(Question(title, [given_up], answers)) == "leave"


async def ask_and_leave_table(app: App[Any], client: Client) -> None:
    """Only a host who has a successor is asked, and who would miss the ranking."""
    if not await _gives_up_the_ranking(app, client.state):
        return
    table = client.state.table
    if table is not None and table.is_host and table.others:
        successor = _("Another player becomes the table's host.")
        if not await _sure(app, _("Leave your table?"), successor):
            return
    await leave(client)
