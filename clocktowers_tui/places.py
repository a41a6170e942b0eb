"""One screen for each place where the player can be; all others lie on top of it."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace
from textual.app import App

from clocktowers_tui.screens.client import Client
from clocktowers_tui.screens.home import HomeScreen
from clocktowers_tui.screens.lobby import LobbyScreen
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.screens.screen import PlaceScreen
from clocktowers_tui.screens.table import TableScreen
from clocktowers_tui.state.store import Place

_SCREENS: Final[Mapping[Place, type[PlaceScreen]]] = {
    Place.HOME: HomeScreen,
    Place.LOBBY: LobbyScreen,
    Place.TABLE: TableScreen,
    Place.MATCH: MatchScreen,
}


class Places:
    """`shown`: the screen of the place where the player is; None before the first."""

    def __init__(self, app: App[Any], client: Client) -> None:
        self._app = app
        self._client = client
        self.shown: PlaceScreen | None = None

    async def go(self, where: Place, *, hosting: bool) -> PlaceScreen:
        """Be there; whatever lay on top of another place goes with it.

        `hosting`: the lobby is that of one's own server."""
        if self.shown is not None and isinstance(self.shown, _SCREENS[where]):
            return self.shown
        screen = self._new(where, hosting=hosting)
        if self.shown is None:
            await self._app.push_screen(screen)
        else:
            while self._app.screen is not self.shown:
                await self._app.pop_screen()
            await self._app.switch_screen(screen)
        self.shown = screen
        return screen

    def _new(self, where: Place, *, hosting: bool) -> PlaceScreen:
        match where:
            case Place.HOME:
                return HomeScreen(self._client)
            case Place.LOBBY:
                from_home = self.shown is None or isinstance(self.shown, HomeScreen)
                return LobbyScreen(self._client, create_first=hosting and from_home)
            case Place.TABLE:
                return TableScreen(self._client)
            case Place.MATCH:
                assert self._client.state.match is not None
                if not self._client.settings.played:
                    self._client.keep(replace(self._client.settings, played=True))
                return MatchScreen(self._client, self._client.state.match)
