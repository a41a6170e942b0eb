"""What stands in the menu: the matches that wait, a card for each game, and what else there is."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from clocktowers_tui import new_table
from clocktowers_tui.config.settings import Draft, called, last_game
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.home import HOME, Waiting, finished, offered
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.keys.keymap import keymap_of
from clocktowers_tui.net import seats
from clocktowers_tui.phrases.home import (
    how_many_in_words,
    lesson_in_words,
    on_card_in_words,
    row_in_words,
    time_in_words,
    tip_in_words,
)
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.menu import Column, Row
from clocktowers_tui.widgets.panel import Panel, Picture
from protocol.games.registry import GAMES

if TYPE_CHECKING:
    from clocktowers_tui.history.matches import Kept

_CARDS: Final = (80, 23)
"""With fewer columns or rows each game is a row."""

_MARGINS: Final = 2
"""Cells beside a row."""

_LARGE: Final = (110, 34)
"""From here on the cards take all the room there is."""

_COLUMNS: Final = (
    ("learn", "practise", "today", "setup", "rules", "settings"),
    ("join", "host", "matches", "vacation", "name", "quit"),
)
"""Deeds below the cards, by their words."""


class HomeMenu(Vertical):
    """These parts lie below each other, and the arrows go through all; the cards side by side, or
    below each other, too. The cursor begins on the newest match that waits, or else on the game
    that was played last."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "go(0, -1)"),
        bound(actions.DOWN, "go(0, 1)"),
        bound(actions.LEFT, "go(-1, 0)"),
        bound(actions.HOME_RIGHT, "go(1, 0)"),
    ]

    def __init__(self, client: Client, waiting: Waiting) -> None:
        super().__init__()
        self._client = client
        self._waiting = waiting
        self._others = Column(self._rows(), id="waiting")
        kept = sorted(waiting.all, key=lambda seat: seat.kept_at, reverse=True)
        waits = next((seat.game for seat in kept if seat.game in client.faces), "")
        self.game = waits or last_game(client.settings, list(client.faces))
        self._on_card = bool(kept) and kept[0] in waiting.on_cards.values()
        """The game that the cursor is on, or was on last; its card shows it, also from afar."""
        self._of = self.game
        """The game that the heading names."""
        self._kept: Sequence[Kept] | None = ()
        self.seen = False
        """The menu has been painted; a start does not wait for the games' own files."""

    def compose(self) -> ComposeResult:
        game = self.game
        if self._waiting.others:
            yield self._others
        if self._waiting.on_cards or any(map(self._is_new, self._client.faces)):
            yield Static(Content(self._lesson()), id="new", classes="loud", markup=False)
        with Container(id="games").set_class(self._is_small, "-rows"):
            for one in self._client.faces:
                yield GameCard(self._client, one, "-chosen" if one == game else "")
        yield Static(Content(f"{title_of(game)}:"), id="of", classes="note", markup=False)
        with Horizontal(id="columns"):
            for n, rows in enumerate(self._columns()):
                yield Column(rows, id=f"column-{n}")
        if not self._client.settings.known:
            tip = Content(tip_in_words(keymap_of(self.app)))
            yield Static(tip, id="tip", classes="note", markup=False)

    def on_mount(self) -> None:
        (self._card if self._on_card else self._parts()[0]).focus()
        self.call_after_refresh(self.look)

    async def look(self) -> None:
        """Read which matches are kept: one reading for all cards."""
        self.seen = True
        self._kept = await asyncio.to_thread(finished)
        if self.is_attached:
            self._show_columns()
            self.draw()

    @property
    def _is_small(self) -> bool:
        width, height = self.app.size
        return width < _CARDS[0] or height < _CARDS[1]

    def on_resize(self) -> None:
        self.query_one("#games").set_class(self._is_small, "-rows")
        self._show_others()
        self._close_up()
        size = self.app.size
        large = size.width >= _LARGE[0] and size.height >= _LARGE[1]
        if large != self.has_class("-large"):
            self.set_class(large, "-large")
            self.screen.call_after_refresh(self.draw)

    def _close_up(self) -> None:
        """Where not all has room, matches that wait stand close: no row drops off the end."""
        waits = len(self._waiting.others)
        self.set_class(waits > 0 and self.app.size.height < _CARDS[1] + 2 + waits, "-close")

    @property
    def may_practise(self) -> bool:
        """Whether that game can be played alone and without hurry."""
        return self.seen and new_table.PRACTICE in GAMES[self.game].presets

    @property
    def has_matches(self) -> bool:
        """Whether there are some to list, as far as is known."""
        return self._kept is None or bool(self._kept or self._waiting.all)

    def show(self, waiting: Waiting) -> None:
        """Show these matches to continue, and the settings of now."""
        if waiting != self._waiting:
            self._waiting = waiting
            self.draw()
        self._show_others()
        self._others.display = bool(waiting.others)
        if waiting.others and not self._others.is_attached:
            self.mount(self._others, before=0)
        self._close_up()
        self._show_columns()

    def _show_others(self) -> None:
        """Until the player moves the cursor, it is on the most urgent one."""
        self._others.show(self._rows())
        if self._waiting.others and not self._others.moved:
            self._others.highlighted = 0

    def _rows(self) -> list[Row]:
        """The matches that are on no card, with a mark on those where it is the player's turn."""
        rows = list[Row]()
        for seat in self._waiting.others:
            due = self._waiting.dues.get(seat.asked_for)
            said = row_in_words(_("Continue: {match}"), seat, due, self.app.size.width - _MARGINS)
            style = "bold $turn" if due is not None and due.yours else ""
            rows.append(Row(row_of(seat), said, styled=Content.styled(said, style)))
        return rows

    def on_descendant_focus(self) -> None:
        if isinstance(focused := self.screen.focused, GameCard):
            self.game = focused.game
            for card in self.query(GameCard):
                card.set_class(card is focused, "-chosen")
        if self.game != self._of:
            self._show_columns()

    def _show_columns(self) -> None:
        self._of = self.game
        columns = self.query("#columns > Column").results(Column)
        for column, rows in zip(columns, self._columns(), strict=True):
            column.show(rows)
        for heading in self.query("#of").results(Static):
            heading.update(Content(f"{title_of(self.game)}:"))
        for new in self.query("#new").results(Static):
            new.update(Content(self._lesson()))

    def draw(self) -> None:
        """Draw the cards, in the look of now."""
        for card in self.query(GameCard):
            seat = self._waiting.on_cards.get(card.game)
            card.draw(seat, self.offer(card.game), large=self.has_class("-large"))

    def offer(self, game: str) -> Draft:
        """The match that Play begins, as its card says."""
        return offered(self._client.settings, self._client.faces[game], self._kept)

    def _is_new(self, game: str) -> bool:
        return game not in self._client.settings.known

    def _lesson(self) -> str:
        """Or which match of the game waits. The line stays where it is, empty, while the cursor is
        on a game that is known."""
        if (seat := self._waiting.on_cards.get(self.game)) is not None:
            return row_in_words(_("Continue: {match}"), seat, None, self.app.size.width - _MARGINS)
        if not self._is_new(self.game):
            return " "
        first = not self._client.settings.known
        return lesson_in_words(title_of(self.game), keymap_of(self.app), first=first)

    def _columns(self) -> list[list[Row]]:
        """What concerns this game, under the cursor, then the rest; each row with its key."""
        client, keymap = self._client, keymap_of(self.app)
        learns = client.settings.lessons.get(self.game, 0)
        words = {
            "learn": _("Go on with the lesson") if learns else _("Learn it in 5 minutes"),
            "name": _("Your name: {name}").format(name=called(client.settings)),
            "quit": _("To the lobby") if client.guest else _("Quit"),
        }
        there = {
            "practise": self.may_practise,
            "matches": self.has_matches,
            "vacation": any(seat.days for seat in self._waiting.others),
        }
        deeds = {one.word: one for one in HOME if one.is_for(client) and there.get(one.word, True)}
        return [
            [
                Row(
                    word,
                    words.get(word) or _(one.words or one.keys[0].words),
                    key=keymap.name(one.keys[0]) or " ",
                )
                for word in column
                if (one := deeds.get(word)) is not None
            ]
            for column in _COLUMNS
        ]

    def _parts(self) -> list[Widget]:
        return [
            *([self._others] if self._waiting.others else []),
            self._card,
            self.query_one("#column-0", Column),
        ]

    @property
    def _card(self) -> "GameCard":
        return self.query_one(f"#card-{self.game}", GameCard)

    def action_go(self, across: int, down: int) -> None:
        """To the next card, also from the matches elsewhere, or from one part to the next; past
        the end of the cards' line the key is the screen's."""
        games, parts = list(self._client.faces), self._parts()
        by = down if self.query_one("#games").has_class("-rows") else across
        at = games.index(self.game) + by
        on_cards = isinstance(self.screen.focused, GameCard) or (across and self._others.has_focus)
        if on_cards and by and 0 <= at < len(games):
            self.game = games[at]  # the next key may come before the news of the focus
            self._card.focus()
        elif down:
            at = next((n for n, part in enumerate(parts) if part.has_focus), len(parts) - 1) + down
            if 0 <= at < len(parts):
                parts[at].focus()
        elif self._others.has_focus:
            self._card.focus()
        else:
            raise SkipAction


