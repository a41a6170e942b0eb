"""A new table: which game, seats, who sits on them, rules."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from clocktowers_tui.config.settings import Draft, filled_in, last_game
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.home import finished, offered
from clocktowers_tui.games.face import Face, plain, standard_rules
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, bound
from clocktowers_tui.new_table import (
    CLOCKS,
    OWN,
    PERSON,
    begun,
    draft_at,
    drafted,
    games_at,
    level_of,
    levels_of,
    options_of,
    preset_of,
    preset_values,
)
from clocktowers_tui.phrases.tables import about_level_in_words, level_in_words
from clocktowers_tui.screens.bound_actions import KeyLine, Keys, entry
from clocktowers_tui.screens.screen import FORM, OurScreen
from clocktowers_tui.table_fields import FOLDED, OPEN, Ask, TableField, Wanted, fields_of, is_usual
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.field import Choice, Field, Submit, TextLine
from clocktowers_tui.widgets.menu import Row
from clocktowers_tui.widgets.panel import Scrolled
from protocol.from_client import CreateTable
from protocol.table import Days, TableInfo
from protocol.text import clean

# The rows of a new table's form, filled in as its draft says.


_TITLES: Final = {
    Ask.SOLO: N_(" Set up a match"),
    Ask.NEW: N_(" New table"),
    Ask.CHANGE: N_(" Change the table"),
}
_CREATES: Final = {
    Ask.SOLO: N_("Start"),
    Ask.NEW: N_("Create the table"),
    Ask.CHANGE: N_("Change the table"),
}
"""What Enter and the button do."""


def seat_rows(draft: Draft, face: Face, wanted: Wanted) -> Iterator[Choice]:
    """A row for each seat that the game can have; the first is the player's."""
    solo = wanted.solo
    yield Choice(_seat_words(0), [(0, _("you"))], id="seat-0")
    known = levels_of(face.game, wanted.levels)
    bots = [(level, _bot_words(face, level)) for level in known]
    told = {level: about_level_in_words(level) for level in known}
    values = bots if solo else [(PERSON, _("free, for a person")), *bots]
    said = _("How well does this bot play?") if solo else _("Does a bot play here, or a friend?")
    for seat in range(1, max(wanted.seats)):
        level = level_of(draft, seat, known, solo=solo)
        id = f"seat-{seat}"
        yield Choice(_seat_words(seat), values, level, id=id, sentence=said, steps=told)


def _seat_words(seat: int) -> str:
    return _("Seat {n}").format(n=seat + 1)


def _bot_words(face: Face, level: str) -> str:
    words = _("bot, {level}").format(level=level_in_words(level))
    about = face.about_level(level)
    return f"{words}: {about}" if about else words


def is_plain(draft: Draft, face: Face) -> bool:
    """Whether every row that the fold hides has its first value."""
    own = preset_of(options_of(draft, face), face, draft.preset) == OWN
    return not own and is_usual(draft)


