"""Asks where to go."""

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.going import go
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.net.address import as_code
from clocktowers_tui.net.asked import visit_to
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.screens.bound_actions import entry
from clocktowers_tui.screens.dialogs import typed_keys
from clocktowers_tui.screens.place import AskingScreen
from clocktowers_tui.screens.screen import Dialog
from clocktowers_tui.screens.servers import Servers
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.key_line import KeyLine, Keys
from clocktowers_tui.widgets.panel import Panel
from protocol.invitation import MOST_LETTERS


class ConnectScreen(AskingScreen[None]):
    """The fields keep their text when the connection fails."""

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
            fault = await go(self._client, self, visit)
        finally:
            self._connecting = False
        self.say("" if fault is None else fault_in_words(fault))

    def action_back(self) -> None:
        """Stop connecting; or, when there is nothing to stop, go home."""
        if self._connecting:
            self.workers.cancel_group(self, "going")
            self.say("")
        else:
            self.dismiss()


def _note(text: str) -> Static:
    return Static(Content(text), classes="note", markup=False)


class CodeForm(Dialog[str]):
    """Asks for a table's code; "" when the player typed nothing, or Esc."""

    BINDINGS: ClassVar[list[BindingType]] = [bound(actions.BACK, "close")]

    def compose(self) -> ComposeResult:
        with Panel(_("Go to a table"), classes="dialog"):
            yield Field(_("The table's code"), id="code", max_length=8)
        yield KeyLine()

    def keys(self) -> Keys:
        return typed_keys(self.keymap, _("Go there"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(as_code(event.value))

    def action_close(self) -> None:
        self.dismiss("")
