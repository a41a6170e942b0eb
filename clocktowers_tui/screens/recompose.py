"""Composes a screen again in another language, with everything the player had put there."""

from typing import TypeVar

from textual.screen import Screen
from textual.widgets import Input

from clocktowers_tui.widgets.choice import Choice
from clocktowers_tui.widgets.menu import Menu

Result = TypeVar("Result")


async def recompose(screen: Screen[Result]) -> None:
    """Keeps what the player typed and chose, the focus, and every menu's row."""
    typed = {line.id: line.value for line in screen.query(Input)}
    chosen = {choice.id: choice.value for choice in screen.query(Choice)}
    rows = [menu.highlighted for menu in screen.query(Menu)]
    focused = screen.focused
    await screen.recompose()
    for line in screen.query(Input):
        line.value = typed.get(line.id, line.value)
    for choice in screen.query(Choice):
        choice.set_value(chosen.get(choice.id, choice.value))
    for menu, row in zip(screen.query(Menu), rows, strict=False):
        menu.highlighted = row
    if focused is not None:
        same = f"#{focused.id}" if focused.id else type(focused).__name__
        for widget in list(screen.query(same))[:1]:
            widget.focus()
