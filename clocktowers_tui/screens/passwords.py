"""Asks for a password where a server wants one."""

from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, Static

from clocktowers_tui.config.settings import called
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.ticket import PasswordAsked, Ticket, asks_password
from clocktowers_tui.net.wishes import Return, Visit, Wish
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.phrases.refusals import refused_in_words
from clocktowers_tui.screens.dialogs import Question, typed_keys
from clocktowers_tui.screens.screen import Dialog
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.key_line import KeyLine, Keys
from clocktowers_tui.widgets.menu import Row
from clocktowers_tui.widgets.panel import Panel
from protocol.errors import RefusalCode
from protocol.from_client import Join, Request, Watch
from protocol.from_server import Refused

if TYPE_CHECKING:  # loaded when the player first goes somewhere
    from clocktowers_tui.net.link import Answer


class PasswordForm(Dialog[str]):
    """Returns what was typed, which the screen never shows; "" after Esc. `said`: why it asks."""

    BINDINGS: ClassVar[list[BindingType]] = [bound(actions.BACK, "close")]

    def __init__(self, said: str) -> None:
        super().__init__()
        self._said = said

    def compose(self) -> ComposeResult:
        with Panel(_("Password"), classes="dialog"):
            yield Static(Content(self._said), classes="note", markup=False)
            yield Field(_("Password"), id="password", password=True, max_length=128)
        yield KeyLine()

    def keys(self) -> Keys:
        return typed_keys(self.keymap, _("Go on"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.value:
            self.dismiss(event.value)

    def action_close(self) -> None:
        self.dismiss("")


async def go_with_password(app: App[Any], client: Client, wish: Wish) -> LinkError | None:
    """Open the connection, asking the player for a password as often as the server wants one.
    Returns why that failed."""
    while True:
        error = await client.journey.go(wish, called(client.settings))
        if not isinstance(wish, Visit | Return) or not asks_password(error):
            return error
        if (ticket := await _ask(app, error, wish.ticket)) is None:
            return error
        wish = wish._replace(ticket=ticket)


async def _ask(app: App[Any], error: LinkError | None, shown: Ticket) -> Ticket | None:
    assert error is not None
    in_clear, password = shown.in_clear, ""
    if isinstance(error, PasswordAsked):
        password = shown.password
        if error.in_clear and not in_clear:
            in_clear = await _may_be_read(app, error)
            if not in_clear:
                return None
    password = password or await app.push_screen_wait(PasswordForm(fault_in_words(error)))
    return Ticket(password, in_clear) if password else None


async def _may_be_read(app: App[Any], error: LinkError) -> bool:
    rows = [Row("back", _("Do not send it")), Row("send", _("Send it unencrypted"))]
    title = _("Send a password unencrypted?")
    return await app.push_screen_wait(Question(title, [fault_in_words(error)], rows)) == "send"


async def request_with_password(app: App[Any], client: Client, wish: Request) -> "Answer | None":
    """The answer to a request, asking the player for a table's password as often as it wants one;
    None as of `Journey.request`, and when the player gives up."""
    answer = await client.journey.request(wish)
    line = client.state.connection
    while _wants_password(wish, answer) and line is not None and line.private:
        assert isinstance(answer, Refused) and isinstance(wish, Join | Watch)
        said = refused_in_words(answer) if wish.password else _("This table asks for a password.")
        if not (password := await app.push_screen_wait(PasswordForm(said))):
            return None
        wish = replace(wish, password=password)
        answer = await client.journey.request(wish)
    return answer


def _wants_password(wish: Request, answer: "Answer | None") -> bool:
    wants = isinstance(answer, Refused) and answer.code == RefusalCode.TABLE_PASSWORD
    return wants and isinstance(wish, Join | Watch)
