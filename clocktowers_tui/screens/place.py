"""The screen of a place: its keys do what the place's deeds are, and questions are dialogs."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.deed import Deed
from clocktowers_tui.screens.screen import Follows, SpeakingScreen
from clocktowers_tui.widgets.menu import Row

if TYPE_CHECKING:  # loaded with the first invitation
    from protocol.invitation import Ways

Result = TypeVar("Result")


class AskingScreen(SpeakingScreen[Result]):
    """Asks in dialogs what deeds ask (`deeds.deed.Asker`)."""

    typed: Sequence[str] = ()

    def aloud(self, *sentences: str) -> None:
        """The player has seen it."""

    async def ask(
        self,
        title: str,
        told: Sequence[str],
        answers: Sequence[Row],
        safe: Row | None = None,
        *,
        unasked: bool = False,
    ) -> str:
        """As `Question`, which a start does without."""
        from clocktowers_tui.screens.dialogs import Question

        return await self.app.push_screen_wait(
            Question(title, told, answers, safe=safe, unasked=unasked)
        )

    async def sure(
        self, title: str, told: Sequence[str], yes: str, no: str, *, of_key: bool = False
    ) -> bool:
        return await self.ask(title, told, [Row("no", no), Row("yes", yes)]) == "yes"

    async def choose(
        self, title: str, told: Sequence[str], options: Mapping[str, str], none: str, lacks: str
    ) -> str:
        rows = [Row("", none), *(Row(f"={id}", words) for id, words in options.items())]
        return (await self.ask(title, told, rows)).removeprefix("=")

    async def password(self, why: str) -> str:
        from clocktowers_tui.screens.dialogs import PasswordForm

        return await self.app.push_screen_wait(PasswordForm(why))

    async def until(self, holds: Callable[[], bool], within_s: float | None = None) -> bool:
        """A player sees it, and presses keys when they like."""
        return True

    async def show_invitation(self, ways: "Ways", table: str) -> None:
        from clocktowers_tui.screens.dialogs import show_invitation

        await show_invitation(self.app, ways, table)


class PlaceScreen(AskingScreen[None], Follows):
    """The place where the player is, with its deeds: one that has no `does` is a method `do_WORD`
    here."""

    deeds: ClassVar[Sequence[Deed]] = ()

    def __init__(self, client: Client) -> None:
        super().__init__()
        self._client = client

    def may(self, deed: Deed) -> bool:
        """Whether its key means something now."""
        return deed.is_for(self._client) and deed.now(self._client)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "do" or any(self.may(one) for one in self._called(parameters))

    def _called(self, words: Sequence[object]) -> Sequence[Deed]:
        return [deed for deed in self.deeds if deed.word in words]

    def action_do(self, word: str) -> None:
        """A deed that is under way is not begun again."""
        under_way = any(
            one.node is self and one.group == word and not one.is_finished for one in self.workers
        )
        for deed in self._called([word]) if not under_way else ():
            own: Callable[[], Awaitable[None] | None] | None = getattr(self, f"do_{word}", None)
            if not self.may(deed):
                continue
            if own is None and deed.does is not None:
                self.run_worker(deed.does(self._client, self), group=word)
            elif own is not None and (doing := own()) is not None:
                self.run_worker(doing, group=word)
