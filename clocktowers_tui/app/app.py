"""The Textual app: the newest state, and the screen of the place where the player is."""

import gc
from collections.abc import Callable, Mapping
from contextlib import suppress
from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from msgspec.structs import replace
from textual import work
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.events import Resize
from textual.geometry import Size
from textual.screen import Screen
from textual.worker import WorkerError

from clocktowers_tui import new_table
from clocktowers_tui.app import places, read_all
from clocktowers_tui.app.styled import StyledApp
from clocktowers_tui.config.look import Colours, Look, Palette
from clocktowers_tui.config.settings import Settings, called
from clocktowers_tui.deeds.client import Client, is_my_turn
from clocktowers_tui.deeds.home import left_behind, waiting
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap, in_brief
from clocktowers_tui.net import wishes
from clocktowers_tui.phrases import codes
from clocktowers_tui.phrases.home import palette_in_words
from clocktowers_tui.screens import dialogs
from clocktowers_tui.screens.home import HomeScreen
from clocktowers_tui.screens.place import DeedScreen, is_chatting
from clocktowers_tui.screens.screen import PLACES_CSS, OurScreen
from clocktowers_tui.state import store
from clocktowers_tui.terminal.detect import popups
from clocktowers_tui.text.i18n import _

if TYPE_CHECKING:  # loaded when the player first goes somewhere
    from clocktowers_tui.games.face import Face
    from clocktowers_tui.net.arrival import Arrival
    from protocol.from_server import Said

LEAST_WIDTH: Final = 60
LEAST_HEIGHT: Final = 20


