"""The one widget of the match screen's slot: it draws the scene and turns keys into actions.

Laws: names and log are drawn as plain text; colours come from `paints`, none at all under
NO_COLOR.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from textual import events
from textual.binding import BindingType

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.canvas import Canvas, Inks
from clocktowers_tui.games.clocktowers import choosing, sentences
from clocktowers_tui.games.clocktowers.actions import DISCARD, LAYOUT, NEW_TOWER, NUMBERS, PILES
from clocktowers_tui.games.clocktowers.choosing import NOTHING, Selection, Step
from clocktowers_tui.games.clocktowers.glyphs import GLYPHS
from clocktowers_tui.games.clocktowers.keys import actions_now
from clocktowers_tui.games.clocktowers.layout import LEAST, Arrangement, after
from clocktowers_tui.games.clocktowers.marks import NEW
from clocktowers_tui.games.clocktowers.news import looked_at, news
from clocktowers_tui.games.clocktowers.paints import PAINTING
from clocktowers_tui.games.clocktowers.scene import Hit, Scene, Spot, draw, hit
from clocktowers_tui.games.clocktowers.sentences import explain
from clocktowers_tui.games.face import Together
from clocktowers_tui.games.spans import Block, measurable
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.text.i18n import _
from protocol.games.clocktowers import View

_MARGINS: Final = 2
"""Cells beside a hint."""


class ClocktowersBoard(Canvas, can_focus=True):
    """See `Board`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bound(action, f"number({n})") for n, action in enumerate(NUMBERS)),
        *(bound(action, f"pile({n})") for n, action in enumerate(PILES)),
        *(bound(action, "move(-1)") for action in (actions.LEFT, actions.UP)),
        *(bound(action, "move(1)") for action in (actions.RIGHT, actions.DOWN)),
        *(bound(action, "confirm") for action in (actions.CONFIRM, actions.CHOOSE)),
        bound(NEW_TOWER, "new_tower"),
        bound(DISCARD, "discard"),
        bound(actions.BACK, "back"),
        bound(LAYOUT, "layout"),
    ]

    def __init__(self, look: Look, layout: str = "") -> None:
        super().__init__(look)
        known = layout in list(Arrangement)
        self._wish = Arrangement(layout) if known else Arrangement.AUTOMATIC
        self._scene: Scene | None = None
        self._since: View | None = None
        """What the player saw at the end of their last turn."""

    # Data down ---------------------------------------------------------------------------------

    def show(
        self, view: View, names: Sequence[str], *, waiting: bool, log: Sequence[str] = ()
    ) -> None:
        before = self._scene
        selection = choosing.settle(
            view, before.view if before else None, before.selection if before else NOTHING
        )
        self._since = looked_at(view, before.view if before else None, self._since)
        self._scene = Scene(
            view,
            tuple(map(measurable, names)),
            selection,
            waiting,
            tuple(map(measurable, log)),
            news(view, self._since),
            self._wish,
        )
        if before is not None and before.selection != selection:
            self._hint(view, selection)
        self.redraw()

    def actions_now(self) -> Together:
        if self._scene is None:
            return ()
        return actions_now(self._scene.view, self._scene.selection)

    def explain(self) -> Sequence[str]:
        if self._scene is None:
            return ()
        return list(explain(self._scene.view, self._scene.selection, self.keymap))

    def step_back(self) -> bool:
        if self._scene is None or self._scene.waiting:
            return False
        selection = choosing.back(self._scene.selection)
        if selection == self._scene.selection:
            return False
        self._select(selection)
        self.post_message(self.Hint(""))
        return True

    # Keys and mouse up -------------------------------------------------------------------------

    def action_number(self, chosen: int) -> None:
        self._take(choosing.number, chosen)

    def action_pile(self, pile: int) -> None:
        self._take(choosing.pick_pile, pile)

    def action_move(self, step: int) -> None:
        self._take(choosing.move, step)

    def action_new_tower(self) -> None:
        self._take(choosing.pick_tower, NEW)

    def action_discard(self) -> None:
        self._take(choosing.discard)

    def action_confirm(self) -> None:
        self._take(choosing.confirm)

    def action_layout(self) -> None:
        self._wish, skipped = after(self._wish, self.size.width, self.size.height)
        if self._scene is not None:
            self._scene = self._scene._replace(wish=self._wish)
        self.redraw()
        self.post_message(self.Hint(sentences.arranged(self._wish, skipped)))
        self.post_message(self.Arranged(self._wish))

    def on_click(self, event: events.Click) -> None:
        if self._scene is None:
            return
        glyphs = GLYPHS[self._look.glyphs]
        found = hit(self._scene, *self.size, event.x, event.y, glyphs)
        if found is not None and found.what is Spot.LOG:
            self.post_message(self.LogWanted())
        elif found is not None:
            self._take(_pointed, found)

    def _take(self, choose: Callable[..., Step], *args: object) -> None:
        """Let a function of `choosing` have its say, and tell what came of it."""
        scene = self._scene
        if scene is None or scene.waiting:
            return
        step = choose(scene.view, scene.selection, *args)
        self._select(step.selection, waiting=step.action is not None)
        if step.action is not None:
            self.post_message(self.Chosen(step.action))
        elif step.remark is not None:
            self.post_message(self.Hint(sentences.remark(step.remark, self.keymap)))
        else:
            self._hint(scene.view, step.selection)

    def _hint(self, view: View, selection: Selection) -> None:
        room = self.size.width - _MARGINS
        self.post_message(self.Hint(sentences.hint(view, selection, self.keymap, room)))

    def _select(self, selection: Selection, *, waiting: bool = False) -> None:
        assert self._scene is not None
        self._scene = self._scene._replace(selection=selection, waiting=waiting)
        self.redraw()

    # Drawing -----------------------------------------------------------------------------------

    def inks(self) -> Inks:
        return PAINTING.styles(self._look)

    def drawn(self, width: int, height: int) -> Block | None:
        if self._scene is None:
            return None
        found = draw(self._scene, width, height, GLYPHS[self._look.glyphs])
        return self.too_small(_("Clocktowers"), LEAST) if found is None else found


def _pointed(view: View, selection: Selection, found: Hit) -> Step:
    """A click: picks, and on what is picked already confirms."""
    if found.what is Spot.PILE:
        return choosing.point_pile(view, selection, found.number)
    if found.what is Spot.CARD:
        return choosing.pick_card(view, selection, found.number)
    return choosing.point_tower(view, selection, found.number)
