"""The list of servers to go to: where the player has been, and what is heard on the network."""

from collections.abc import Sequence
from contextlib import aclosing
from typing import Final

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from clocktowers_tui.net import nearby
from clocktowers_tui.net.address import Address, parse_place
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.nearby import Deaf, Heard
from clocktowers_tui.phrases.nearby import (
    deaf_in_words,
    known_server_in_words,
    looking_in_words,
    nobody_in_words,
)
from clocktowers_tui.widgets.menu import Menu, Row

_SCROLL_BAR: Final = 1


class Servers(Vertical):
    """It grows while the player looks; a row never moves under the cursor, because new ones come
    last. `been_at`: the newest first, each with its address, or several with commas. The id of a
    row is what somebody would type."""

    class Found(Message):
        """There is something to choose now."""

    def __init__(self, been_at: Sequence[str]) -> None:
        super().__init__()
        self._been_at = _addresses(been_at)
        self._heard: dict[Address, Heard] = {}

    def compose(self) -> ComposeResult:
        menu = Menu(self._rows(), id="servers")
        menu.display = menu.can_focus = bool(self._been_at)
        yield menu
        yield Static("", id="nearby", classes="note", markup=False)

    def on_mount(self) -> None:
        self._say(looking_in_words() if nearby.wanted() else "")
        if nearby.wanted():
            self._listen()

    def on_resize(self) -> None:
        self._show()

    @property
    def menu(self) -> Menu:
        return self.query_one(Menu)

    @work
    async def _listen(self) -> None:
        try:
            async with aclosing(nearby.heard()) as heard:
                async for now in heard:
                    self.hear(now)
        except Deaf as error:
            self._say(deaf_in_words(error))

    def hear(self, now: Sequence[Heard]) -> None:
        """These are there now."""
        there: dict[Address, Heard] = {}
        for one in now:
            there.setdefault(one.address, one)  # the first that names an address
        kept = [address for address in self._heard if address in there]
        self._heard = {address: there[address] for address in [*kept, *there]}
        self._say("" if self._heard else nobody_in_words())
        self._show()

    def _all(self) -> list[Address]:
        return [*self._been_at, *(one for one in self._heard if one not in self._been_at)]

    def _rows(self) -> list[Row]:
        width = max(0, self.size.width - _SCROLL_BAR)
        return [
            Row(
                self._been_at.get(one, str(one)),
                known_server_in_words(one, self._heard.get(one), width),
            )
            for one in self._all()
        ]

    def _show(self) -> None:
        menu, there = self.menu, bool(self._all())
        menu.show(self._rows())
        if there == menu.display:
            return
        if menu.has_focus:
            self.screen.focus_next()
        menu.display = menu.can_focus = there
        if there:
            self.post_message(self.Found())

    def _say(self, sentence: str) -> None:
        told = self.query_one("#nearby", Static)
        told.update(Content(sentence))
        told.display = bool(sentence)


def _addresses(typed: Sequence[str]) -> dict[Address, str]:
    """By the first address. What an older version has kept may be none."""
    found = dict[Address, str]()
    for one in typed:
        try:
            (first, *_others), _code = parse_place(one)
        except LinkError:
            continue
        found[first] = one
    return found
