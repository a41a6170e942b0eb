"""The base of all our screens: a last line of keys, help, a palette, no repaint for a focus
move."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, Final, TypeVar

from textual import on
from textual._compositor import Compositor, ReflowResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.events import Event, Idle, Key, Paste, Resize, ScreenResume, ScreenSuspend
from textual.geometry import Size
from textual.messages import Prune
from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, Static

from clocktowers_tui.config.look import Look
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Deed, bound
from clocktowers_tui.keys.keymap import Keymap, keymap_of
from clocktowers_tui.screens.bound_actions import (
    BoundAction,
    KeyLine,
    Keys,
    bound_actions,
    for_palette,
    keys_in_help,
    keys_in_line,
)
from clocktowers_tui.state import store
from clocktowers_tui.widgets.panel import Scrolled

Returned = TypeVar("Returned")
PLACES_CSS: Final = str(Path(__file__).parents[1] / "app" / "styles" / "places.tcss")
"""The styles of all screens but the menu."""
_FRAME_S: Final = 1 / 60
_TURNS: Final = 4
"""A message takes so many turns of the loop from a widget by way of its screen to another widget,
and back."""


MOVES: Final = (bound(actions.UP, "app.focus_previous"), bound(actions.DOWN, "app.focus_next"))
"""The arrows of a form."""
FORM: Final = (*MOVES, bound(actions.FIRST, "end(0)"), bound(actions.LAST, "end(-1)"))


class OwnCompositor(Compositor):
    """It lays out for a layout alone. Textual's lays out within a paint, too, when a widget without
    a place has changed; then the layout that is due finds nothing new, and no widget hears of its
    new size."""

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        found = super().reflow(parent, size)
        self._full_map_invalidated = False
        return found

    def update_widgets(self, widgets: set[Widget]) -> None:
        super().update_widgets(widgets & self.visible_widgets.keys())


# Textual's own bindings have no ids, so no keymap would reach them.
class OurScreen(Screen[Returned], inherit_bindings=False):
    """`keys`: what stands in the last line; `about` and `help_keys`: what the help says."""

    deeds: ClassVar[Sequence[Deed]] = ()
    CSS_PATH = PLACES_CSS  # an app that begins with the menu reads it later

    # Textual repaints the whole screen when the focus moves; the widgets repaint themselves.
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.NEXT, "app.focus_next"),
        bound(actions.PREVIOUS, "app.focus_previous"),
        bound(actions.HELP, "app.help", shown=True),
        bound(actions.PALETTE, "app.palette"),
        bound(actions.THEME, "app.next_palette(1)"),
        bound(actions.THEME_BEFORE, "app.next_palette(-1)"),
        bound(actions.SETTINGS, "app.settings"),
    ]

    _bound: Sequence[BoundAction] | None = None
    """What the keys did when somebody asked last; None: something has changed since."""
    _lies_unsized = False
    """Composed again below another screen: its widgets have no size until it comes up."""
    _keys_due = False
    _paint_due = False
    _waits_since_s = 0.0
    """0: it does not wait."""
    _styled_for: Any = None
    """The app's look when the styles of all widgets were last right."""

    def __init__(self, *, name: str | None = None) -> None:
        super().__init__(name=name)
        self._compositor = OwnCompositor()

    def on_mount(self) -> None:
        self.bindings_updated_signal.subscribe(self, lambda _screen: self._ask_again())
        if self.stands:
            self.begin()
            self.arrive()

    @property
    def stands(self) -> bool:
        """Whether all that lies in it is mounted. A screen may be closed before that."""
        return bool(self.children) and all(child.is_mounted for child in self.children)

    async def on_event(self, event: Event) -> None:
        if not isinstance(event, Resize) or self.stands:
            await super().on_event(event)

    @on(Prune)
    def _end_tasks(self) -> None:
        """Its tasks end before what lies in it goes; Textual ends them after that."""
        self.workers.cancel_node(self)

    def arrive(self) -> None:
        """Once, when all has begun: where the keys are, what is asked for first."""

    def begin(self) -> None:
        """Fill in what `compose` leaves empty, in the language of now."""

    def show(self, state: "store.State") -> None:
        """Show this state, the newest, also while something lies on top."""

    def show_text(self, part: str, text: str) -> None:
        """What is empty takes no row."""
        for shown in self.query(f"#{part}").results(Static):
            if text != shown.content:
                shown.update(text)
            shown.display = bool(text)

    def line_for(self, event: Key | Paste) -> Input | None:
        """The line that takes this text, which is printable, though the focus is on no line."""
        return None

    def on_resize(self) -> None:
        """Lay out for the size of now."""

    @on(ScreenResume)
    def _come_up(self, event: ScreenResume) -> None:
        """Textual would style all widgets again, which takes longer than all else."""
        look = getattr(self.app, "look", None)
        event.refresh_styles = self._styled_for not in (None, look)
        self._styled_for = look
        if self._lies_unsized:
            self._lies_unsized = False
            self.on_resize()
        self._ask_again()

    @on(ScreenSuspend)
    def _go_below(self) -> None:
        self._styled_for = getattr(self.app, "look", None)

    def _compositor_refresh(self) -> None:
        """Textual paints after each layout, of which a new screen goes through several, and paints
        the first change of a key a frame before all others. Here a paint waits for what comes with
        it, but for the very first."""
        if self.is_active and self.app._dom_ready:
            self._paint_due = True
            self.check_idle()
        else:
            super()._compositor_refresh()

    async def on_idle(self, event: Idle) -> None:
        """Paint, when the screen has heard nothing for some turns of the loop."""
        self._waits_since_s = self._waits_since_s or monotonic()
        for _turn in range(_TURNS):
            await asyncio.sleep(0)
            if self.message_queue_size and monotonic() < self._waits_since_s + _FRAME_S:
                event.prevent_default()  # more has come: the screen idles again behind it
                return
        self._waits_since_s = 0.0
        if self._keys_due and self.is_active and (lines := self.query(KeyLine)):
            self._keys_due = False
            game, own = self.game_keys(), self.keys()
            for line in lines:
                line.show(game or own, own if game else ())
        if self._paint_due and self.is_current and not self.app._batch_count:
            self._paint_due = False
            # What has changed since Textual asked for this paint: it forgets that with the rest.
            self._compositor.update_widgets(self._dirty_widgets)
            super()._compositor_refresh()

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """As Textual's, but not for a screen that has gone meanwhile: the next would do it."""

        def unless_gone() -> Any:
            return callback(*args, **kwargs) if self in self.app.screen_stack else None

        return super().call_after_refresh(unless_gone)

    def dismiss(self, result: Returned | None = None) -> AwaitComplete:
        """Close, once: a second key of those that come together would close the screen below."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    @property
    def keymap(self) -> Keymap:
        """The keys in force."""
        return keymap_of(self.app)

    @property
    def bound(self) -> Sequence[BoundAction]:
        """Textual's `active_bindings` by actions, asked for once and after each `refresh_bindings`:
        it asks `check_action` for every key."""
        if self._bound is None:
            self._bound = bound_actions(self, self.deeds)
        return self._bound

    def keys(self) -> Keys:
        return keys_in_line(self.bound, self.short_words())

    def short_words(self) -> dict[Action, str]:
        """What the key line calls them, where that is something else than in the help."""
        return {}

    def _ask_again(self) -> None:
        self._bound = None
        self.show_keys()

    def show_keys(self) -> None:
        """Show the keys of now, once for all changes of a moment."""
        self._keys_due = True
        self.check_idle()

    def restyle(self, look: Look) -> None:
        """Draw in the new colours or characters what the styles do not."""

    async def say_again(self) -> None:
        """Speak the new language; sentences that were handed in stay as they are."""
        from clocktowers_tui.widgets.field import recompose

        await recompose(self)
        self.begin()
        self.refresh_bindings()
        self._lies_unsized = not self.is_active
        if self.is_active:
            self.on_resize()

    def game_keys(self) -> Keys:
        """A game's entries, which stand before the screen's own."""
        return ()

    def action_end(self, which: int) -> None:
        """Go to the first row or the last."""
        self.focus_chain[which].focus()

    def action_scroll(self, lines: int) -> None:
        self.query_one(Scrolled).action_scroll(lines)

    def action_turn(self, pages: int) -> None:
        self.query_one(Scrolled).action_turn(pages)

    # Help and palette ---------------------------------------------------------------------------

    def about(self) -> Sequence[str]:
        """Sentences on what the focus is on, and how it is used now, as it says of itself."""
        said: Sequence[str] = getattr(self.focused, "explain", tuple)()
        return said

    def goal(self) -> Sequence[str]:
        """Sentences on what the game is about."""
        return ()

    def help_keys(self) -> Keys:
        """The actions that the help lists."""
        return keys_in_help(self.bound)

    def help_notes(self) -> Sequence[str]:
        """Lines below the keys in the help."""
        return ()

    def palette_actions(self) -> Sequence[BoundAction]:
        """The actions that the palette lists."""
        return for_palette(self.bound)
