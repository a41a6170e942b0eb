"""A game's lesson is offered once, before its first match."""

from typing import Any

from msgspec.structs import replace
from textual.app import App

from clocktowers_tui.games.registry import LESSONS, title_of
from clocktowers_tui.net.wishes import Solo, Wish
from clocktowers_tui.new_table.lessons import lesson_of
from clocktowers_tui.screens.client import Client
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row


async def with_offer(app: App[Any], client: Client, wish: Wish) -> Wish | None:
    """What the player wants to do after they were asked, if there is something to ask; None:
    nothing."""
    if not isinstance(wish, Solo) or wish.lesson or not _is_new(client, wish.table.game):
        return wish
    game = wish.table.game
    lessons = {**client.settings.lessons, game: 0}
    client.keep(replace(client.settings, lessons=lessons))
    question = Question(
        _("New to {game}?").format(game=title_of(game)),
        [],
        [Row("play", _("Play at once")), Row("learn", _("Learn it first, in 3 minutes"))],
        safe=Row("back", _("Back")),
    )
    match await app.push_screen_wait(question):
        case "play":
            return wish
        case "learn":
            return lesson_of(game)
        case _:
            return None


def _is_new(client: Client, game: str) -> bool:
    return game in LESSONS and game not in client.settings.lessons
