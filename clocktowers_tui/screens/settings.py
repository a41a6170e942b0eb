"""What the player can choose for good; each change is seen and kept at once."""

import os
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, Final

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, Static

from clocktowers_tui.config.look import Colours, Look
from clocktowers_tui.config.settings import Settings, as_name, called, settings_file
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, bound
from clocktowers_tui.keys.keymap import keymap_file
from clocktowers_tui.new_table import game_here
from clocktowers_tui.phrases.home import COLOURS, GLYPHS, PALETTES, in_words
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.screens.screen import FORM
from clocktowers_tui.terminal.detect import asks_for_none
from clocktowers_tui.text import i18n
from clocktowers_tui.text.i18n import N_, _
from clocktowers_tui.widgets.field import Choice, Field
from clocktowers_tui.widgets.panel import Picture, Scrolled
from protocol.table import Pace

Values = Sequence[tuple[Any, str]]
_ABOUT: Final = {
    "palette": N_("The colours of all screens; the board below shows them."),
    "colours": N_("auto: as many as your terminal can show."),
    "glyphs": N_("Choose fewer where boards look broken."),
    "language": N_("auto: the language of your system."),
    "title": N_("The title of your window says that it is your turn."),
    "bell": N_("Your terminal rings when others wait for you."),
    "popups": N_("A message on your desktop; auto: if your terminal can."),
    "chat_bell": N_("Your terminal rings when somebody writes to you."),
    "pace": N_("How long bots seem to think, where you play alone with them."),
    "motion": N_("At a great moment the board moves for 0.3 seconds."),
    "name": N_("Others see it at the table."),
}
"""What each row does."""


class SettingsScreen(DeedScreen[None]):
    """The ids of its rows are the names of the settings."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *FORM,
        bound(actions.PAGE_UP, "turn(-1)"),
        bound(actions.PAGE_DOWN, "turn(1)"),
        bound(actions.BACK, "dismiss", shown=True),
        bound(actions.LEAVE, "dismiss"),
    ]

    def __init__(self, client: Client) -> None:
        super().__init__(client, name="settings")

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(_(" Settings"), "bold"), classes="banner", markup=False)
        with Scrolled(classes="form"):
            yield self._choice("palette", _("Theme"), in_words(PALETTES))
            # TRANSLATORS: a setting: the program chooses.
            terminal = (None, _("auto"))
            yield self._choice("colours", _("How many colours"), [terminal, *in_words(COLOURS)])
            yield self._choice("glyphs", _("Characters"), [terminal, *in_words(GLYPHS)])
            languages = i18n.languages()
            if len(languages) > 1:
                system = (None, _("auto"))
                yield self._choice("language", _("Language"), [system, *languages.items()])
            yield self._choice("title", _("The title at your turn"), _yes_or_no())
            yield self._choice("bell", _("A bell at your turn"), _yes_or_no())
            yield self._choice("popups", _("A message at your turn"), _popups())
            yield self._choice("chat_bell", _("A bell at chat messages"), _yes_or_no())
            yield self._choice("pace", _("How fast bots act"), _paces())
            yield self._choice("motion", _("Motion on the board"), _yes_or_no())
            yield Field(_("Your name"), called(self._client.settings), id="name", max_length=20)
            for complaint in self._client.keymap.complaints:
                yield Static(Content(f"keymap.toml: {complaint}"), classes="note", markup=False)
            yield Static(id="notes", classes="note", markup=False)
            yield Picture(id="picture")
        yield from self.foot()

    def _choice(self, name: str, label: str, values: Values) -> Choice:
        value = getattr(self._client.settings, name)
        return Choice(label, values, value, id=name, sentence=_(_ABOUT[name]))

    def begin(self) -> None:
        self.restyle(self._client.look)
        self.say(self.at_rest())

    def at_rest(self) -> str:
        said = None if self.focused is None else _ABOUT.get(str(self.focused.id))
        return _(said) if said else ""

    def on_descendant_focus(self) -> None:
        self.say(self.at_rest())

    def short_words(self) -> dict[Action, str]:
        return dict.fromkeys((actions.LEFT, actions.RIGHT), _("Change"))

    def restyle(self, look: Look) -> None:
        """Called also when the colours were changed by their key."""
        self.query_one("#palette", Choice).set_value(look.palette)
        client = self._client
        game = game_here(client.state, client.settings, list(client.faces))
        if (face := client.faces.get(game)) is not None:
            self.query_one(Picture).draw(partial(face.card_art, look))
        notes = _notes(self._client.settings, guest=self._client.guest)
        self.query_one("#notes", Static).update(Content(notes))

    def on_choice_changed(self, event: Choice.Changed) -> None:
        settings = replace(self._client.settings, **{str(event.choice.id): event.choice.value})
        self._client.keep(settings)
        if event.choice.id == "language":
            self._client.speak(settings.language)
        else:
            wished = settings.palette, settings.colours, settings.glyphs
            self._client.restyle(self._client.able.wished(*wished))

    def on_input_changed(self, event: Input.Changed) -> None:
        """An invisible name is not kept."""
        if name := as_name(event.value):
            self._client.keep(replace(self._client.settings, name=name))


def _notes(settings: Settings, *, guest: bool) -> str:
    """Which settings stand above others, and where they are kept: on a guest's server that is
    nothing for the guest."""
    saved = _("Saved in {file}").format(file=settings_file())
    keys = _("Keys of your own: {file}").format(file=keymap_file())
    notes = [] if guest else [saved, keys]
    if settings.colours not in (None, Colours.NONE) and asks_for_none(os.environ):
        notes.insert(0, _("NO_COLOR is set, but your choice here comes first."))
    return "\n".join(notes)


def _popups() -> Values:
    """Terminals' documents name the control sequences by these numbers."""
    ways = [(way, f"OSC {way}") for way in ("9", "99", "777")]
    return [(None, _("auto")), ("no", _("no")), *ways]


def _paces() -> Values:
    return [
        # TRANSLATORS: how fast bots act.
        (Pace.SLOW, _("slow")),
        (Pace.NORMAL, _("normal")),
        # TRANSLATORS: how fast bots act.
        (Pace.FAST, _("fast")),
        (Pace.AT_ONCE, _("at once, until your turn")),
    ]


def _yes_or_no() -> Values:
    return [(True, _("yes")), (False, _("no"))]
