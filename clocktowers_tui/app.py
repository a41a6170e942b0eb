"""The Textual app: it owns the line and the store; screens do the rest."""

from collections.abc import Mapping
from typing import ClassVar, Final

from msgspec.structs import replace
from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.geometry import Size

from clocktowers_tui import i18n
from clocktowers_tui.games.face import Board, Face
from clocktowers_tui.i18n import _
from clocktowers_tui.keymap_file import Reading, in_brief
from clocktowers_tui.look import Look
from clocktowers_tui.net.arrival import (
    Arrival,
    Host,
    Solo,
    Visit,
    Wish,
    again,
    arrive,
    first_steps,
)
from clocktowers_tui.net.errors import Fault, LinkError
from clocktowers_tui.net.link import Answer
from clocktowers_tui.phrases.faults import fault_in_words
from clocktowers_tui.phrases.notices import broken_off_in_words, gone_in_words
from clocktowers_tui.phrases.refusals import refusal_in_words
from clocktowers_tui.screens.dialogs import Quit, TooSmall
from clocktowers_tui.screens.home import HomeScreen
from clocktowers_tui.screens.lobby import LobbyScreen
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.screens.screen import Dialog, OurScreen, PlaceScreen
from clocktowers_tui.screens.table import TableScreen
from clocktowers_tui.settings import Settings, save, settings_file
from clocktowers_tui.state.connection import Kind, welcomed
from clocktowers_tui.state.store import Place, State, Store, place
from clocktowers_tui.themes import theme
from protocol.from_client import Request
from protocol.from_server import Listing, Refused
from protocol.refusal import Refusal

LEAST_WIDTH: Final = 60
LEAST_HEIGHT: Final = 20

_ALL_DEFAULT: Final = Reading()
_KINDS: Final[Mapping[type, Kind]] = {Solo: Kind.SOLO, Host: Kind.HOST, Visit: Kind.VISIT}


