"""What a deed asks: the player, in dialogs or in lines, and the server."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from msgspec.structs import replace

from clocktowers_tui.config.settings import called
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.net.errors import LinkError
from clocktowers_tui.net.trust import PasswordAsked, Ticket, asks_password
from clocktowers_tui.net.wishes import Return, Visit, Wish
from clocktowers_tui.phrases.codes import fault_in_words, not_done_in_words, refused_in_words
from clocktowers_tui.text.i18n import _
from protocol.errors import RefusalCode
from protocol.from_client import Join, Request, Watch
from protocol.from_server import Done, Listing, Refused, WaitingList
from protocol.invitation import Ways

if TYPE_CHECKING:
    from asyncio import Future

    from clocktowers_tui.net.link import Answer


OfKey: TypeAlias = Literal["", "no", "yes"]
"""What Enter answers where a key has asked; "" where a mere key asks nothing."""


class Asker(Protocol):
    """Speaks with the player: a screen in dialogs, plain mode in lines."""

    typed: Sequence[str]
    """What stands behind a word that was typed; nothing behind a key."""

    def say(self, sentence: str, /) -> None:
        """Show or say a sentence."""

    def withdraw(self, sentence: str, /) -> None:
        """It is not so any more: show it no longer, if nothing else was said since."""

    def object(self, sentence: str, /) -> None:
        """Say why something is not done."""

    def aloud(self, *sentences: str) -> None:
        """Say what a player who sees a screen has seen."""

    async def sure(
        self, title: str, told: Sequence[str], yes: str, no: str, *, of_key: OfKey = ""
    ) -> bool:
        """Whether the player really wants it. `of_key`: nobody types it by mistake, so the player
        is asked only after a key, and Enter gives this answer."""

    async def choose(
        self, title: str, told: Sequence[str], options: Mapping[str, str], none: str, lacks: str
    ) -> str:
        """One of the options, by its words; or what the player has typed. "": none, in words;
        `lacks`: what to type, if nothing was."""

    async def line(
        self, title: str, label: str, told: str, *, had: str = "", most: int, lacks: str = ""
    ) -> str | None:
        """A line called `label`, where `had` stands now; or what the player has typed. None: they
        give up. `lacks`: what to type, if nothing was; else an empty line is one, too."""

    async def password(self, why: str) -> str:
        """What the player types and nobody sees; "" for none."""

    async def until(self, holds: Callable[[], bool], within_s: float | None = None) -> bool:
        """Wait for that, so that the next typed line is meant for it. A screen does not wait."""

    async def show_lines(self, title: str, lines: Sequence[str], over: "Future[Any]") -> None:
        """Until it is over, or the player gives up. The last is typed elsewhere."""

    async def show_invitation(self, ways: Ways, table: str, short: Sequence[str]) -> None:
        """How friends come to this table. `short`: what they type who know the server's address;
        nothing where the player does not know it."""


async def asked(client: Client, ask: Asker, wish: Request) -> Done | Listing | WaitingList | None:
    """Ask the server, with a table's password if it wants one. None: it has not done it, and the
    player has been told why."""
    return settled(client, ask, await request_with_password(client, ask, wish))


def settled(
    client: Client, ask: Asker, answer: "Answer | None"
) -> Done | Listing | WaitingList | None:
    """The same of an answer that is there."""
    if answer is None or isinstance(answer, Refused):
        if why := not_done_in_words(answer, client.state.connection):
            ask.object(why)
        return None
    ask.say("")
    return answer


# Goes to a server or a table, and asks the player for a password where one is wanted.


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
    """The answer to a request, asking for a table's password until it is the right one or the
    player gives up; None as of `Journey.request`."""
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
            break
        wish = replace(wish, password=password)
        answer = await client.journey.request(wish)
    return answer
