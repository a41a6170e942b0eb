"""The screen of a place: its keys do what the place's deeds are, and questions are dialogs."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Key
from textual.widgets import Static

from clocktowers_tui.config.look import Look
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Deed, Does, bound
from clocktowers_tui.keys.keymap import key_in_words
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.screens import dialogs
from clocktowers_tui.screens.bound_actions import BoundAction, KeyLine
from clocktowers_tui.screens.screen import OurScreen, Returned
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row

if TYPE_CHECKING:  # loaded with the first board and the first invitation
    from asyncio import Future

    from clocktowers_tui.deeds.asking import OfKey
    from clocktowers_tui.games.board import Board
    from clocktowers_tui.games.face import Face
    from protocol.invitation import Ways

_MARGINS: Final = 2
"""Cells beside the sentence."""

# What lies on top of a place and takes the player's attention, by the names of the screens.

CHAT: Final = "chat"
OPENS_CHAT: Final = bound(actions.CHAT, "app.chat", shown=True, at_once=True)
"""What is typed right behind it is text already."""
LOOKS_BACK: Final = "look back"
"""It shows earlier moments of the match."""


def is_chatting(app: App[Any]) -> bool:
    """Whether the chat is open; what comes unasked must not take the keys away from a player who
    types."""
    return any(screen.name == CHAT for screen in app.screen_stack)


def is_busy(app: App[Any]) -> bool:
    """Whether the player chats or looks back: a result waits till they are done."""
    return any(screen.name in (CHAT, LOOKS_BACK) for screen in app.screen_stack)


class DeedScreen(OurScreen[Returned]):
    """Its keys do its deeds; of those that have no `does` it has a method `do_WORD`. It has a line
    `#said` for sentences, and asks in dialogs (`deeds.asking.Asker`)."""

    BINDINGS: ClassVar[list[BindingType]] = [bound(actions.RULES, "app.rules")]

    typed: Sequence[str] = ()
    _sentence = ""
    _objects = False
    """The sentence says why a key did nothing."""
    _written = ""

    def __init__(self, client: Client, *, name: str | None = None) -> None:
        super().__init__(name=name)
        self._client = client

    @property
    def room(self) -> int:
        """Cells that a sentence may take on its line."""
        return self.size.width - _MARGINS

    def foot(self) -> ComposeResult:
        """What a place has below: the newest sentence, and its keys."""
        yield Static("", id="said", markup=False)
        yield KeyLine()

    def say(self, sentence: str) -> None:
        """Show a line above the keys; it stays until the next."""
        self._objects = False
        # A worker may still speak while its screen is being taken away.
        for said in self.query("#said").results(Static):
            if sentence != self._sentence:
                self._sentence = sentence
                content, (width, height) = Content(sentence), said.size
                said.update(content, layout=not width or content.get_height({}, width) != height)

    def withdraw(self, sentence: str) -> None:
        if sentence and self._sentence == sentence:
            self.say("")

    def tell(self, sentence: str) -> None:
        """Say news, which do not depend on what is shown here."""
        self.say(sentence)

    def object(self, sentence: str) -> None:
        """Say why a key did nothing; the next key that means something takes the sentence
        away."""
        self.say(sentence)
        self._objects = True

    def on_key(self, event: Key) -> None:
        """A text field keeps what is typed into it; here comes what means nothing, too, and before
        a key does something."""
        active = self.active_bindings.get(event.key)
        if active is None or not active.enabled:
            self.puzzled(key_in_words(event.key))
        elif self._objects:
            self.say(self.at_rest())

    def at_rest(self) -> str:
        """The sentence above the keys while no other stands there."""
        return self._written

    def written(self, sentence: str) -> None:
        """What has come of sharing a match: it stays here, and is told where the player is."""
        self._written = sentence
        self.say(sentence)
        if self.app.screen is not self:
            self._client.tell(sentence)

    def puzzled(self, key: str) -> None:
        """The player pressed a key that does nothing here."""
        said = _("{key} does nothing here; {help} lists the keys.")
        self.object(said.format(key=key, help=self.keymap.name(actions.HELP)))

    async def say_again(self) -> None:
        self._sentence = ""
        await super().say_again()

    # Questions ----------------------------------------------------------------------------------

    def aloud(self, *sentences: str) -> None:
        """The player has seen it."""

    async def ask(self, question: "dialogs.Question") -> str:
        """One question at a time: the answer to a second is the safe one."""
        if isinstance(self.app.screen, dialogs.Question) and not question.unasked:
            return question.safe.id
        return await self.app.push_screen_wait(question)

    async def sure(
        self, title: str, told: Sequence[str], yes: str, no: str, *, of_key: "OfKey" = ""
    ) -> bool:
        rows = [Row("no", no), Row("yes", yes)]
        shown = rows[::-1] if of_key == "yes" else rows
        return await self.ask(dialogs.Question(title, told, shown, rows[0])) == "yes"

    async def choose(
        self, title: str, told: Sequence[str], options: Mapping[str, str], none: str, lacks: str
    ) -> str:
        rows = [Row("", none), *(Row(f"={id}", words) for id, words in options.items())]
        return (await self.ask(dialogs.Question(title, told, rows))).removeprefix("=")

    async def line(
        self, title: str, label: str, told: str, *, had: str = "", most: int, lacks: str = ""
    ) -> str | None:
        form = dialogs.LineForm(title, label, told, value=had, most=most, may_be_empty=not lacks)
        return await self.app.push_screen_wait(form)

    async def password(self, why: str) -> str:
        form = dialogs.LineForm(_("Password"), _("Password"), why, most=128, secret=True)
        return await self.app.push_screen_wait(form) or ""

    async def until(self, holds: Callable[[], bool], within_s: float | None = None) -> bool:
        """A player sees it, and presses keys when they like."""
        return True

    async def show_lines(self, title: str, lines: Sequence[str], over: "Future[Any]") -> None:
        await dialogs.show_lines(self.app, title, lines, over)

    async def show_invitation(self, ways: "Ways", table: str, short: Sequence[str]) -> None:
        if isinstance(self.app.screen, dialogs.Question):
            return
        if text := await dialogs.show_invitation(self.app, ways, table, short):
            await dialogs.copy(self, text)

    # Deeds ---------------------------------------------------------------------------------------

    def may(self, deed: Deed) -> bool:
        """Whether its key means something now."""
        return deed.is_for(self._client) and deed.now(self._client)

    def check_action(self, action: str, parameters: tuple[Any, ...]) -> bool | None:
        return action != "do" or any(self.may(one) for one in self._called(parameters))

    def _called(self, words: Sequence[Any]) -> Sequence[Deed]:
        return [deed for deed in self.deeds if deed.word in words]

    def _by_deeds(self, found: Sequence[BoundAction]) -> Sequence[BoundAction]:
        order = [key for deed in self.deeds for key in deed.keys]
        place = {key: n for n, key in enumerate(order)}
        return sorted(found, key=lambda one: place.get(one.action, len(place)))

    def action_do(self, word: str, *typed: int) -> None:
        """A deed that is under way is not begun again."""
        group = " ".join(map(str, (word, *typed)))
        under_way = any(
            one.node is self and one.group == group and not one.is_finished for one in self.workers
        )
        for deed in self._called([word]) if not under_way else ():
            if self.may(deed) and (doing := self._doing(deed, typed)) is not None:
                self.run_worker(self._unless_asked(doing), group=group)

    def _doing(self, deed: Deed, typed: Sequence[int]) -> Coroutine[Any, Any, None] | None:
        if deed.does is not None:
            return self._done(deed.does, typed)
        own: Callable[[], Coroutine[Any, Any, None] | None] = getattr(self, deed.method)
        return own()

    async def _done(self, does: Does, typed: Sequence[int]) -> None:
        self.typed = [*map(str, typed)]
        await does(self._client, self)

    async def _unless_asked(self, doing: Coroutine[Any, Any, None]) -> None:
        """Of keys that come together the first may have asked something."""
        if self.is_active:
            await self._tried(doing)
        else:
            doing.close()

    async def _tried(self, doing: Awaitable[None]) -> None:
        """Do it, or say why it is not done."""
        try:
            await doing
        except NotDone as error:
            self.object(str(error))


class BoardScreen(DeedScreen[None]):
    """A match on its board, in the layout that the player has chosen."""

    def __init__(self, client: Client, face: "Face", *, name: str | None = None) -> None:
        super().__init__(client, name=name)
        self._face = face
        layout = client.settings.layouts.get(face.game, "")
        self._board: Board[Any, Any] = face.board(client.look, layout)

    def restyle(self, look: Look) -> None:
        self._board.restyle(look)

    def help_notes(self) -> Sequence[str]:
        return [*self._face.notation(self._client.look), *self._board.legend()]

    def on_board_arranged(self, event: "Board.Arranged") -> None:
        self._client.keep_layout(self._face.game, event.layout)

    def on_board_log_wanted(self) -> None:
        self.action_do("log")
