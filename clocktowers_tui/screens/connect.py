"""Where to go: a server's address, and a password if it wants one."""

from typing import ClassVar

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from clocktowers_tui import actions
from clocktowers_tui.actions import bound
from clocktowers_tui.i18n import N_, _
from clocktowers_tui.net.address import parse_address
from clocktowers_tui.net.arrival import Visit
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.screens.client import Client
from clocktowers_tui.screens.screen import OurScreen
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.key_line import KeyLine


class ConnectScreen(OurScreen[None]):
    """What was typed stays there when the connection fails."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.CONFIRM, "connect", N_("Connect"), shown=True),
        bound(actions.UP, "app.focus_previous"),
        bound(actions.DOWN, "app.focus_next"),
        bound(actions.BACK, "back", shown=True),
    ]

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client = client
        self._connecting = False

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(_(" Join a table"), "bold"), classes="banner", markup=False)
        with Vertical(classes="middle"):
            yield Field(_("Server"), self._client.settings.server, id="server")
            yield Field(_("Table (if known)"), id="table", max_length=8)
            yield Field(_("Password (if any)"), id="password", password=True)
            yield Static("")
            yield Static(
                Content(_("The server as HOST or HOST:PORT, for example 192.168.1.5:7777")),
                classes="note",
                markup=False,
            )
        yield Static("", id="said", markup=False)
        yield KeyLine()

    def _typed(self, id: str) -> str:
        return self.query_one(f"#{id}", Input).value.strip()

    def on_input_submitted(self) -> None:
        self.action_connect()

    def action_connect(self) -> None:
        if not self._connecting:
            self._connect()

    @work(exclusive=True, group="going")
    async def _connect(self) -> None:
        try:
            address = parse_address(self._typed("server"))
        except LinkError as error:
            self._say(fault_in_words(error))
            return
        self._connecting = True
        self._say(_("Connecting to {address}… (Esc stops)").format(address=address))
        visit = Visit(address, self._typed("password"), self._typed("table").upper())
        try:
            sentence = await self._client.arrive(visit)
        finally:
            self._connecting = False
        if not sentence:
            self._client.keep(replace(self._client.settings, server=str(address)))
        self._say(sentence)

    def _say(self, sentence: str) -> None:
        self.query_one("#said", Static).update(Content(sentence))

    def action_back(self) -> None:
        """Stop connecting; or, when there is nothing to stop, go home."""
        if self._connecting:
            self.workers.cancel_group(self, "going")
            self._say("")
        else:
            self.dismiss()
