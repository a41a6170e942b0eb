"""Asks where to go: servers that the player knows or that are heard, or an address."""

from collections.abc import Sequence
from contextlib import aclosing
from typing import ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static

from clocktowers_tui.config.settings import called
from clocktowers_tui.deeds.asking import go
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.net import nearby
from clocktowers_tui.net.address import Address, parse_place
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.nearby import Deaf, Neighbour
from clocktowers_tui.net.wishes import Visit, visit_to
from clocktowers_tui.phrases.codes import fault_in_words
from clocktowers_tui.phrases.friends import (
    deaf_in_words,
    known_server_in_words,
)
from clocktowers_tui.screens.bound_actions import KeyLine, Keys, entry
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.screens.screen import MOVES
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.menu import BoundedMenu, Menu, Row
from clocktowers_tui.widgets.panel import Panel
from protocol.invitation import MOST_LETTERS

# The list of servers to go to: where the player has been, and what is heard on the network.


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
        self._heard: dict[Address, Neighbour] = {}

    def compose(self) -> ComposeResult:
        menu = BoundedMenu(self._rows(), id="servers")
        menu.display = menu.can_focus = bool(self._been_at)
        yield menu
        yield Static("", id="nearby", classes="note", markup=False)

    def on_mount(self) -> None:
        self._say(_("Looking for servers on your network…") if nearby.wanted() else "")
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

    def hear(self, now: Sequence[Neighbour]) -> None:
        """These are there now."""
        there: dict[Address, Neighbour] = {}
        for one in now:
            there.setdefault(one.address, one)  # the first that names an address
        kept = [address for address in self._heard if address in there]
        self._heard = {address: there[address] for address in [*kept, *there]}
        self._say("" if self._heard else _("You see no server on your network yet."))
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


class ConnectScreen(DeedScreen[None]):
    """The fields keep their text when the connection fails."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.CONFIRM, "connect", N_("Connect"), shown=True),
        *MOVES,
        bound(actions.BACK, "back", shown=True),
    ]

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._connecting = False

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(_(" Join a table"), "bold"), classes="banner", markup=False)
        servers = self._client.settings.servers
        host = self.keymap.name(actions.HOST)
        with Vertical(classes="middle"):
            with Panel(_("Servers you know, or on your network")):
                yield Servers(servers)
            with Panel(_("Or type where")):
                yield Field(
                    _("Server"), next(iter(servers), ""), id="server", max_length=MOST_LETTERS
                )
                yield Field(_("Table (if known)"), id="table", max_length=8)
                yield _note(_("Paste an invitation (ct:…), or type an address:"))
                yield _note("192.168.1.5:7777/KX4R")
            yield _note(_("Nobody hosts yet? You can: {key} in the menu.").format(key=host))
        yield Static("", id="said", markup=False)
        yield KeyLine()

    def keys(self) -> Keys:
        """The focused field takes the key, and does the same with it."""
        connect = entry(self.keymap, [actions.CONFIRM], _("Connect"))
        others = super().keys()
        return [connect, *(key for key in others if key != connect)]

    def _typed(self, id: str) -> str:
        return self.query_one(f"#{id}", Input).value.strip()

    def on_input_submitted(self) -> None:
        self.action_connect()

    def on_servers_found(self) -> None:
        """A player who has typed nothing yet chooses with the arrows."""
        if not self._typed("server"):
            self.query_one(Servers).menu.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """The list leads there at once, whatever was typed before."""
        self.query_one("#server", Input).value = event.option_id or ""
        self.action_connect()

    def action_connect(self) -> None:
        if not self._connecting:
            self._connect()

    @work(exclusive=True, group="going")
    async def _connect(self) -> None:
        try:
            visit = visit_to(self._typed("server"), self._typed("table"))
        except LinkError as error:
            self.say(fault_in_words(error))
            return
        self._connecting = True
        self.say(_("Connecting to {address}… (Esc stops)").format(address=visit.address))
        try:
            if visit.match:
                await self._tried(self._see(visit))
            else:
                fault = await go(self._client, self, visit)
                self.say("" if fault is None else fault_in_words(fault))
        finally:
            self._connecting = False

    async def _see(self, visit: Visit) -> None:
        """Show the finished match to which an invitation leads. Raises NotDone."""
        from clocktowers_tui.deeds.finished import fetch  # seldom used
        from clocktowers_tui.screens.replay import see_again

        me = await fetch(visit, called(self._client.settings))
        self.say("")
        await see_again(self.app, self._client, visit.match, me)

    def action_back(self) -> None:
        """Stop connecting; or, when there is nothing to stop, go home."""
        if self._connecting:
            self.workers.cancel_group(self, "going")
            self.say("")
        else:
            self.dismiss()


def _note(text: str) -> Static:
    return Static(Content(text), classes="note", markup=False)