class ClocktowersApp(StyledApp, Client, inherit_bindings=False):
    """`keymap`: as the player's file says. `arrival`: a line that was opened before there
    was a screen. `asked`: where the player wants to go first, from home. `finds`: they want to find
    a server first. `near`: as in `StyledApp`."""

    CSS_PATH = str(Path(__file__).parent / "styles" / "app.tcss")
    ENABLE_COMMAND_PALETTE = False
    guest = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(
        self,
        settings: Settings,
        faces: "Mapping[str, Face]",
        look: Look,
        *,
        able: Look | None = None,
        keymap: Keymap = DEFAULT_KEYS,
        arrival: "Arrival | None" = None,
        asked: "wishes.Wish | None" = None,
        finds: bool = False,
        replays: Callable[[Client], Screen[Any]] | None = None,
        driver_class: type[Driver] | None = None,
        near: bool = False,
    ) -> None:
        StyledApp.__init__(self, look, able, driver_class, near=near)
        self.set_keymap(keymap.for_textual())
        self._notices = Notices(self)
        self._spot: places.Spot | None = None
        """Where the player was shown to be last."""
        self._below: DeedScreen[None] | None = None
        """The screen of that spot; all others lie on top of it."""
        self._asked = asked
        self._finds = finds
        self._replays = replays
        self._news: dict[str, str] = {}
        """Sentences to show next, by what they are about."""
        if keymap.complaints:
            self._note(in_brief(keymap))
        Client.__init__(self, settings, faces, keymap, arrival)

    # What screens may ask (deeds.client.Client) -----------------------------------------------

    def keep(self, settings: Settings) -> None:
        """Screens show some of them."""
        super().keep(settings)
        self._changed()

    def tell(self, sentence: str, about: str = "") -> None:
        """Show a sentence wherever the player is, or is next. It replaces a sentence `about` the
        same that has not been shown yet."""
        self._note(sentence, about)
        self._changed()

    def _note(self, sentence: str, about: str = "") -> None:
        self._news.pop(about or sentence, None)
        self._news[about or sentence] = sentence

    def pop_up(self, sender: str, words: str) -> None:
        """Show a message on the desktop while the player is in another window."""
        if self.terminal is not None and not self.app_focus:
            how = self.settings.popups or popups(environ)
            self.terminal.pop_up(how, sender, words)

    def action_next_palette(self, by: int) -> None:
        """Show and keep the next palette, or with -1 the one before."""
        palettes = list(Palette)
        palette = palettes[(palettes.index(self.look.palette) + by) % len(palettes)]
        self.keep(replace(self.settings, palette=palette))
        self.restyle(self.look._replace(palette=palette))
        self.tell(palette_in_words(self.look, self.keymap), about="palette")

    def action_settings(self) -> None:
        from clocktowers_tui.screens.settings import SettingsScreen

        self.push_screen(SettingsScreen(self))

    def action_chat(self) -> None:
        from clocktowers_tui.screens.chat import ChatScreen

        self.push_screen(ChatScreen(self), self._chat_closed)

    def _chat_closed(self, by_a_line: bool | None) -> None:
        """A second Enter plays nothing, and an Esc that was to close the chat leaves nothing. A
        result may have waited below."""
        if by_a_line:
            self.pass_over("enter", "escape")
        self._changed()

    def action_help(self) -> None:
        """Help for the screen that is seen."""
        from clocktowers_tui.screens.help import Help

        if isinstance(screen := self.screen, OurScreen):
            self.push_screen(Help(screen))

    @work(group="palette", exclusive=True)
    async def action_palette(self) -> None:
        """List what can be done on the screen that is seen, and do what is chosen."""
        from clocktowers_tui.screens.help import ActionPalette

        if isinstance(screen := self.screen, OurScreen):
            chosen = await self.push_screen_wait(ActionPalette(screen.palette_actions()))
            if chosen is not None:
                await self.run_action(chosen.does, chosen.node)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The settings do not open themselves again; alone there is nobody to talk to."""
        if action == "chat":
            return store.in_company(self.state)
        return action != "settings" or not any(
            screen.name == "settings" for screen in self.screen_stack
        )

    @property
    def may_move(self) -> bool:
        """Whether a board may move for a moment (`games.motion`): the player wants it and neither
        NO_MOTION nor TEXTUAL_ANIMATIONS forbids it, there are colours, and the terminal takes what
        it is sent."""
        forbidden = environ.get("NO_MOTION") or self.animation_level == "none"
        wanted = self.settings.motion and not forbidden
        coloured = self.look.colours is not Colours.NONE
        return wanted and coloured and self.terminal is not None and not self.terminal.busy

    def leave_program(self) -> None:
        """End the program once the match that has just ended is kept."""
        self.run_worker(self._leave_program(), group="leaving", exclusive=True)

    async def _leave_program(self) -> None:
        await self.keeping.settle()
        self.exit()

    async def part(self, *, hold_seat: bool = False) -> None:
        """After the app has ended: leave the server, and wait for tasks that still end processes or
        keep something."""
        await self.journey.end(hold_seat=hold_seat)
        for worker in [*self.workers]:
            with suppress(WorkerError):
                await worker.wait()

    # What is seen -------------------------------------------------------------------------------

    def get_default_screen(self) -> Screen[Any]:
        """The menu, where no connection is opened first: it is painted before all else."""
        if self.arrived is None:
            home = HomeScreen(self)
            # What Textual does when it pushes a screen, and needs when it takes it away.
            home._push_result_callback(self, None)
            self._below = home
            return home
        self._read_styles()
        return super().get_default_screen()

    def _read_styles(self) -> None:
        """Those of the places but the menu. Where one of them came first, Textual would read all
        styles a second time."""
        self.stylesheet.read(PLACES_CSS)
        self.stylesheet.parse()

    async def on_ready(self) -> None:
        read_all()
        gc.enable()  # `__main__` has turned it off for the start
        if self.arrived is not None:
            self.journey.go_on(self.arrived, called(self.settings))
        else:
            self._spot = places.Spot(store.Place.HOME)
            self.call_after_refresh(self._read_styles)
            await self._follow()
            if self._asked is not None and isinstance(home := self._below, HomeScreen):
                self.call_after_refresh(home.go, self._asked)
        if self._finds and isinstance(home := self._below, HomeScreen):
            self.call_after_refresh(home.action_do, "join")
        if self._replays is not None:
            self.push_screen(self._replays(self))

    def _follow_soon(self) -> None:
        self.call_later(self._follow)

    async def say_again(self) -> None:
        await super().say_again()
        await self._follow()

    async def _follow(self) -> None:
        """Go to the screen of the player's place, and show it the newest state."""
        self._due = False
        if not self.is_running or self.journey.under_way:
            return  # the program ends; or the old screen stays meanwhile
        here = places.spot(self)
        shown = await self._go(here)
        if not self.is_running or not self.screen_stack:
            return  # the program ends, or has ended, meanwhile
        self._check_size(self.size)
        for screen in self.screen_stack:
            if isinstance(screen, OurScreen) and screen.stands:
                screen.show(self.state)
        self._notices.follow(self.state, self.settings, self.faces)
        self._shown()
        for said in self.told_once():
            self._note(said)
        moves = here != places.spot(self)
        if self._news and not moves:  # else they are said where the player comes to
            self._say(" ".join(self._news.values()))
            self._news.clear()
        if isinstance(shown, HomeScreen) and (lost := self.journey.take_lost()) is not None:
            shown.ask_again(codes.fault_in_words(lost.error), lost.wish)

    async def _go(self, there: "places.Spot") -> DeedScreen[None]:
        """Show the screen of this spot. What lay on top of another goes away, except a chat: a
        player who types when the match begins types on."""
        if self._below is not None and self._spot == there:
            return self._below
        screen = places.new_screen(self, there.place, self._spot)
        if self._below is None:
            await self.push_screen(screen)
        else:
            chatting = is_chatting(self)
            while self.screen is not self._below:
                await self.pop_screen()
            await self.switch_screen(screen)
            if chatting:
                await self.run_action("app.chat")
        self._below, self._spot = screen, there
        if there.eyes is not None and there.eyes.covered:
            self.pass_over("enter")  # of the person before, who has pressed it twice
        return screen

    def _say(self, sentence: str) -> None:
        """Say it on the screen of the place, and on a screen that covers it and can say it, too."""
        for screen in (self._below, self.screen):
            if isinstance(screen, DeedScreen):
                screen.tell(sentence)

    def on_countdown_short(self) -> None:
        """The player's time runs out."""
        if self.settings.bell and not self.state.alone:
            self.bell()

    def on_resize(self, event: Resize) -> None:
        self._check_size(event.size)

    def _check_size(self, size: Size) -> None:
        small = size.width < LEAST_WIDTH or size.height < LEAST_HEIGHT
        covered = self.screen is not self._below and isinstance(self.screen, dialogs.TooSmall)
        if covered and not small:
            self.pop_screen()
        elif small and self._below is not None and not covered:
            self.push_screen(dialogs.TooSmall(LEAST_WIDTH, LEAST_HEIGHT))

    def action_rules(self, game: str = "") -> None:
        """Show the rules of this game; "" is the game that is played here, or would be."""
        game = game or new_table.game_here(self.state, self.settings, list(self.faces))
        if (face := self.faces.get(game)) is not None:
            from clocktowers_tui.screens.rules import RulesScreen

            self.push_screen(RulesScreen(face))

    # The end ------------------------------------------------------------------------------------

    def action_interrupt(self) -> None:
        """Ctrl+C asks; a second Ctrl+C quits."""
        if isinstance(self.screen, dialogs.Quit):
            self.leave_program()
        else:
            kept = left_behind(self, waiting(self.faces).all)
            self.push_screen(dialogs.Quit([*kept, _("Ctrl+C once more quits.")]), self._answered)

    def _answered(self, answer: str | None) -> None:
        if answer == "quit":
            self.leave_program()


