"""One screen for each place where the player can be; all others lie on top of it.

The module of a screen is loaded when the player first goes there: a start needs only one of them.
"""

from typing import TYPE_CHECKING, NamedTuple, assert_never

from clocktowers_tui.config.settings import been_at
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.net.house import is_guest
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.state.store import Place, place
from clocktowers_tui.state.table import Kind

if TYPE_CHECKING:
    from clocktowers_tui.net.keyboard import Eyes


class Spot(NamedTuple):
    """`game`: whose board the screen of a match has, because another match may be of another game;
    "" elsewhere. `teaches`: it is a guided match. `eyes`: who looks, of several at one keyboard:
    nothing that one of them has opened stays for the next."""

    place: Place
    game: str = ""
    teaches: bool = False
    eyes: "Eyes | None" = None


def spot(client: Client) -> Spot:
    """Where the player is."""
    state, journey = client.state, client.journey
    where = place(state)
    if where is not Place.MATCH or state.match is None:
        return Spot(where)
    keyboard = journey.keyboard
    eyes = None if keyboard is None or keyboard.races else keyboard.eyes
    return Spot(where, state.match.game, journey.teaches, eyes)


def new_screen(client: Client, where: Place, before: Spot | None) -> DeedScreen[None]:
    """The screen of a place, for a player who comes from `before`, None: from nowhere."""
    if before is None or before.place is Place.HOME:
        _remember_server(client)
    match where:
        case Place.HOME:
            from clocktowers_tui.screens.home import HomeScreen

            return HomeScreen(client, back=before is not None)
        case Place.LOBBY:
            from clocktowers_tui.screens.lobby import LobbyScreen

            return LobbyScreen(client)
        case Place.TABLE:
            from clocktowers_tui.screens.table import TableScreen

            return TableScreen(client)
        case Place.MATCH:
            return _match_screen(client)
        case _:
            assert_never(where)


def _remember_server(client: Client) -> None:
    """For the list of servers to go to."""
    connection, arrival = client.state.connection, client.journey.arrival
    if connection is None or connection.kind is not Kind.VISIT or is_guest():
        return
    link = None if arrival is None else arrival.link
    at = connection.address if link is None else ",".join(map(str, (link.address, *link.others)))
    client.keep(been_at(client.settings, at))


def _match_screen(client: Client) -> DeedScreen[None]:
    from clocktowers_tui.screens.match import MatchScreen

    match = client.state.match
    assert match is not None
    from clocktowers_tui.deeds.match import remembered

    client.keep(remembered(client, match.game))
    if client.journey.teaches:
        from clocktowers_tui.screens.lesson import LessonScreen

        return LessonScreen(client, match)
    return MatchScreen(client, match)
