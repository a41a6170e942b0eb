"""A new table: seats, who sits on them, rules."""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from clocktowers_tui import actions
from clocktowers_tui.actions import bound
from clocktowers_tui.i18n import N_, _
from clocktowers_tui.phrases.friends import joining_in_words
from clocktowers_tui.screens.client import Client
from clocktowers_tui.screens.screen import OurScreen
from clocktowers_tui.tables import GAME, level_in_words, plain, preset_values
from clocktowers_tui.widgets.choice import Choice
from clocktowers_tui.widgets.field import Field
from clocktowers_tui.widgets.key_line import KeyLine
from clocktowers_tui.widgets.menu import Menu, Row
from clocktowers_tui.widgets.scrolled import Scrolled
from protocol.from_client import BotSeat, CreateTable
from protocol.games.registry import GAMES
from protocol.text import clean

_PERSON = ""


class TableForm(OurScreen[CreateTable | None]):
    """Gives the table to ask for, or None. `solo`: bots on all seats but one's own."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "app.focus_previous"),
        bound(actions.DOWN, "app.focus_next"),
        bound(actions.CONFIRM, "create", N_("Create"), shown=True),
        bound(actions.BACK, "back", shown=True),
    ]

    def __init__(self, client: Client, levels: Sequence[str], *, solo: bool) -> None:
        super().__init__()
        self._client = client
        self._face = client.faces[GAME]
        self._levels = tuple(levels)
        self._solo = solo

    def compose(self) -> ComposeResult:
        title = _(" New game") if self._solo else _(" New table")
        yield Static(Content.styled(title, "bold"), classes="banner", markup=False)
        with Scrolled(classes="form"):
            if not self._solo:
                yield Field(_("Title"), id="title", max_length=40, hint=_("if you want one"))
            seats = GAMES[GAME].seats
            wished = self._client.settings.bots + 1 if self._solo else seats[-1]
            yield Choice(_("Players"), [(n, str(n)) for n in seats], wished, id="seats")
            for seat in range(1, max(seats)):
                yield self._seat_choice(seat)
            yield Choice(_("Rules"), self._face.presets(), id="preset")
            for field in self._face.option_fields():
                values = [(plain(value), words) for value, words in field.values]
                yield Choice(field.label, values, id=f"option-{field.name}")
            yield Menu([Row("create", _("Start") if self._solo else _("Create the table"))])
            yield Static(Content(self._friends()), id="friends", markup=False)
        yield Static("", id="said", markup=False)
        yield KeyLine()

    def _friends(self) -> str:
        connection = self._client.state.connection
        return "" if connection is None else joining_in_words(connection.friends)

    def _seat_choice(self, seat: int) -> Choice:
        bots = [
            (level, _("bot, {level}").format(level=level_in_words(level))) for level in self._levels
        ]
        values = bots if self._solo else [(_PERSON, _("a person")), *bots]
        wished = self._client.settings.level if self._solo else _PERSON
        label = _("Seat {n}").format(n=seat + 1)
        return Choice(label, values, wished, id=f"seat-{seat}")

    def on_mount(self) -> None:
        super().on_mount()
        self._show_seats()
        self.query_one("#seats" if self._solo else "#title").focus()

    def on_choice_changed(self, event: Choice.Changed) -> None:
        if event.choice.id == "seats":
            self._show_seats()
        elif event.choice.id == "preset":
            for name, value in preset_values(self._face, event.choice.value).items():
                self.query_one(f"#option-{name}", Choice).set_value(value)

    def _show_seats(self) -> None:
        for seat in range(1, max(GAMES[GAME].seats)):
            self.query_one(f"#seat-{seat}", Choice).display = seat < self._value("seats")

    def _value(self, id: str) -> Any:
        return self.query_one(f"#{id}", Choice).value

    def on_input_submitted(self) -> None:
        self.action_create()

    def on_option_list_option_selected(self, _event: OptionList.OptionSelected) -> None:
        self.action_create()

    def action_create(self) -> None:
        preset = self._value("preset")
        before = preset_values(self._face, preset)
        options = {
            field.name: self._value(f"option-{field.name}") for field in self._face.option_fields()
        }
        seats = self._value("seats")
        levels = [(seat, self._value(f"seat-{seat}")) for seat in range(1, seats)]
        self.dismiss(
            CreateTable(
                id=0,
                game=GAME,
                seats=seats,
                title="" if self._solo else clean(self.query_one("#title", Input).value),
                preset=preset,
                options={name: v for name, v in options.items() if v != before.get(name)},
                bots=[BotSeat(seat, level) for seat, level in levels if level != _PERSON],
            )
        )

    def action_back(self) -> None:
        self.dismiss(None)
