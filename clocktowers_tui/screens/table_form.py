"""A new table: which game, seats, who sits on them, rules."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from clocktowers_tui.config.settings import Draft, filled_in
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.games.face import Face, plain, standard_rules
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, bound
from clocktowers_tui.new_table import (
    CLOCKS,
    FIELDS,
    HIDDEN,
    OTHERS,
    OWN,
    PERSON,
    TableField,
    begun,
    clock_of,
    draft_at,
    drafted,
    games_at,
    is_usual,
    last_game,
    level_of,
    levels_of,
    options_of,
    preset_of,
    preset_values,
    seats_of,
)
from clocktowers_tui.phrases.tables import about_level_in_words, clock_in_words, level_in_words
from clocktowers_tui.screens.bound_actions import KeyLine, Keys, entry
from clocktowers_tui.screens.screen import FORM, OurScreen
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.field import Choice, Field, TextLine
from clocktowers_tui.widgets.menu import Row, Submit
from clocktowers_tui.widgets.panel import Scrolled
from protocol.from_client import CreateTable
from protocol.games.registry import GAMES
from protocol.table import TableInfo
from protocol.text import clean

# The rows of a new table's form, filled in as its draft says.


def seat_rows(draft: Draft, face: Face, levels: Sequence[str], *, solo: bool) -> Iterator[Choice]:
    """A row for each seat that the game can have; the first is the player's."""
    yield Choice(_seat_words(0), [(0, _("you"))], id="seat-0")
    known = levels_of(face.game, levels)
    bots = [(level, _bot_words(face, level)) for level in known]
    told = {level: about_level_in_words(level) for level in known}
    values = bots if solo else [(PERSON, _("free, for a person")), *bots]
    said = _("How well does this bot play?") if solo else _("Does a bot play here, or a friend?")
    for seat in range(1, max(GAMES[face.game].seats)):
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


def rule_rows(draft: Draft, face: Face) -> Iterator[Choice]:
    options = options_of(draft, face)
    for field in face.option_fields():
        values = [(plain(value), words) for value, words in field.values]
        id, value = f"option-{field.name}", options[field.name]
        yield Choice(field.label, values, value, id=id, sentence=field.sentence)


def field_row(field: TableField, draft: Draft) -> Choice:
    """What matters only where others come."""
    values = [(value, _(words)) for value, words in field.values]
    clocks = [(name, clock_in_words(clock)) for name, clock in CLOCKS.items()]
    value = clock_of(draft) if not field.values else getattr(draft, field.name)
    label, about = _(field.label), _(field.about)
    return Choice(label, values or clocks, value, id=field.name, sentence=about)


