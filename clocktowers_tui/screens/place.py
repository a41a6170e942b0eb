"""The screen of a place: its keys do what the place's deeds are, and questions are dialogs."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.deed import Deed, Does
from clocktowers_tui.screens.screen import Follows, OurScreen, SpeakingScreen
from clocktowers_tui.widgets.menu import Row

if TYPE_CHECKING:  # loaded with the first invitation
    from protocol.invitation import Ways

Result = TypeVar("Result")
Doing: TypeAlias = Coroutine[Any, Any, None]


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
        """As `Question`, which a start does without. One question at a time: the answer to a second
        is the safe one."""
        from clocktowers_tui.screens.dialogs import Question

        if isinstance(self.app.screen, Question) and not unasked:
            return (safe or answers[0]).id
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
        from clocktowers_tui.screens.dialogs import Question, show_invitation

        if not isinstance(self.app.screen, Question):
            await show_invitation(self.app, ways, table)


class DeedScreen(OurScreen[Result]):
    """Its keys do its deeds; of those that have no `does` it has a method `do_WORD`."""

    deeds: ClassVar[Sequence[Deed]] = ()

    def may(self, deed: Deed) -> bool:
        """Whether its key means something now."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "do" or any(self.may(one) for one in self._called(parameters))

    def _called(self, words: Sequence[object]) -> Sequence[Deed]:
        return [deed for deed in self.deeds if deed.word in words]

    def action_do(self, word: str, *typed: int) -> None:
        """A deed that is under way is not begun again."""
        group = " ".join(map(str, (word, *typed)))
        under_way = any(
            one.node is self and one.group == group and not one.is_finished for one in self.workers
        )
        for deed in self._called([word]) if not under_way else ():
            if self.may(deed) and (doing := self._doing(deed, typed)) is not None:
                self.run_worker(self._unless_asked(doing), group=group)

    def _doing(self, deed: Deed, typed: Sequence[int]) -> Doing | None:
        own: Callable[[], Doing | None] = getattr(self, f"do_{deed.word}")
        return own()

    async def _unless_asked(self, doing: Doing) -> None:
        """Of keys that come together the first may have asked something."""
        if self.is_active:
            await doing
        else:
            doing.close()


class AskingDeedScreen(AskingScreen[Result], DeedScreen[Result]):
    """It can ask what its deeds ask."""

    def __init__(self, client: Client, name: str | None = None) -> None:
        super().__init__(name=name)
        self._client = client

    def may(self, deed: Deed) -> bool:
        return deed.is_for(self._client) and deed.now(self._client)

    def _doing(self, deed: Deed, typed: Sequence[int]) -> Doing | None:
        return super()._doing(deed, typed) if deed.does is None else self._done(deed.does, typed)

    async def _done(self, does: Does, typed: Sequence[int]) -> None:
        self.typed = [*map(str, typed)]
        await does(self._client, self)


class PlaceScreen(AskingDeedScreen[None], Follows):
    """The place where the player is."""
