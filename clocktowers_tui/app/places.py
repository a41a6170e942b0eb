"""One screen for each place where the player can be; all others lie on top of it.

The module of a screen is read when the player first goes there: a start needs one of them.
"""

from typing import Any, assert_never

from msgspec.structs import replace
from textual.app import App

from clocktowers_tui.net.wishes import Host
from clocktowers_tui.screens.client import Client
from clocktowers_tui.screens.company import is_chatting
from clocktowers_tui.screens.screen import PlaceScreen
from clocktowers_tui.state.store import Place


class Places:
    """`shown`: the screen of the place where the player is; None before the first."""

    def __init__(self, app: App[Any], client: Client) -> None:
        self._app = app
        self._client = client
        self._where: Place | None = None
        self._game = ""
        self.shown: PlaceScreen | None = None

    def begin_at_home(self) -> PlaceScreen:
        """The first screen of all, for whoever starts without a line."""
        home = self._new(Place.HOME, hosting=None)
        # What Textual does when it pushes a screen, and needs when it takes it away.
        home._push_result_callback(self._app, None)
        self.shown, self._where = home, Place.HOME
        return home

    async def go(self, where: Place, *, hosting: Host | None) -> PlaceScreen:
        """Be there; whatever lay on top of another place goes with it, but for a chat: who types
        when the match begins types on.

        `hosting`: the lobby is that of a server of one's own."""
        game = self._game_at(where)
        if self.shown is not None and (self._where, self._game) == (where, game):
            return self.shown
        screen = self._new(where, hosting=hosting)
        if self.shown is None:
            await self._app.push_screen(screen)
        else:
            chatting = is_chatting(self._app)
            while self._app.screen is not self.shown:
                await self._app.pop_screen()
            await self._app.switch_screen(screen)
            if chatting:
                await self._app.run_action("app.chat")
        self.shown, self._where, self._game = screen, where, game
        return screen

    def _game_at(self, where: Place) -> str:
        """A match's screen has the board of one game; another's may follow between two looks."""
        match = self._client.state.match
        return match.game if where is Place.MATCH and match is not None else ""

    def _new(self, where: Place, *, hosting: Host | None) -> PlaceScreen:
        match where:
            case Place.HOME:
                from clocktowers_tui.screens.home import HomeScreen

                return HomeScreen(self._client)
            case Place.LOBBY:
                from clocktowers_tui.screens.lobby import LobbyScreen

                from_home = self._where in (None, Place.HOME)
                return LobbyScreen(self._client, opening=hosting if from_home else None)
            case Place.TABLE:
                from clocktowers_tui.screens.table import TableScreen

                return TableScreen(self._client)
            case Place.MATCH:
                return self._new_match()
            case _:
                assert_never(where)

    def _new_match(self) -> PlaceScreen:
        from clocktowers_tui.screens.match import MatchScreen

        client, state = self._client, self._client.state
        assert state.match is not None
        game = client.settings.game if state.seat is None else state.match.game
        seen = replace(client.settings, played=True, game=game)
        if seen != client.settings:
            client.keep(seen)
        return MatchScreen(client, state.match)