class TableForm(OurScreen[CreateTable | None]):
    """Returns the table to ask for, or None. `solo`: bots on all seats but the player's own.
    `game`: the game to begin with; "" is the last one. `at`: the table that is there already, of
    which rules, clock and watchers alone can change; nothing of it is kept.

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
        self._games = games_at(client.state.connection, client.faces) or list(client.faces)
        self._levels = tuple(levels)
        self._solo = solo
        self._at = at
        game = game if at is None else at.game
        self._drafts: dict[str, Draft] = {}
        """The drafts of games that the player chose here and left for another."""
        self._word = ""
        """The password that was typed; nothing keeps it."""
        self._unfolded = False
        self._begin(game if game in self._games else last_game(client.settings, self._games))

    def _begin(self, game: str) -> None:
        """Begin with this game, as its form was filled in last."""
        self._face = self._client.faces[game]
        if self._at is not None:
            self._draft, self._unfolded = draft_at(self._at, self._face), True
        else:
            kept = begun(self._client.settings, self._face, solo=self._solo)
            self._draft = self._drafts.get(game, kept)
        self._preset = self._draft.preset
        """The preset that the player chose last: it is shown again once the options are as it
        says."""
        self._unfolded = self._unfolded or not is_plain(self._draft, self._face)

    @property
    def _seats(self) -> Sequence[int]:
        return GAMES[self._face.game].seats

    def compose(self) -> ComposeResult:
        title = _(" Set up a match") if self._solo else _(" New table")
        title = title if self._at is None else _(" Change the table")
        yield Static(Content.styled(title, "bold"), classes="banner", markup=False)
        with Scrolled(classes="form"):
            yield from self._rows()
            yield Submit(Row("create", self._creates))
        yield Static("", id="sentence", markup=False)
        yield Static("", id="differs", classes="below", markup=False)
        yield KeyLine()

    def _rows(self) -> Iterator[Widget]:
        draft, face = self._draft, self._face
        games = [(game, title_of(game)) for game in self._games]
        yield Choice(_("Game"), games, face.game, id="game", sentence=face.pitch())
        wished = _("if you want one")
        if not self._solo:
            yield Field(_("Title"), draft.title, id="title", max_length=40, hint=wished)
        seats = [(n, str(n) if n > 1 else _("1, alone")) for n in self._seats]
        most = _("How many can play, with you? A match also begins with fewer.")
        many = _("How many play, with you?") if self._solo else most
        seated = seats_of(draft, face.game)
        yield Choice(_("Players"), seats, seated, id="seats", sentence=many)
        yield from seat_rows(draft, face, self._levels, solo=self._solo)
        preset = preset_of(options_of(draft, face), face, self._preset)
        presets, own, sets = face.presets(), _("your own"), _("This sets all the rules at once.")
        yield Choice(_("Rules"), presets, preset, id="preset", other=own, sentence=sets)
        folds = [(False, _("hidden")), (True, _("shown"))]
        single, all_ = _("Single rules."), _("Single rules, who may join, the clock.")
        said = single if self._solo else all_
        yield Choice(_("More choices"), folds, self._unfolded, id="more", sentence=said)
        with Vertical(id="folded"):
            yield from rule_rows(draft, face)
            if not self._solo:
                line = self._client.state.connection
                yield field_row(HIDDEN, draft)
                if line is not None and line.private:
                    yield Field(
                        _("Password"),
                        self._word,
                        id="word",
                        password=True,
                        max_length=128,
                        hint=wished,
                    )
                for field in OTHERS:
                    yield field_row(field, draft)

    def on_mount(self) -> None:
        # No text field, so that every key means what it says.
        self.query_one("#game" if self._at is None else "#preset").focus()

    def begin(self) -> None:
        self._show_rows()
        self._show_preset()
        self._show_differences()

    @property
    def _creates(self) -> str:
        """What Enter and the button do."""
        if self._at is not None:
            return _("Change the table")
        return _("Start") if self._solo else _("Create the table")

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
            said = _("Others see it in the list of tables.")
            if at.id == "word":
                said = _("Others type it to come to the table.")
        for shown in self.query("#sentence").results(Static):
            shown.update(Content(said))

    # What follows from a change -----------------------------------------------------------------

    def on_choice_changed(self, event: Choice.Changed) -> None:
        match event.choice.id:
            case "game":
                self._change_game(event.choice.value)
                return
            case "seats":
                self._show_rows()
            case "preset":
                self._set_preset(event.choice.value)
            case "more":
                self._unfolded = event.choice.value
                self._show_rows()
        self._show_preset()
        self._show_differences()
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
        seats = self._choice("seats").value
        for seat in range(1, max(self._seats)):
            self._choice(f"seat-{seat}").display = seat < seats
        if not self._solo:
            # Alone nobody waits, and in a race everybody acts at once.
            for row in ("clock", "hints"):
                self._choice(row).display = seats > 1 and self._face.in_turns
        for field in self._face.option_fields(seats):
            values = [(plain(value), words) for value, words in field.values]
            shown = self._choice(f"option-{field.name}")
            shown.set_values(values)
            shown.display = not (self._solo and field.among)
        if self._at is not None:
            for shown_row in self.query(".form > *, #folded > *"):
                changes = shown_row.id in self._may_change or isinstance(shown_row, Submit)
                shown_row.display = shown_row.display and changes

    @property
    def _may_change(self) -> set[str | None]:
        rules = {f"option-{field.name}" for field in self._face.option_fields()}
        return {*rules, "preset", "folded", "clock", "watchable"}

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

    def _filled_in(self) -> Draft:
        chosen = {} if self._solo else {one.name: self._choice(one.name).value for one in FIELDS}
        return Draft(
            title="" if self._solo else clean(self.query_one("#title", Input).value),
            seats=self._choice("seats").value,
            levels=tuple(self._choice(f"seat-{seat}").value for seat in range(1, max(self._seats))),
            preset=self._choice("preset").value or OWN,
            options=self._options(),
            **chosen,
        )

    def _typed_word(self) -> str:
        return next((line.value for line in self.query("#word").results(Input)), "")

    def on_input_submitted(self) -> None:
        self.action_create()

    def on_option_list_option_selected(self, _event: OptionList.OptionSelected) -> None:
        self.action_create()

    def action_create(self) -> None:
        draft, settings = self._filled_in(), self._client.settings
        if self._at is None:
            self._client.keep(filled_in(settings, self._face.game, draft, solo=self._solo))
        table = drafted(draft, self._face, self._levels, solo=self._solo)
        self.dismiss(replace(table, password=self._typed_word()))

    async def action_rules(self) -> None:
        """The face of the chosen game."""
        await self.app.run_action(f"app.rules({self._face.game!r})")
