"""The player's matches: go on with one that waits; find a finished one, see it again, share it,
delete it; what those of its game come to, and the picture of how it ended."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import Input, Static

from clocktowers_tui.config.look import Look
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.finished import MATCHES
from clocktowers_tui.deeds.home import NOTHING, Waiting
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.history.numbers import Ended, deals, ended
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Context, Deed, bound
from clocktowers_tui.net.records import Projector
from clocktowers_tui.net.seats import Seat
from clocktowers_tui.phrases import NotDone
from clocktowers_tui.phrases.history import (
    SHARES,
    game_in_words,
    has_words,
    heads_in_words,
    in_columns,
    list_signs_in_words,
    none_in_words,
    result_in_words,
    scores_in_words,
    sign_of,
    when_in_words,
)
from clocktowers_tui.phrases.home import row_in_words
from clocktowers_tui.phrases.numbers import daily_in_words, numbers_of
from clocktowers_tui.screens.bound_actions import Keys, bound_deeds, entry
from clocktowers_tui.screens.dialogs import share, typed_keys
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.screens.replay import see_again
from clocktowers_tui.screens.result import show_end
from clocktowers_tui.text.fitting import aligned
from clocktowers_tui.text.i18n import _, ngettext
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.panel import Panel, Picture, Rows, Scrolled
from protocol.recording import WATCHER
from protocol.text import cells

_FRAME: Final = 5
"""Cells that a pane's frame, its margins and the scroll bar take from a line."""
_SIGN: Final = 2
"""Cells before a row, for how the match ended."""
_TIMED: Final = 80
"""With fewer columns the list does not say at what time of the day a match ended."""
_BESIDE: Final = 128
"""Columns from which on the panes stand side by side."""
_TALL: Final = 24
"""Rows from which on there is a picture."""
_OTHERS: Final = 8
"""Rows of the screen beside the list and the picture below it, which share what is left."""
_LIST: Final = 58
"""The share of the width that the list has beside the other pane, in percent."""
_PAUSE_S: Final = 0.2
"""The cursor rests so long on a match before its picture is drawn: it may be on its way."""
_MAX_TYPED: Final = 40
_COLOURS: Final = {
    Ended.WON: "$success",
    Ended.SHARED: "$success",
    Ended.LOST: "$danger",
}


