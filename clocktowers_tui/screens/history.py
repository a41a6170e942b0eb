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
from clocktowers_tui.deeds.finished import exported
from clocktowers_tui.history import matches
from clocktowers_tui.history.matches import Kept, NoHistory
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import KeyGroups, bound
from clocktowers_tui.net.seats import Seat
from clocktowers_tui.phrases.history import (
    game_in_words,
    no_history_in_words,
    result_in_words,
    scores_in_words,
    when_in_words,
)
from clocktowers_tui.phrases.home import waiting_in_words
from clocktowers_tui.screens.bound_actions import entries
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.place import AskingScreen
from clocktowers_tui.screens.replay import see_again
from clocktowers_tui.text.columns import GAP
from clocktowers_tui.text.fitting import fit, pad
from clocktowers_tui.text.i18n import N_, _, pgettext
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.key_line import KeyLine, Keys
from clocktowers_tui.widgets.menu import Menu, Row
from protocol.text import cells

_MARGIN = 2
"""Cells beside a row: a scroll bar, and one more."""


class HistoryScreen(AskingScreen[Seat | None]):
    """Read from disk when it opens and after each deletion. Those that are under way come first;
    returns the one that the player goes on with, or None. `at`: the match where it begins, by its
    id, and, once it is closed, where the player left it; "": the first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.REVIEW_MATCH, "review"),
        bound(actions.DELETE_MATCH, "delete"),
        bound(actions.EXPORT_MATCH, "export"),
        bound(actions.BACK, "close", N_("Close")),
        bound(actions.LEAVE, "close", N_("Close")),
    ]

    def __init__(self, client: Client, waiting: Sequence[Seat] = (), at: str = "") -> None:
        super().__init__()
        self.at = at
        self._client = client
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
        over: KeyGroups = [
            ((actions.CONFIRM,), _("See it again")),
            ((actions.REVIEW_MATCH,), pgettext("in a replay", "Review")),
            ((actions.EXPORT_MATCH,), _("Write to a file")),
            ((actions.DELETE_MATCH,), _("Delete")),
        ]
        waits: KeyGroups = [((actions.CONFIRM,), _("Continue"))]
        always: KeyGroups = [((actions.BACK,), _("Close")), ((actions.HELP,), _("Help"))]
        found = waits if self._chosen is None and self._waiting else over
        return entries(self.keymap, [*found, *always])

    @property
    def _chosen(self) -> Kept | None:
        """The finished match under the cursor."""
        at = self.query_one(Menu).at
        n = -1 if at is None else int(at) - len(self._waiting)
        return self._kept[n] if n in range(len(self._kept)) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action not in ("review", "delete", "export") or self._chosen is not None

    def on_option_list_option_highlighted(self) -> None:
        self.refresh_bindings()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if (one := self._chosen) is not None:
            self._open(one)
        elif (n := int(event.option_id or 0)) < len(self._waiting):
            self.dismiss(self._waiting[n])

    def action_review(self) -> None:
        if (one := self._chosen) is not None:
            self._open(one, reviews=True)

    @work(group="opening", exclusive=True)
    async def _open(self, one: Kept, *, reviews: bool = False) -> None:
        self.say(await see_again(self.app, self._client, one.head.id, one.me, reviews=reviews))

    @work(group="asking", exclusive=True)
    async def action_delete(self) -> None:
        if (one := self._chosen) is None:
            return
        answers = [Row("", _("Keep it")), Row("delete", _("Delete it"))]
        what = f"{when_in_words(one)}  {game_in_words(one)}  {scores_in_words(one)}"
        if await self.app.push_screen_wait(Question(_("Delete this match?"), [what], answers)):
            try:
                await asyncio.to_thread(matches.delete, one.head.id)
            except NoHistory as error:
                self.say(no_history_in_words(error))
                return
            self.say(_("Deleted."))
            self._read()

    @work(group="export", exclusive=True)
    async def action_export(self) -> None:
        if (one := self._chosen) is None:
            return
        self.say((await exported(one.head.id)).said)

    def action_close(self) -> None:
        self.at = self._chosen.head.id if self._chosen is not None else ""
        self.dismiss(None)
