"""What a player can do in a place: one list for the keys of its screen and the words of plain mode.

Laws: a word means one thing in a place, and is the same in every language; an action of the
registry that no deed stands for only moves a cursor, or says why plain mode has no word for it.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.keys.actions import Action
from clocktowers_tui.phrases.codes import refused_in_words
from protocol.from_client import Request
from protocol.from_server import Refused
from protocol.invitation import Ways


class Asker(Protocol):
    """Speaks with the player: a screen in dialogs, plain mode in lines."""

    typed: Sequence[str]
    """What stands behind a word that was typed; nothing behind a key."""

    def say(self, sentence: str, /) -> None:
        """Show or say a sentence."""

    def object(self, sentence: str, /) -> None:
        """Say why something is not done."""

    def aloud(self, *sentences: str) -> None:
        """Say what a player who sees a screen has seen."""

    async def sure(
        self, title: str, told: Sequence[str], yes: str, no: str, *, of_key: bool = False
    ) -> bool:
        """Whether the player really wants it. `of_key`: nobody types it by mistake, so only after a
        key the player is asked."""

    async def choose(
        self, title: str, told: Sequence[str], options: Mapping[str, str], none: str, lacks: str
    ) -> str:
        """One of the options, by its words; or what the player has typed. "": none, in words;
        `lacks`: what to type, if nothing was."""

    async def password(self, why: str) -> str:
        """What the player types and nobody sees; "" for none."""

    async def until(self, holds: Callable[[], bool], within_s: float | None = None) -> bool:
        """Wait for that, so that the next typed line is meant for it. A screen does not wait."""

    async def show_invitation(self, ways: Ways, table: str) -> None:
        """How friends come to this table."""


Does: TypeAlias = Callable[[Client, Asker], Awaitable[None]]


def always(_client: Client) -> bool:
    return True


class Deed(NamedTuple):
    """`word` is typed, or `short`, and `takes` what follows it; the same in every language.
    `told`: what it does, for the help of plain mode, which has no deed without. `keys`: the actions
    of the registry that do it. `does`: how; a place that does it in a way of its own has a method
    `do_WORD`. `now`: it leads somewhere now, so key line, palette and help list it. `guest`: only
    for guests of a server, or never for them. `words`: its name on a screen, where the action's is
    too general. `shown`: its first key stands in the key line. `waits`: it has a meaning only while
    the match waits for the player."""

    word: str
    told: str
    keys: Sequence[Action] = ()
    does: Does | None = None
    now: Callable[[Client], bool] = always
    short: str = ""
    takes: str = ""
    words: str = ""
    shown: bool = False
    waits: bool = False
    guest: bool | None = None

    def is_for(self, client: Client) -> bool:
        """Whether this client has it at all."""
        return self.guest in (None, client.guest)


async def asked(client: Client, ask: Asker, wish: Request) -> bool:
    """Ask the server, and say why it refuses; whether it did not."""
    answer = await client.journey.request(wish)
    if isinstance(answer, Refused):
        ask.object(refused_in_words(answer))
    elif answer is not None:
        ask.say("")
    return not isinstance(answer, Refused)
