"""Goes to a server or a table, and asks the player for a password where one is wanted."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from clocktowers_tui.config.settings import called
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.deed import Asker
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.ticket import PasswordAsked, Ticket, asks_password
from clocktowers_tui.net.wishes import Return, Visit, Wish
from clocktowers_tui.phrases.codes import fault_in_words, refused_in_words
from clocktowers_tui.text.i18n import _
from protocol.errors import RefusalCode
from protocol.from_client import Join, Request, Watch
from protocol.from_server import Refused

if TYPE_CHECKING:  # loaded when the player first goes somewhere
    from clocktowers_tui.net.link import Answer


async def go(client: Client, ask: Asker, wish: Wish) -> LinkError | None:
    """Open the connection, asking for a password as often as the server wants one. Returns why that
    failed."""
    while True:
        error = await client.journey.go(wish, called(client.settings))
        if not isinstance(wish, Visit | Return) or error is None or not asks_password(error):
            return error
        if (ticket := await _ticket(ask, error, wish.ticket)) is None:
            return error
        wish = wish._replace(ticket=ticket)


async def _ticket(ask: Asker, error: LinkError, shown: Ticket) -> Ticket | None:
    """None: the player gives up."""
    in_clear, password = shown.in_clear, ""
    if isinstance(error, PasswordAsked):
        password = shown.password
        if error.in_clear and not in_clear:
            title, told = _("Send a password unencrypted?"), [fault_in_words(error)]
            yes, no = _("Send it unencrypted"), _("Do not send it")
            if not (in_clear := await ask.sure(title, told, yes, no)):
                return None
    password = password or await ask.password(fault_in_words(error))
    return Ticket(password, in_clear) if password else None


async def request_with_password(client: Client, ask: Asker, wish: Request) -> "Answer | None":
    """The answer to a request, asking for a table's password as often as it wants one; None as of
    `Journey.request`, and when the player gives up."""
    answer = await client.journey.request(wish)
    line = client.state.connection
    while (
        isinstance(wish, Join | Watch)
        and isinstance(answer, Refused)
        and answer.code == RefusalCode.TABLE_PASSWORD
        and line is not None
        and line.private
    ):
        said = refused_in_words(answer) if wish.password else _("This table asks for a password.")
        if not (password := await ask.password(said)):
            return None
        wish = replace(wish, password=password)
        answer = await client.journey.request(wish)
    return answer
