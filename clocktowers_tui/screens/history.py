"""The player's matches: go on with one that waits; see a finished one again, write it to a file,
delete it."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import OptionList, Static

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.deed import Deed
from clocktowers_tui.deeds.finished import MATCHES, exported
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Context
from clocktowers_tui.net.seats import Seat
from clocktowers_tui.phrases.history import (
    game_in_words,
    no_history_in_words,
    result_in_words,
    scores_in_words,
    when_in_words,
)
from clocktowers_tui.phrases.home import waiting_in_words
from clocktowers_tui.screens.bound_actions import bound_deeds, entry
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.screens.replay import see_again
from clocktowers_tui.text.fitting import GAP, fit, pad
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.key_line import KeyLine, Keys
from clocktowers_tui.widgets.menu import Menu, Row
from protocol.text import cells

_MARGIN = 2
"""Cells beside a row: a scroll bar, and one more."""


class HistoryScreen(DeedScreen[Seat | None]):
    """Read from disk when it opens and after each deletion. Those that are under way come first;
    returns the one that the player goes on with, or None. `at`: the match where it begins, by its
    id, and, once it is closed, where the player left it; "": the first."""

    deeds = MATCHES
    BINDINGS: ClassVar[list[BindingType]] = bound_deeds(MATCHES, Context.HISTORY)

    def __init__(self, client: Client, waiting: Sequence[Seat] = (), at: str = "") -> None:
        super().__init__()
        self._client = client
        self.at = at
        self._waiting = waiting
        self._kept: list[Kept] = []

    def compose(self) -> ComposeResult:
        yield Banner(id="banner")
        yield Menu(id="matches")
        yield Static("", id="said", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(Banner).show([_("Your matches")], "")
        self.query_one(Menu).focus()
        self._read()

    def on_resize(self) -> None:
        self._show()

    async def say_again(self) -> None:
        await super().say_again()
        self.query_one(Banner).show([_("Your matches")], "")
        self._show()

    @work(group="history", exclusive=True)
    async def _read(self) -> None:
        try:
            self._kept = await asyncio.to_thread(matches.newest_first)
        except NoHistory as error:
            self.say(no_history_in_words(error))
            return
        self._show()
        for n, one in enumerate(self._kept, len(self._waiting)):
            if one.head.id == self.at:
                self.query_one(Menu).highlighted = n
        self.at = ""
        if not self._kept and not self._waiting:
            self.say(_("You have no finished matches yet."))

    def _show(self) -> None:
        width = max(0, self.size.width - _MARGIN)
        table = [
            (when_in_words(one), result_in_words(one), game_in_words(one)) for one in self._kept
        ]
        widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
        room = width - sum(widths) - GAP * len(widths)
        rows = [
            (" " * GAP).join([*map(pad, row, widths), scores_in_words(one, room)])
            for row, one in zip(table, self._kept, strict=True)
        ]
        going_on = _("Under way: {match}")
        waits = [going_on.format(match=waiting_in_words(seat)) for seat in self._waiting]
        rows = [*waits, *rows]
        self.query_one(Menu).show([Row(str(n), fit(row, width)) for n, row in enumerate(rows)])
        self.refresh_bindings()

    def keys(self) -> Keys:
        waits = self._chosen is None and bool(self._waiting)
        opens = _("Continue") if waits else _("See it again")
        return [entry(self.keymap, [actions.CONFIRM], opens), *super().keys()]

    @property
    def _chosen(self) -> Kept | None:
        """The finished match under the cursor."""
        at = self.query_one(Menu).at
        n = -1 if at is None else int(at) - len(self._waiting)
        return self._kept[n] if n in range(len(self._kept)) else None

    def may(self, deed: Deed) -> bool:
        return deed.word == "menu" or self._chosen is not None

    def on_option_list_option_highlighted(self) -> None:
        self.refresh_bindings()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if (one := self._chosen) is not None:
            self._open(one)
        elif (n := int(event.option_id or 0)) < len(self._waiting):
            self.dismiss(self._waiting[n])

    def do_review(self) -> None:
        if (one := self._chosen) is not None:
            self._open(one, reviews=True)

    @work(group="opening", exclusive=True)
    async def _open(self, one: Kept, *, reviews: bool = False) -> None:
        self.say(await see_again(self.app, self._client, one.head.id, one.me, reviews=reviews))

    async def do_delete(self) -> None:
        if (one := self._chosen) is None:
            return
        what = f"{when_in_words(one)}  {game_in_words(one)}  {scores_in_words(one)}"
        title, yes, no = _("Delete this match?"), _("Delete it"), _("Keep it")
        if await self.sure(title, [what], yes, no):
            try:
                await asyncio.to_thread(matches.delete, one.head.id)
            except NoHistory as error:
                self.say(no_history_in_words(error))
                return
            self.say(_("Deleted."))
            self._read()

    async def do_write(self) -> None:
        if (one := self._chosen) is not None:
            self.say((await exported(one.head.id)).said)

    def do_menu(self) -> None:
        self.at = self._chosen.head.id if self._chosen is not None else ""
        self.dismiss(None)