class ClocktowersApp(App[None], inherit_bindings=False):
    """`keys`: what the player's keymap says. `arrival`: a line opened before there was a screen."""

    CSS_PATH = "styles/app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(
        self,
        settings: Settings,
        faces: Mapping[str, Face],
        look: Look,
        *,
        keys: Reading = _ALL_DEFAULT,
        arrival: Arrival | None = None,
    ) -> None:
        super().__init__(ansi_color=True if look.ansi else None)
        self.theme = theme(look)
        self.set_class(look.ansi, "-ansi")
        self.settings = settings
        self.look = look
        i18n.draw_with(look.glyphs)
        self.faces = faces
        self.keys = keys
        self.keymap = keys.keymap
        self.set_keymap(keys.keymap.for_textual())
        self._store = Store(self._changed)
        self._arrival = arrival
        self._shown: PlaceScreen | None = None
        self._due = False
        self._news = [in_brief(keys)] if keys.complaints else []
        self._lost: tuple[str, Wish] | None = None

    # What screens may ask (screens.client.Client) -----------------------------------------------

    @property
    def state(self) -> State:
        return self._store.state

    def change(self, state: State) -> None:
        self._store.change(state)

    def keep(self, settings: Settings) -> None:
        self.settings = settings
        if not save(settings, settings_file()):
            self._news.append(_("The settings could not be written; they hold until you quit."))

    def restyle(self, look: Look) -> None:
        """Draw everything in another way from now on."""
        if look.glyphs is not self.look.glyphs:
            i18n.draw_with(look.glyphs)
            self.call_later(self._say_again)
        self.look = look
        self.theme = theme(look)
        self.set_class(look.ansi, "-ansi")
        for board in self.query(Board):
            board.restyle(look)

    def speak(self, code: str | None) -> None:
        """Say everything in another language from now on; None: in the environment's."""
        i18n.speak(code)
        self.call_later(self._say_again)

    async def _say_again(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, OurScreen | Dialog):
                await screen.say_again()
        await self._follow()

    async def arrive(self, wish: Wish) -> str:
        try:
            arrival = await arrive(wish, self.settings.name)
        except LinkError as error:
            return fault_in_words(error)
        self._enter(arrival)
        return ""

    async def depart(self) -> None:
        arrival, self._arrival = self._arrival, None
        if arrival is not None:
            await arrival.end()
        self._store.change(State())

    async def request(self, wish: Request) -> Answer | None:
        if self._arrival is None:
            return None
        try:
            answer = await self._arrival.link.request(wish)
        except LinkError:
            return None  # `_listen` has been told the same
        if isinstance(answer, Listing):
            self._store.hear(answer)
        return answer

    def leave_program(self) -> None:
        self.exit()

    # The line -----------------------------------------------------------------------------------

    @work(exclusive=True, group="line")
    async def _listen(self, arrival: Arrival) -> None:
        error = await arrival.link.run(self._store.hear)
        if arrival is not self._arrival:
            return  # ended by us
        self._arrival = None
        gone = arrival.server is not None and await arrival.server.has_ended()
        await arrival.end()
        sentence = fault_in_words(LinkError(Fault.LOCAL_ENDED) if gone else error)
        self._lost = (sentence, again(arrival.wish))
        self._changed()
        self._store.change(State())

    def _enter(self, arrival: Arrival) -> None:
        self._arrival = arrival
        self._listen(arrival)
        self._settle(arrival)

    @work(exclusive=True, group="settle")
    async def _settle(self, arrival: Arrival) -> None:
        """What the line was opened for; only then is one seen to be there."""
        await self._take_first_steps(arrival.wish)
        friends = arrival.server.friends if arrival.server is not None else ()
        kind = _KINDS[type(arrival.wish)]
        connection = welcomed(kind, str(arrival.link.address), arrival.link.welcome, friends)
        if connection.name != self.settings.name:
            name = _("That name was taken; here you are {name}.").format(name=connection.name)
            self._news.append(name)
        if self._arrival is arrival:
            self._store.change(replace(self.state, connection=connection))

    async def _take_first_steps(self, wish: Wish) -> None:
        for step in first_steps(wish):
            answer = await self.request(step)
            if isinstance(answer, Refused):
                self._news.append(refusal_in_words(Refusal(answer.code, answer.params)))
                return

    # What is seen -------------------------------------------------------------------------------

    async def on_mount(self) -> None:
        if self._arrival is not None:
            self._enter(self._arrival)
        else:
            await self._follow()

    def _changed(self) -> None:
        """Many changes in one turn of the loop are shown once."""
        if not self._due:
            self._due = True
            self.call_later(self._follow)

    async def _follow(self) -> None:
        """Be on the screen of the player's place, and show it the newest state."""
        self._due = False
        if self.state.connection is None and self._arrival is not None:
            return  # on the way: what was seen stays
        await self._go(place(self.state))
        assert self._shown is not None
        self._shown.show(self.state)
        if self.state.ejected is not None:
            self._news.append(gone_in_words(*self.state.ejected))
            self._store.change(replace(self.state, ejected=None))
        if self.state.stillborn:
            self._news.append(broken_off_in_words())
            self._store.change(replace(self.state, stillborn=False))
            if isinstance(self._shown, HomeScreen):
                await self.depart()  # alone there is no table to go on at
        if self._news:
            self._shown.say(" ".join(self._news))
            self._news.clear()
        if self._lost is not None and isinstance(self._shown, HomeScreen):
            (sentence, wish), self._lost = self._lost, None
            self._shown.ask_again(sentence, wish)

    async def _go(self, where: Place) -> None:
        if self._shown is not None and isinstance(self._shown, _SCREENS[where]):
            return
        screen = self._new_screen(where)
        if self._shown is None:
            await self.push_screen(screen)
        else:
            while self.screen is not self._shown:
                await self.pop_screen()
            await self.switch_screen(screen)
        self._shown = screen
        self._check_size(self.size)

    def _new_screen(self, where: Place) -> PlaceScreen:
        match where:
            case Place.HOME:
                return HomeScreen(self)
            case Place.LOBBY:
                hosting = self._arrival is not None and isinstance(self._arrival.wish, Host)
                return LobbyScreen(self, create_first=hosting and self._shown_before_hosting())
            case Place.TABLE:
                return TableScreen(self)
            case Place.MATCH:
                assert self.state.match is not None
                return MatchScreen(self, self.state.match)

    def _shown_before_hosting(self) -> bool:
        return self._shown is None or isinstance(self._shown, HomeScreen)

    def on_resize(self, event: Resize) -> None:
        self._check_size(event.size)

    def _check_size(self, size: Size) -> None:
        small = size.width < LEAST_WIDTH or size.height < LEAST_HEIGHT
        if small and self._shown is not None and not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall(LEAST_WIDTH, LEAST_HEIGHT))
        elif not small and isinstance(self.screen, TooSmall):
            self.pop_screen()

    # The end ------------------------------------------------------------------------------------

    def action_interrupt(self) -> None:
        """Ctrl+C asks once; a second one goes."""
        if isinstance(self.screen, Quit):
            self.exit()
        else:
            self.push_screen(Quit(), self._answered)

    def _answered(self, answer: str | None) -> None:
        if answer == "quit":
            self.exit()


_SCREENS: Final[Mapping[Place, type[PlaceScreen]]] = {
    Place.HOME: HomeScreen,
    Place.LOBBY: LobbyScreen,
    Place.TABLE: TableScreen,
    Place.MATCH: MatchScreen,
}