# What the terminal is told: of the player's turn, in the window's title, by the bell and by a
# message on the desktop, and of the chat.
#
# The bell rings once for each turn that comes, not at each action of it. It does not ring in a
# match against bots alone: they are so fast that it would ring at every other key.

_NAME: Final = "Clocktowers"


class Notices:
    """Tells a player who looks elsewhere, by the window's title, a bell and the desktop. A title
    that has not changed is not sent."""

    def __init__(self, app: ClocktowersApp) -> None:
        self._app = app
        self._title = ""
        self._was_mine = False
        self._newest: Said | None = None

    def follow(self, state: "store.State", settings: Settings, faces: "Mapping[str, Face]") -> None:
        """Tell the terminal what is new in this state: the player's turn, or a line of the chat
        that they have not read."""
        mine = is_my_turn(state, faces) and not store.handed_over(state)
        newest = state.chat.lines[-1] if state.chat.lines else None
        turn = mine and not self._was_mine and not state.alone
        said = newest is not self._newest and settings.chat_bell and newest in store.unread(state)
        self._was_mine, self._newest = mine, newest
        if said or (turn and settings.bell):
            self._app.bell()
        if turn:
            self._app.pop_up(_NAME, _("Your turn"))
        new = title(state, mine=mine) if settings.title else _NAME
        if new != self._title and (settings.title or self._title):
            self._title = new
            self._app.set_title(new)


def title(state: "store.State", *, mine: bool) -> str:
    """The window's title; its texts are clean."""
    if mine:
        return _("● Your turn - {game}").format(game=_NAME)
    if state.table is None or state.alone:
        return _NAME
    info = state.table.info
    return f"{info.title or info.table} - {_NAME}"
