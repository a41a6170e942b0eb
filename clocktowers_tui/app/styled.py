"""An app whose look and language can change at any time, and its themes."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from time import monotonic
from typing import Any, Final

from textual._styles_cache import StylesCache
from textual.app import App
from textual.driver import Driver
from textual.events import Event, Key, Paste
from textual.filter import LineFilter, Monochrome, NoColor
from textual.theme import Theme
from textual.widgets import Input

from clocktowers_tui.config.files import note
from clocktowers_tui.config.look import TONES, Colours, GlyphSet, Look, Palette, Tones
from clocktowers_tui.keys.keymap import IN_ITS_PLACE, key_from, keymap_of
from clocktowers_tui.screens.screen import OurScreen
from clocktowers_tui.terminal.driver import CellApp, TerminalDriver
from clocktowers_tui.text import i18n
from clocktowers_tui.text.spelling import draw_with
from clocktowers_tui.widgets.panel import bars_with

_TWICE_S: Final = 0.5
"""Within so long a key that is pressed twice comes again."""
_COMPOSING_S: Final = 2.0
"""How long a key waits at most for the widgets of a new screen."""
_FRAMES: Final = {GlyphSet.UNICODE: "round", GlyphSet.SAFE: "solid", GlyphSet.ASCII: "ascii"}
_inner_outer: Any = StylesCache.get_inner_outer
GROUNDS: Final[Any] = lru_cache(1024)(partial(_inner_outer.__wrapped__, None))
"""Textual's two backgrounds of a widget, remembered by their colours alone. Textual remembers them
by widget, too, and so keeps what the last 1024 widgets have painted: more than 60 MB."""


# The tones as Textual's themes; a board has its own inks.
#
# The style sheet knows a tone by its name: `$quiet`, `$faint`, `$raised`, `$accent`, `$turn`,
# `$danger`, `$success`; `$background` and `$foreground` are `ground` and `text`.


def theme_of(look: Look) -> str:
    """The name of the theme for a look."""
    if look.colours is Colours.NONE:
        return _PLAIN.name
    return THEMES[Palette.NATIVE if look.ansi else look.palette].name


_VARIABLES: Final = (
    "ground block-cursor-foreground input-cursor-foreground input-selection-foreground",
    "ground scrollbar-background scrollbar-background-hover scrollbar-background-active",
    "text block-cursor-blurred-foreground input-cursor-background",
    "quiet quiet text-muted input-selection-background",
    "faint faint border-blurred scrollbar",
    "raised raised block-cursor-blurred-background",
    "accent border",
    "turn turn",
    "danger danger",
)
"""Of each tone the variables of Textual and of the style sheet that are it."""
_ON_OURS: Final = ("accent block-cursor-background scrollbar-active", "quiet scrollbar-hover")
_ON_THEIR_GROUND: Final = (
    "ground block-cursor-background ansi-background screen-selection-background",
    "text ansi-foreground screen-selection-foreground",
    "faint scrollbar-hover scrollbar-active",
)


def _theme(name: str, tones: Tones, *, ansi: bool = False) -> Theme:
    """`ansi`: for the terminal's own background, which is unknown: where text would have to be read
    on a colour, there is none."""
    ground, text = tones.ground, tones.text
    rows = map(str.split, _VARIABLES + (_ON_THEIR_GROUND if ansi else _ON_OURS))
    variables = {name: getattr(tones, tone) for tone, *names in rows for name in names}
    return Theme(
        name=f"clocktowers-{name}",
        ansi=ansi,
        primary=tones.accent,
        accent=tones.accent,
        warning=tones.turn,
        error=tones.danger,
        success=tones.success,
        foreground=text,
        background=ground,
        surface=ground,
        panel=ground,
        boost=ground if ansi else None,
        dark=ansi or ground < text,
        variables=variables,
    )


def _native(name: str, accent: str, faint: str, danger: str, success: str) -> Theme:
    own = "ansi_default"
    tones = Tones(own, own, own, faint, own, accent, own, danger, success)
    return _theme(name, tones, ansi=True)


_PLAIN: Final = _native("plain", *("ansi_default",) * 4)
"""Without any colour (NO_COLOR)."""

THEMES: Final[Mapping[Palette, Theme]] = {
    palette: _theme(str(palette), tones)
    if palette is not Palette.NATIVE
    else _native("native", "ansi_blue", "ansi_bright_black", "ansi_red", "ansi_green")
    for palette, tones in TONES.items()
}

ALL_THEMES: Final = {known.name: known for known in (*THEMES.values(), _PLAIN)}
"""By the names that the app knows."""


# The app.


class StyledApp(CellApp, inherit_bindings=False):
    """`able`: the best look that the terminal can show; `look` may be less. `near`: as in
    `terminal.detect`; what lies below a dialog is dimmed, which takes some 10 kB."""

    available_themes = ALL_THEMES
    """Ours alone. Textual asks for them with every style."""

    def __init__(
        self, look: Look, able: Look | None, driver_class: type[Driver] | None, *, near: bool
    ) -> None:
        # Before Textual works out colours and styles, which it would do a second time for a change.
        self.set_reactive(App.theme, theme_of(look))
        self.look = look
        super().__init__(driver_class)
        setattr(StylesCache, "get_inner_outer", staticmethod(GROUNDS))  # noqa: B010
        self._passed_over, self._until_s = tuple[str, ...](), 0.0
        self._near: Final = near
        self._set_classes(look)
        self.able = look if able is None else able
        _draw_with(look.glyphs)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """What the styles call `$frame`: the border that these characters can draw."""
        return {"frame": _FRAMES[self.look.glyphs]}

    @property
    def terminal(self) -> TerminalDriver | None:
        """None in a test without one."""
        return self._driver if isinstance(self._driver, TerminalDriver) else None

    def pass_over(self, *keys: str) -> None:
        """Ignore the next key if it is one of these and comes at once: the player means the screen
        that has closed by itself."""
        self._passed_over, self._until_s = keys, monotonic() + _TWICE_S

    async def on_event(self, event: Event) -> None:
        """Where no text is typed, a letter of another keyboard layout is the key that it is on. A
        key that comes before its screen has its widgets waits for them. Text for a line that has no
        focus moves the focus before the next key is sent anywhere, so none overtakes another."""
        if isinstance(event, Key):
            passed_over, self._passed_over = self._passed_over, ()
            if event.key in passed_over and monotonic() < self._until_s:
                return
            if not (self.screen_stack and self.screen.is_mounted):
                await self._screen_is_there()
            if not isinstance(self.focused, Input):
                event = meant(event, keymap_of(self).own)
        if isinstance(event, Key | Paste) and not event.is_forwarded:
            typing = isinstance(self.focused, Input)
            text = isinstance(event, Paste) or (event.is_printable and not typing)
            screen = self.screen if text and self.screen_stack else None
            if isinstance(screen, OurScreen):
                screen.set_focus(screen.line_for(event) or screen.focused)
        await super().on_event(event)

    async def _screen_is_there(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_COMPOSING_S):
                while self.is_running and self.screen_stack and not self.screen.is_mounted:  # noqa: ASYNC110
                    await asyncio.sleep(0)

    def set_title(self, title: str) -> None:
        """Set the title of the terminal's window; the old title comes back at the end."""
        if self.terminal is not None:
            self.terminal.set_title(title)

    def restyle(self, look: Look) -> None:
        """Draw everything in this look from now on."""
        before, self.look = self.look, look
        if look.glyphs is not before.glyphs:
            _draw_with(look.glyphs)
            self.refresh_css()
            self.call_later(self.say_again)
        self.theme = theme_of(look)
        self._set_classes(look)
        if self.terminal is not None:
            self.terminal.restyle(look)
        for screen in self.screen_stack:
            if isinstance(screen, OurScreen):
                screen.restyle(look)

    def _set_classes(self, look: Look) -> None:
        """What the styles ask of a look: whose colours."""
        self.set_class(look.ansi, "-ansi")
        self.set_class(self._near and not look.ansi, "-dims")

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Without Textual's own answer to NO_COLOR, which paints greys, and black on black after a
        change of theme. The look obeys NO_COLOR already."""
        filters = super().get_line_filters()
        return [one for one in filters if not isinstance(one, (Monochrome, NoColor))]

    def _handle_exception(self, error: Exception) -> None:
        """A screen that is being made while the app ends may fail for want of its widgets."""
        if self._exit:
            note(f"at the end: {error!r}")
        else:
            super()._handle_exception(error)

    def speak(self, code: str | None) -> None:
        """Use this language from now on; None: the environment's."""
        i18n.speak(code)
        self.call_later(self.say_again)

    async def say_again(self) -> None:
        """Write everything on the screens again, in the language of now."""
        for screen in self.screen_stack:
            if isinstance(screen, OurScreen):
                await screen.say_again()


def _draw_with(glyphs: GlyphSet) -> None:
    """Draw texts and scroll bars with these glyphs; a board is told its look."""
    draw_with(glyphs)
    bars_with(glyphs)


def meant(pressed: Key, own: Collection[str]) -> Key:
    """The key that a player with a Russian layout means; a letter of `own` keys is itself."""
    character = IN_ITS_PLACE.get(pressed.character or "")
    if character is None or pressed.key in own:
        return pressed
    return Key(key_from(character) or character, character)