def row_of(seat: "seats.Seat") -> str:
    """The id of its row."""
    return f"seat-{seat.address}-{seat.asked_for}"


# A game in the menu: its title in a frame, a picture, and what it is; the cursor lights it.


_TITLE: Final = 19
_PITCH: Final = 22
"""Cells of a row's columns."""


class GameCard(Panel, can_focus=True):
    """Where there is no room for pictures it is one row, with its title in front."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.CONFIRM, "play", N_("Play"), shown=True),
        bound(actions.CHOOSE, "play", N_("Play")),
    ]

    @dataclass
    class Chosen(Message):
        game: str

    def __init__(self, client: Client, game: str, chosen: str) -> None:
        super().__init__(title_of(game), id=f"card-{game}", classes=f"game {chosen}")
        self._client = client
        self.game = game
        self.plays = _("Play")
        """What Enter does."""
        self._row = Content(title_of(game))
        self._art = Picture(id=f"art-{game}")
        self._told = Static("", classes="told", markup=False)

    def render(self) -> Content:
        """A row of words where there is no room for pictures; a picture covers the card."""
        return self._row if self.parent and self.parent.has_class("-rows") else Content("")

    def draw(self, seat: "seats.Seat | None", offer: Draft, *, large: bool) -> None:
        """In the look of now, with the match that waits, or the one on `offer`. `large`: there is
        room for what the game is about. What stands below the title is mounted now: a start does
        not wait for what is empty."""
        from clocktowers_tui.phrases.tables import offer_in_words

        client, face = self._client, self._client.faces[self.game]
        waits = "" if seat is None else on_card_in_words(seat)
        self.plays = waits or offer_in_words(offer, client.settings, face)
        title, players = pad(title_of(self.game), _TITLE), how_many_in_words(face)
        self._row = Content(f"{title} {pad(face.pitch(), _PITCH)} {players}")
        note = (f"\n{players}, {time_in_words(face)}", "$quiet")
        if waits:
            self._row = Content.assemble(f"{title} ", (waits, "bold $turn"))
            note = (f"\n{waits}", "bold $turn")
        self.refresh()
        about = f"\n{face.about()}" if large else ""
        self._told.update(Content.assemble((face.pitch(), "bold"), about, note))
        self._art.draw(partial(face.card_art, client.look))
        if not self._art.is_attached:
            self.mount(self._art, self._told)
        self.refresh_bindings()

    def explain(self) -> Sequence[str]:
        return [_("Enter plays this game; the keys below are for this game, too.")]

    def action_play(self) -> None:
        self.post_message(self.Chosen(self.game))

    def on_click(self) -> None:
        self.action_play()
