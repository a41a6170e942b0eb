"""A game in the menu: its title in a frame, a picture, and what it is; the cursor lights it."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, NamedTuple

from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.text.fitting import pad
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.panel import Panel
from clocktowers_tui.widgets.picture import Picture, Rows

_TITLE: Final = 19
_PITCH: Final = 24
"""Cells of a row's columns."""


class Told(NamedTuple):
    """`about`: "" where there is no room for it. `players`: how many; `time`: how long it takes;
    `against`: with whom a new match is. `waiting`: what Enter does with a match that waits; "" when
    none does."""

    pitch: str
    about: str
    players: str
    time: str
    against: str
    waiting: str = ""

    @property
    def lines(self) -> Content:
        """What stands below the picture."""
        about = f"\n{self.about}" if self.about else ""
        note = (f"\n{self.players}, {self.time}", "$quiet")
        if self.waiting:
            note = (f"\n{self.waiting}", "bold $turn")
        return Content.assemble((self.pitch, "bold"), about, note)

    def row(self, title: str) -> Content:
        """The same in a line."""
        if self.waiting:
            return Content.assemble(f"{pad(title, _TITLE)} ", (self.waiting, "bold $turn"))
        return Content(f"{pad(title, _TITLE)} {pad(self.pitch, _PITCH)} {self.players}")

    @property
    def enter(self) -> str:
        """What Enter does."""
        return self.waiting or _("Play: {against}").format(against=self.against)


class GameCard(Panel, can_focus=True):
    """Where there is no room for pictures it is one row, with its title in front."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.CONFIRM, "play", N_("Play"), shown=True),
        bound(actions.CHOOSE, "play", N_("Play")),
    ]

    class Chosen(Message):
        def __init__(self, game: str) -> None:
            super().__init__()
            self.game = game

    def __init__(self, game: str, title: str) -> None:
        super().__init__(title, id=f"card-{game}", classes="game")
        self.game = game
        self._called = title
        self.plays = _("Play")
        """What Enter does."""
        self._row = Static(Content(title), classes="row", markup=False)
        self._art = Picture(id=f"art-{game}")
        self._told = Static("", classes="told", markup=False)

    def compose(self) -> ComposeResult:
        yield self._row

    def show(self, art: Callable[[int, int], Rows], told: Told) -> None:
        """`art` is drawn for its room. What stands below the title is mounted now: a start does not
        wait for what is empty."""
        self._art.draw(art)
        self._told.update(told.lines)
        self._row.update(told.row(self._called))
        if not self._art.is_attached:
            self.mount(self._art, self._told)
        self.plays = told.enter
        self.refresh_bindings()

    def explain(self) -> Sequence[str]:
        return [_("Enter plays this game; the keys below are for this game, too.")]

    def action_play(self) -> None:
        self.post_message(self.Chosen(self.game))

    def on_click(self) -> None:
        self.action_play()


class GameCards(Container):
    """All cards, side by side or below each other; the arrows go from one to the next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.LEFT, "turn(-1, 0)"),
        bound(actions.HOME_RIGHT, "turn(1, 0)"),
        bound(actions.UP, "turn(0, -1)"),
        bound(actions.DOWN, "turn(0, 1)"),
    ]

    def __init__(self, titles: Sequence[tuple[str, str]], at: str) -> None:
        super().__init__(id="games")
        self._titles = titles
        self.game = at
        """The game that the cursor is on, or was on last; its card shows it, also from afar."""

    def compose(self) -> ComposeResult:
        for game, title in self._titles:
            yield GameCard(game, title).set_class(game == self.game, "-chosen")

    @property
    def card(self) -> GameCard:
        return self.query_one(f"#card-{self.game}", GameCard)

    def on_descendant_focus(self) -> None:
        focused = self.screen.focused
        if isinstance(focused, GameCard):
            self.game = focused.game
            for card in self.query(GameCard):
                card.set_class(card is focused, "-chosen")

    def action_turn(self, across: int, down: int) -> None:
        """Past the end the key is the screen's, and so is one across the cards' line."""
        games = [game for game, _title in self._titles]
        by = down if self.has_class("-rows") else across
        at = games.index(self.game) + by
        if not by or not 0 <= at < len(games):
            raise SkipAction
        self.game = games[at]  # the next key may come before the news of the focus
        self.card.focus()
