"""The one widget of the match screen's slot: it draws the scene and turns keys into actions.

Laws: names and log are drawn as plain text; colours come from `paints`, none at all under NO_COLOR.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from textual import events
from textual.binding import BindingType

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.advising import advice_in_words
from clocktowers_tui.games.architetti_attenti import choosing, hinting, sentences
from clocktowers_tui.games.architetti_attenti.actions import LAYOUT, OTHERS, TILES, TURN
from clocktowers_tui.games.architetti_attenti.choosing import NOTHING, Selection, Step
from clocktowers_tui.games.architetti_attenti.glyphs import GLYPHS
from clocktowers_tui.games.architetti_attenti.keys import actions_now
from clocktowers_tui.games.architetti_attenti.layout import LEAST, Arrangement, after
from clocktowers_tui.games.architetti_attenti.news import looked_at, news
from clocktowers_tui.games.architetti_attenti.paints import PAINTING
from clocktowers_tui.games.architetti_attenti.scene import Hit, draw, hit
from clocktowers_tui.games.architetti_attenti.sentences import explain
from clocktowers_tui.games.architetti_attenti.side import Spot
from clocktowers_tui.games.architetti_attenti.sight import Scene, home, shown_seat
from clocktowers_tui.games.canvas import Canvas
from clocktowers_tui.games.face import Together
from clocktowers_tui.games.painting import Inks
from clocktowers_tui.games.spans import Block, measurable
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.text.i18n import _
from protocol.games.architetti_attenti import Action, View

_MARGINS: Final = 2
"""Cells beside a hint."""


class ArchitettiAttentiBoard(Canvas, can_focus=True):
    """See `Board`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bound(action, f"tile({n})") for n, action in enumerate(TILES, 1)),
        bound(actions.LEFT, "move(-1, 0)"),
        bound(actions.RIGHT, "move(1, 0)"),
        bound(actions.UP, "move(0, -1)"),
        bound(actions.DOWN, "move(0, 1)"),
        bound(TURN, "turn"),
        *(bound(action, "confirm") for action in (actions.CONFIRM, actions.CHOOSE)),
        bound(actions.BACK, "back"),
        bound(OTHERS, "others"),
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
            _still_looking_at(view, before),
            self._wish,
        )
        came_back = before is None and selection.ghost is not None
        if came_back or (before is not None and before.selection != selection):
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

    def suggest(self, action: Action) -> None:
        scene = self._scene
        if scene is None or scene.waiting:
            return
        selection = hinting.towards(scene.view, scene.selection, action)
        if (found := hinting.advice(scene.view, selection)) is not None:
            self._scene = scene._replace(looking=None)
            self._select(selection)
            self.post_message(self.Hint(advice_in_words(found)))

    def step_back(self) -> bool:
        scene = self._scene
        if scene is None:
            return False
        if scene.looking is not None:
            self._look_at(None)
            return True
        selection = choosing.back(scene.selection)
        if scene.waiting or selection == scene.selection:
            return False
        self._select(selection)
        self.post_message(self.Hint(""))
        return True

    # Keys and mouse up -------------------------------------------------------------------------

    def action_tile(self, position: int) -> None:
        self._take(choosing.take_up, position)

    def action_move(self, across: int, down: int) -> None:
        self._take(choosing.move, across, down)

    def action_turn(self) -> None:
        self._take(choosing.turn)

    def action_confirm(self) -> None:
        self._take(choosing.confirm)

    def action_others(self) -> None:
        scene = self._scene
        if scene is None:
            return
        seats = len(scene.view.boards)
        if seats == 1:
            self.post_message(self.Hint(sentences.alone()))
            return
        self._look_at((shown_seat(scene) + 1) % seats)

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
        if found is not None:
            self._pointed(found)

    def _pointed(self, found: Hit) -> None:
        match found.what:
            case Spot.LOG:
                self.post_message(self.LogWanted())
            case Spot.PLAYER:
                self._look_at(found.number)
            case Spot.TILE:
                self._take(choosing.take_up, found.number)
            case Spot.CELL:
                self._take(choosing.point, found.number)

    def _look_at(self, seat: int | None) -> None:
        """Show the board of a seat; the player's own for None."""
        if self._scene is None:
            return
        away = None if seat == home(self._scene.view) else seat
        self._scene = self._scene._replace(looking=away)
        self.redraw()
        if away is None:
            self._hint(self._scene.view, self._scene.selection)
        else:
            scene = self._scene
            told = sentences.whose(scene.view, scene.names, away, self.keymap, self._room)
            self.post_message(self.Hint(told))

    def _take(self, choose: Callable[..., Step], *args: object) -> None:
        """Call a function of `choosing`, and tell the result. It concerns the player's own board:
        if another is shown, a key only brings the player's own back."""
        scene = self._scene
        if scene is None or scene.waiting:
            return
        if scene.looking is not None and scene.selection.stage is not choosing.Stage.NOTHING:
            self._look_at(None)
            return
        step = choose(scene.view, scene.selection, *args)
        self._select(step.selection, waiting=step.action is not None)
        if step.action is not None:
            self.post_message(self.Chosen(step.action))
        elif step.remark is not None:
            said = sentences.remark(step.remark, scene.view, step.selection, self.keymap)
            self.post_message(self.Hint(said))
        else:
            self._hint(scene.view, step.selection)

    @property
    def _room(self) -> int:
        """Cells for a hint."""
        return self.size.width - _MARGINS

    def _hint(self, view: View, selection: Selection) -> None:
        self.post_message(self.Hint(sentences.hint(view, selection, self.keymap, self._room)))

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
        return self.too_small(_("Architetti Attenti"), LEAST) if found is None else found


def _still_looking_at(view: View, before: Scene | None) -> int | None:
    """The player's turn brings their own board back; so does a table with fewer seats."""
    if before is None or before.looking is None or before.looking >= len(view.boards):
        return None
    begins = view.seat is not None and view.turn == view.seat != before.view.turn
    return None if begins else before.looking