class TableForm(OurScreen[CreateTable | None]):
    """Returns the table to ask for, or None. `solo`: bots on all seats but the player's own.
    `game`: the game to begin with; "" is the last one. `at`: the table that is there already;
    nothing of it is kept.

    It opens as the player left it, and so does each game; what it returns is kept in the settings.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-below"), (80, "-beside")]  # noqa: RUF012  (so in Textual)

    BINDINGS: ClassVar[list[BindingType]] = [
        *FORM,
        bound(actions.CONFIRM, "create", N_("Create"), shown=True),
        bound(actions.BACK, "dismiss", shown=True),
        bound(actions.RULES, "rules"),
    ]

    def __init__(
        self,
        client: Client,
        levels: Sequence[str],
        *,
        solo: bool,
        game: str = "",
        at: TableInfo | None = None,
    ) -> None:
        super().__init__()
        self._client = client
        ask = Ask.CHANGE if at is not None else Ask.SOLO if solo else Ask.NEW
        games = games_at(client.state.connection, client.faces) or list(client.faces)
        self._wanted = Wanted(ask, games, tuple(levels))
        self._at = at
        game = game if at is None else at.game
        self._drafts: dict[str, Draft] = {}
        """The drafts of games that the player chose here and left for another."""
        self._word = ""
        """The password that was typed; nothing keeps it."""
        self._unfolded = False
        self._begin(game if game in games else last_game(client.settings, games))

    def _begin(self, game: str) -> None:
        """Begin with this game, as its form was filled in last."""
        self._face = self._client.faces[game]
        self._wanted = self._wanted._replace(face=self._face)
        if self._at is not None:
            self._draft, self._unfolded = draft_at(self._at, self._face), True
        else:
            settings = self._client.settings
            kept = begun(settings, self._face, solo=False)
            if self._wanted.solo:
                kept = offered(settings, self._face, finished())
            self._draft = self._drafts.get(game, kept)
        self._preset = self._draft.preset
        """The preset that the player chose last: it is shown again once the options are as it
        says."""
        self._unfolded = self._unfolded or not is_plain(self._draft, self._face)

    def _there(self, fields: Sequence[TableField]) -> Sequence[TableField]:
        """Those of which this form has rows. A password goes over no line that others can read."""
        line, ask = self._client.state.connection, self._wanted.ask
        secret = () if line is not None and line.private else ("password",)
        return [one for one in fields if one.label and ask in one.asks and one.name not in secret]

    def compose(self) -> ComposeResult:
        title = _(_TITLES[self._wanted.ask])
        yield Static(Content.styled(title, "bold"), classes="banner", markup=False)
        with Scrolled(classes="form"):
            yield from self._rows(OPEN)
            if self._at is None:
                folds = [(False, _("hidden")), (True, _("shown"))]
                single, all_ = _("Each rule."), _("Each rule, who may join, the clock.")
                said = single if self._wanted.solo else all_
                more = _("More choices")
                yield Choice(more, folds, self._unfolded, id="more", sentence=said)
            with Vertical(id="folded"):
                options = options_of(self._draft, self._face)
                for field in self._face.option_fields():
                    values = [(plain(value), words) for value, words in field.values]
                    id, value = f"option-{field.name}", options[field.name]
                    yield Choice(field.label, values, value, id=id, sentence=field.sentence)
                yield from self._rows(FOLDED)
            yield Submit(Row("create", self._creates))
        yield Static("", id="sentence", markup=False)
        yield Static("", id="differs", classes="below", markup=False)
        yield KeyLine()

    def _rows(self, fields: Sequence[TableField]) -> Iterator[Widget]:
        for field in self._there(fields):
            id, label, wished = field.name, _(field.label), _("if you want one")
            if field.most:
                secret, most = id == "password", field.most
                had = self._word if secret else getattr(self._draft, id)
                yield Field(label, had, id=id, password=secret, max_length=most, hint=wished)
            else:
                values, own = field.values(self._wanted), _("your own") * (id == "preset")
                said, value = (
                    _(field.about) or self._face.pitch(),
                    getattr(self._draft, id, self._face.game),
                )
                yield Choice(label, values, value, id=id, other=own, sentence=said)
            if id == "seats":
                yield from seat_rows(self._draft, self._face, self._wanted)

    def arrive(self) -> None:
        # No text field, so that every key means what it says.
        self.query_one("#game" if self._at is None else "#preset").focus()

    def begin(self) -> None:
        self._show_rows()
        self._show_preset()
        self._show_differences()

    @property
    def _creates(self) -> str:
        """What Enter and the button do."""
        return _(_CREATES[self._wanted.ask])

    def keys(self) -> Keys:
        """The focused field and the row below take the key, and do the same with it."""
        others = super().keys()
        create = entry(self.keymap, [actions.CONFIRM], self._creates)
        return [create, *(other for other in others if other.keys != create.keys)]

    def short_words(self) -> dict[Action, str]:
        return dict.fromkeys((actions.LEFT, actions.RIGHT), _("Change"))

    def help_keys(self) -> Keys:
        """With the words of the last line."""
        create = entry(self.keymap, [actions.CONFIRM], _("Create"))
        return [
            one._replace(words=self._creates) if one.words == create.words else one
            for one in super().help_keys()
        ]

    def on_descendant_focus(self) -> None:
        self._say_about()

    def _say_about(self) -> None:
        """What the row under the cursor is about."""
        at = self.focused
        said = at.sentence if isinstance(at, Choice) else ""
        if isinstance(at, TextLine):
            said = next(_(one.about) for one in fields_of(self._wanted.ask) if one.name == at.id)
        for shown in self.query("#sentence").results(Static):
            shown.update(Content(said))

    # What follows from a change -----------------------------------------------------------------

    def on_choice_changed(self, event: Choice.Changed) -> None:
        match event.choice.id:
            case "game":
                self._change_game(event.choice.value)
                return
            case "people":
                self._choice("seats").set_value(max(self._seats, self._people))
            case "seats":
                for people in self.query("#people").results(Choice):
                    people.set_value(min(self._seats, self._people))
            case "preset":
                self._set_preset(event.choice.value)
            case "more":
                self._unfolded = event.choice.value
        self.begin()
        self._say_about()

    @work(group="game", exclusive=True)
    async def _change_game(self, game: str) -> None:
        """Show the rows of another game, as they were left; a typed title goes along."""
        left, had = self._filled_in(), self._draft
        self._drafts[self._face.game] = left
        self._begin(game)
        if left.title != had.title:
            self._draft = replace(self._draft, title=left.title)
        self._word = self._typed_word()
        await self.recompose()
        self.begin()
        self.query_one("#game").focus()

    def _set_preset(self, preset: str) -> None:
        self._preset = preset
        for name, value in preset_values(self._face, preset).items():
            self._choice(f"option-{name}").set_value(value)

    def _show_preset(self) -> None:
        shown = preset_of(self._options(), self._face, self._preset)
        self._choice("preset").set_value(shown)

    def _show_rows(self) -> None:
        """Show the rows that this table has."""
        self.query_one("#folded").display = self._unfolded
        seats, people = self._seats, self._people
        for seat in range(1, max(self._wanted.seats)):
            for row in self.query(f"#seat-{seat}"):
                row.display = people <= seat < seats
        for names in self.query(Field).results(Field):
            if names.query("#names"):
                names.display = people > 1
        for field in self._there(FOLDED):
            if field.among:  # alone nobody waits, and in a race everybody acts at once
                self._choice(field.name).display = seats > 1 and self._face.in_turns
        for late in self.query("#late").results(Choice):
            late.display &= isinstance(CLOCKS[self._choice("clock").value], Days)
        for rule in self._face.option_fields(seats):
            values = [(plain(value), words) for value, words in rule.values]
            shown = self._choice(f"option-{rule.name}")
            shown.set_values(values)
            shown.display = not (self._wanted.solo and rule.among)

    def _show_differences(self) -> None:
        options = self._options()
        rules = self._face.options_in_words(options)
        if self._face.options_in_words({}) != standard_rules():
            said = _("Rules: {rules}").format(rules=rules)  # they have a name of their own
        elif rules == standard_rules():
            said = _("These are the standard rules.")
        else:
            said = _("House rules: {rules}").format(rules=rules)
        self.query_one("#differs", Static).update(Content(said))

    # What it gives ------------------------------------------------------------------------------

    def _choice(self, id: str) -> Choice:
        return self.query_one(f"#{id}", Choice)

    def _options(self) -> dict[str, Any]:
        fields = self._face.option_fields()
        return {field.name: self._choice(f"option-{field.name}").value for field in fields}

    @property
    def _seats(self) -> int:
        return self._draft.seats if self._at is not None else self._choice("seats").value

    @property
    def _people(self) -> int:
        """How many play at this keyboard."""
        return next((row.value for row in self.query("#people").results(Choice)), 1)

    def _filled_in(self) -> Draft:
        fields = [one.name for one in self._there((*OPEN, *FOLDED)) if one.of is not None]
        chosen = {name: self._choice(name).value for name in fields}
        seats = range(1, max(self._wanted.seats))
        if self._at is None:
            del chosen["game"]
            chosen["levels"] = tuple(self._choice(f"seat-{seat}").value for seat in seats)
        for line in self.query("#title, #names").results(Input):
            chosen[str(line.id)] = clean(line.value)
        chosen |= {"preset": chosen["preset"] or OWN, "options": self._options()}
        return replace(self._draft, **chosen)

    def _typed_word(self) -> str:
        return next((line.value for line in self.query("#password").results(Input)), "")

    def on_input_submitted(self) -> None:
        self.action_create()

    def on_option_list_option_selected(self, _event: OptionList.OptionSelected) -> None:
        self.action_create()

    def action_create(self) -> None:
        draft, settings = self._filled_in(), self._client.settings
        if self._at is None:
            self._client.keep(filled_in(settings, self._face.game, draft, solo=self._wanted.solo))
        table = drafted(draft, self._face, self._wanted.levels, solo=self._wanted.solo)
        self.dismiss(replace(table, password=self._typed_word()))

    async def action_rules(self) -> None:
        """The face of the chosen game."""
        await self.app.run_action(f"app.rules({self._face.game!r})")
