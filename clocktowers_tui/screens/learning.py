"""A lesson is offered once, before the first match of its game."""

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from clocktowers_tui.config.log_file import note
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.games.registry import LESSONS, title_of
from clocktowers_tui.history import matches
from clocktowers_tui.history.numbers import deals
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.net.wishes import Solo, Wish
from clocktowers_tui.new_table.offers import lesson_of
from clocktowers_tui.phrases.history import daily_in_words
from clocktowers_tui.screens.bound_actions import entries
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.screen import Dialog
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.key_line import KeyLine, Keys
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.panel import Panel


class _Ways(Menu, inherit_bindings=False):
    """A letter that moves elsewhere opens the lesson."""

    BINDINGS: ClassVar[list[BindingType]] = [
        one for one in Menu.BINDINGS if getattr(one, "id", "") != actions.RIGHT.id
    ]


class Welcome(Dialog[str]):
    """What the game is about, and where to begin: returns `learn`, `play`, or "" to go back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.LEARN, "answer('learn')"),
        bound(actions.PLAY, "answer('play')"),
        bound(actions.BACK, "answer('')"),
    ]

    def __init__(self, game: str, about: str) -> None:
        super().__init__()
        self._game = game
        self._about = about

    def compose(self) -> ComposeResult:
        learn, play = self.keymap.name(actions.LEARN), self.keymap.name(actions.PLAY)
        rows = [
            Row("learn", _("Learn it in 5 minutes"), key=learn),
            Row("play", _("Play at once"), key=play),
        ]
        with Panel(_("New to {game}?").format(game=title_of(self._game)), classes="dialog"):
            yield Static(Content(self._about), markup=False)
            yield _Ways(rows)
        yield KeyLine()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(_Ways).focus()

    def keys(self) -> Keys:
        return entries(
            self.keymap,
            [
                ((actions.CONFIRM,), _("Choose")),
                ((actions.UP, actions.DOWN), _("Move")),
                ((actions.BACK,), _("Back")),
            ],
        )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_answer(event.option_id or "")

    def action_answer(self, what: str) -> None:
        self.dismiss(what)


async def with_offer(app: App[Any], client: Client, wish: Wish) -> Wish | None:
    """What the player wants to do after they were asked, if there is something to ask; None:
    nothing."""
    if not isinstance(wish, Solo) or wish.lesson:
        return wish
    game = wish.table.game
    match await way_into(app, client, game):
        case "play":
            return wish
        case "learn":
            return lesson_of(game)
        case _:
            return None


async def way_into(app: App[Any], client: Client, game: str) -> str:
    """`learn` or `play`, which needs no question where the game is known; "": neither."""
    if game not in LESSONS or game in client.settings.lessons:
        return "play"
    lessons = {**client.settings.lessons, game: 0}
    client.keep(replace(client.settings, lessons=lessons))
    return await app.push_screen_wait(Welcome(game, client.faces[game].about()))


# The deal of the day, from the menu: the first try counts, each other is practice.


async def counted(game: str, day: str) -> Sequence[str]:
    """The result of this deal in lines; none where none counts yet, or the history cannot be
    read."""

    def look() -> Sequence[str]:
        by_day = deals(matches.newest_first(), game)
        return daily_in_words(by_day[day], by_day) if day in by_day else ()

    try:
        return await asyncio.to_thread(look)
    except matches.NoHistory as error:
        note(f"the history was not read: {error}")
        return ()


async def ask_whether_to_begin(app: App[Any]) -> bool:
    """Before a try that may be the one that counts."""
    back = Row("back", _("Back"))
    said = [
        _("Today everybody in the world gets these cards. One hard bot plays against you."),
        _("Your first try counts; each later one is practice."),
    ]
    asked = Question(_("Deal of the day"), said, [Row("play", _("Play it now")), back], safe=back)
    return await app.push_screen_wait(asked) == "play"


async def ask_what_next(app: App[Any], lines: Sequence[str]) -> bool:
    """Show the result, which the player may copy; whether to play the deal again."""
    back = Row("back", _("Back"))
    rows = [Row("copy", _("Copy the result")), Row("again", _("Play it again, as practice")), back]
    said = ["\n".join(lines), _("The next deal comes at midnight in UTC.")]
    asked = Question(_("Deal of the day: done"), said, rows, safe=back)
    chosen = await app.push_screen_wait(asked)
    if chosen == "copy":
        app.copy_to_clipboard("\n".join(lines))
    return chosen == "again"