class _Matches(Menu, inherit_bindings=False):
    """Left and right scroll what is told of a match, and choose nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        one for one in Menu.BINDINGS if getattr(one, "id", "") != actions.RIGHT.id
    ]


class HistoryScreen(DeedScreen[Seat | None]):
    """Read from disk when it opens and after each deletion. Those that are under way come first;
    returns the one that the player goes on with, or None. `at`: the match where it begins, by its
    id, and, once it is closed, where the player left it; "": the newest finished."""

    HORIZONTAL_BREAKPOINTS = [(0, "-below"), (_BESIDE, "-beside")]  # noqa: RUF012  (so in Textual)

    AUTO_FOCUS = "#matches"  # a quick first key is not typed into the hidden line
    deeds = MATCHES
    BINDINGS: ClassVar[list[BindingType]] = [
        *bound_deeds(MATCHES, Context.HISTORY),
        bound(actions.LEFT, "scroll(-1)"),
        bound(actions.RIGHT, "scroll(1)"),
        bound(actions.DOWN, "to_list"),  # the menu has it until its own end is reached
    ]

    def __init__(self, client: Client, waiting: Waiting = NOTHING, at: str = "") -> None:
        super().__init__(client)
        self.at = at
        self._waiting = waiting
        self._kept: list[Kept] = []
        self._listed: Sequence[Seat | Kept] = ()
        """Those that have the words that were typed."""
        self._numbers: dict[tuple[str, int], Sequence[str]] = {}
        self._drawn = ""
        """The match of which there is a picture."""
        """By game, and for how many columns."""

    def compose(self) -> ComposeResult:
        yield Banner()
        with Container(id="panes"):
            with Panel(id="list"):
                yield Field(_("Search"), id="filter", max_length=_MAX_TYPED, hint=_("Esc clears"))
                yield Static("", id="heads", classes="note", markup=False)
                yield _Matches(id="matches")
            with Panel(id="about-pane"):
                with Scrolled(id="record"):
                    yield Static("", id="about", markup=False)
                yield Picture(id="end-art")
        yield from self.foot()

    def on_mount(self) -> None:
        self._read()

    def begin(self) -> None:
        self._numbers.clear()
        self.query_one(Banner).show([_("Your matches")], "")
        self.action_to_list()
        self._show()

    def on_resize(self) -> None:
        self._show()

    def restyle(self, look: Look) -> None:
        self._tell()

    # What is seen -------------------------------------------------------------------------------

    @work(group="reading", exclusive=True)
    async def _read(self) -> None:
        try:
            self._kept = await asyncio.to_thread(matches.newest_first)
        except NoHistory as error:
            self.say(str(error))
            return
        if self not in self.app.screen_stack:  # closed meanwhile
            return
        self._numbers.clear()
        self._show()
        finished = [(n, one) for n, one in enumerate(self._listed) if isinstance(one, Kept)]
        at = next((n for n, one in finished if one.head.id == self.at), None)
        if at is None and not self.query_one(Menu).moved:
            at = next((n for n, _one in finished), None)
        if at is not None:
            self.query_one(Menu).highlighted = at
        self.at = ""
        self.say(self.at_rest())

    @property
    def _room(self) -> int:
        """Cells of a line in the pane about a match."""
        return self._room_beside(100 - _LIST)

    def _room_beside(self, share: int) -> int:
        """Cells of a line in a pane that has this share of the width where they stand side by
        side."""
        width = self.size.width
        return max(0, (width * share // 100 if width >= _BESIDE else width) - _FRAME)

    @property
    def _typed(self) -> str:
        return next((line.value for line in self.query(Input)), "")

    def _show(self) -> None:
        """The matches in their table, as far as they have the words that were typed."""
        width, typed = self._room_beside(_LIST) - _SIGN, self._typed
        rows = [in_columns(one, timed=width >= _TIMED) for one in self._kept]
        heads, *lines = aligned([heads_in_words(), *rows], SHARES, width)
        said, dues = _("Continue: {match}"), self._waiting.dues
        waits = [
            (seat, row_in_words(said, seat, dues.get(seat.asked_for), width))
            for seat in self._waiting.all
        ]
        those = [
            (one, line)
            for one, row, line in zip(self._kept, rows, lines, strict=True)
            if has_words(" ".join((when_in_words(one), *row)), typed)
        ]
        found: list[tuple[Seat | Kept, str]] = [one for one in waits if has_words(one[1], typed)]
        found += those
        self._listed = [one for one, _line in found]
        menu, heading = self.query_one(Menu), self.query_one("#heads", Static)
        menu.show([_row(n, one, line) for n, (one, line) in enumerate(found)])
        heading.update(Content(f"  {heads}"))
        heading.display = bool(those)
        count = ngettext("{n} match", "{n} matches", len(those)).format(n=len(those))
        if len(found) > len(those):
            count += ", " + _("{n} under way").format(n=len(found) - len(those))
        self.query_one("#list", Panel).entitle(count)
        self._tell()
        self.refresh_bindings()

    @work(group="telling", exclusive=True)
    async def _tell(self) -> None:
        """Of the match under the cursor: what there is no room for in its row, what those of its
        game come to, and how it ended."""
        one = self._chosen
        for pane in self.query("#about-pane"):
            pane.display = one is not None
        if one is None:
            if self._typed and not self._listed:
                self.say(none_in_words(self._typed))
            return
        said = f"{result_in_words(one)}: {scores_in_words(one)}"
        lines = [said, *await self._numbers_of(one.head.game)]
        for about in self.query("#about").results(Static):
            about.update(Content("\n".join(lines)))
        fits = one.head.game in self._client.faces and self.size.height >= _TALL
        if not fits or self._drawn != one.head.id:
            self._draw(tuple)
        if not fits:
            return
        await asyncio.sleep(_PAUSE_S)
        end = await _end_of(one)
        beside, height = self.size.width >= _BESIDE, self.size.height
        high = height // 2 - 4 if beside else (height - _OTHERS) // 2
        draw = self._client.faces[one.head.game].end_art
        self._drawn = one.head.id
        self._draw(lambda: draw(self._client.look, *end, self._room, high) if end else ())

    async def _numbers_of(self, game: str) -> Sequence[str]:
        """Of a game that this client has."""
        if game not in self._client.faces:
            return ()
        of, width = (game, self._room), self._room
        if of not in self._numbers:
            try:
                self._numbers[of] = await asyncio.to_thread(
                    lambda: [*numbers_of(game, self._kept, width)]
                )
            except NoHistory as error:
                return [str(error)]
        return self._numbers[of]

    def _draw(self, end: Callable[[], Rows]) -> None:
        for picture in self.query(Picture):
            show_end(picture, end)

    # Keys ---------------------------------------------------------------------------------------

    def keys(self) -> Keys:
        if isinstance(self.focused, Input):
            return typed_keys(self.keymap, _("Go on"))
        if not self._listed:
            return super().keys()
        waits = self._chosen is None
        opens = _("Continue") if waits else _("Replay")
        return [entry(self.keymap, [actions.CONFIRM], opens), *super().keys()]

    def at_rest(self) -> str:
        """What the signs of the list mean, where that has room."""
        if said := super().at_rest():
            return said
        if not self._kept:
            return "" if self._waiting.all else none_in_words("")
        signs = list_signs_in_words()
        return signs if cells(signs) <= self.room else ""

    def help_notes(self) -> Sequence[str]:
        return [list_signs_in_words()]

    @property
    def _at(self) -> Seat | Kept | None:
        """What is under the cursor; nothing while the screen is composed again."""
        at = next((menu.at for menu in self.query(Menu)), None)
        return None if at is None or int(at) >= len(self._listed) else self._listed[int(at)]

    @property
    def _chosen(self) -> Kept | None:
        """The finished match under the cursor."""
        return one if isinstance(one := self._at, Kept) else None

    def may(self, deed: Deed) -> bool:
        return deed.word in ("leave", "matches") or self._chosen is not None

    def on_option_list_option_highlighted(self) -> None:
        self._tell()
        self.refresh_bindings()

    def on_option_list_option_selected(self) -> None:
        match self._at:
            case Kept() as one:
                self._open(one)
            case None:
                pass
            case seat:
                self.dismiss(seat)

    def do_matches(self) -> None:
        self.query_one(Field).display = True
        self.query_one("#filter", Input).focus()

    def on_input_changed(self) -> None:
        self.say("")
        self._show()

    def on_input_submitted(self) -> None:
        self.action_to_list()

    def action_to_list(self) -> None:
        self.query_one(Field).display = bool(self._typed)
        self.query_one(Menu).focus()

    def do_review(self) -> None:
        if (one := self._chosen) is not None:
            self._open(one, reviews=True)

    @work(group="opening", exclusive=True)
    async def _open(self, one: Kept, *, reviews: bool = False) -> None:
        seen = see_again(self.app, self._client, one.head.id, one.me, reviews=reviews)
        await self._tried(seen)

    async def do_delete(self) -> None:
        if (one := self._chosen) is None:
            return
        what = f"{when_in_words(one)}  {game_in_words(one)}  {scores_in_words(one)}"
        title, yes, no = _("Delete this match?"), _("Delete it"), _("Keep it")
        if await self.sure(title, [what], yes, no):
            await asyncio.to_thread(matches.delete, one.head.id)
            self.say(_("Deleted."))
            self._read()

    async def do_write(self) -> None:
        if (one := self._chosen) is not None:
            day = deals(self._kept, one.head.game) if one.day else {}
            lines = daily_in_words(one, day) if one.day else ()
            await share(self, one.head.id, lines, one.line)

    def do_leave(self) -> None:
        """Esc first lists all of them again."""
        if self._typed or isinstance(self.focused, Input):
            self.query_one("#filter", Input).value = ""
            self.action_to_list()
            return
        self.at = self._chosen.head.id if self._chosen is not None else ""
        self.dismiss(None)


async def _end_of(one: Kept) -> tuple[Any, Any, list[str]] | None:
    """The last view of the player, or of a watcher, the outcome, and the names; None: it cannot be
    replayed."""
    with suppress(NotDone):
        projector = await Projector.start(await asyncio.to_thread(matches.line_of, one.head.id))
        try:
            opened, me = projector.opened, one.me
            eyes = WATCHER if me is None or me >= len(opened.names) else me
            shown = await projector.show(len(opened.seats), eyes)
            return shown.view, opened.outcome, opened.names
        finally:
            await projector.stop()
    return None


def _row(n: int, one: Seat | Kept, line: str) -> Row:
    """With a sign in the colour of how it ended."""
    sign, colour = " ", ""
    if isinstance(one, Kept):
        sign = sign_of(one)
        colour = "" if one.played_for else _COLOURS.get(ended(one), "")
    return Row(str(n), f"{sign} {line}", styled=Content.assemble((sign, colour), f" {line}"))
