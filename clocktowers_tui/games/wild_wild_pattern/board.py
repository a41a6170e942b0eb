"""The one widget of the match screen's slot: it draws the scene and turns keys into actions.

Laws: a shot is sent at once, by one key; but a key that was meant for a race and comes when the
board has just changed does nothing. Names and log are drawn as plain text.
"""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import ClassVar, Final

from textual import events
from textual.binding import BindingType

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.advising import advice_in_words
from clocktowers_tui.games.canvas import Canvas
from clocktowers_tui.games.face import Together
from clocktowers_tui.games.painting import Inks
from clocktowers_tui.games.spans import Block, measurable
from clocktowers_tui.games.wild_wild_pattern import choosing, hinting, selecting, sentences
from clocktowers_tui.games.wild_wild_pattern.actions import (
    BANK,
    CLICK,
    COLOURS,
    DIRECTIONS,
    PASS,
    PLACES,
    SUITS,
)
from clocktowers_tui.games.wild_wild_pattern.choosing import Step
from clocktowers_tui.games.wild_wild_pattern.glyphs import GLYPHS
from clocktowers_tui.games.wild_wild_pattern.keys import actions_beside, actions_now
from clocktowers_tui.games.wild_wild_pattern.layout import LEAST
from clocktowers_tui.games.wild_wild_pattern.offers import Remark, Task, task
from clocktowers_tui.games.wild_wild_pattern.paints import PAINTING
from clocktowers_tui.games.wild_wild_pattern.scene import Spot, draw, hit
from clocktowers_tui.games.wild_wild_pattern.selecting import Selection
from clocktowers_tui.games.wild_wild_pattern.sentences import explain, remark
from clocktowers_tui.games.wild_wild_pattern.sight import Scene, Sheet
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import Action, Phase, View
from protocol.games.wild_wild_pattern.cards import FIRST_COLOUR, FIRST_SUIT

_MEANT_S: Final = 0.4
"""So long after the board has changed a key was meant for what stood there before."""

_PASSING: Final = frozenset(Remark) - {Remark.TOO_LATE, Remark.TOO_SOON}
"""Remarks that are no longer true once something else is asked; the others tell what happened."""

_RACES: Final = (Phase.RACE, Phase.CLICKED)


class WildWildPatternBoard(Canvas, can_focus=True):
    """See `Board`. `now_s`: a clock that only goes forward."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bound(action, f"digit({n})") for n, action in enumerate(PLACES)),
        bound(CLICK, "click"),
        bound(PASS, "decline"),
        *(bound(action, f"direction({n})") for n, action in enumerate(DIRECTIONS)),
        *(bound(action, f"feature({n})") for n, action in enumerate(COLOURS, FIRST_COLOUR)),
        *(bound(action, f"feature({n})") for n, action in enumerate(SUITS, FIRST_SUIT)),
        bound(BANK, "bank"),
        bound(actions.LEFT, "move(-1, 0)"),
        bound(actions.RIGHT, "move(1, 0)"),
        bound(actions.UP, "move(0, -1)"),
        bound(actions.DOWN, "move(0, 1)"),
        *(bound(action, "confirm") for action in (actions.CONFIRM, actions.CHOOSE)),
        bound(actions.BACK, "back"),
    ]

    def __init__(self, look: Look, now_s: Callable[[], float] = monotonic) -> None:
        super().__init__(look)
        self._now_s = now_s
        self._scene: Scene | None = None
        self._meant_until_s = 0.0
        self._remark: Remark | None = None
        """Why the last key did nothing, while that is shown."""

    # Data down ---------------------------------------------------------------------------------

    def show(
        self, view: View, names: Sequence[str], *, waiting: bool, log: Sequence[str] = ()
    ) -> None:
        before = self._scene
        selection = selecting.settle(
            view, before.view if before else None, before.selection if before else selecting.NOTHING
        )
        if before is not None and _surprises(view, before.view):
            self._meant_until_s = self._now_s() + _MEANT_S
        self._scene = Scene(
            view,
            tuple(map(measurable, names)),
            selection,
            waiting,
            tuple(map(measurable, log)),
            sheet=_sheet(view, before),
            top=before.top if before else 0,
        )
        if before is not None and self._outlived(view, before, selection):
            self._hint(view, selection)
        if before is not None and _was_overtaken(view, before.view):
            self._remark = None
            self.post_message(self.Hint(remark(Remark.TOO_LATE, self.keymap)))
        self.redraw()

    def _outlived(self, view: View, before: Scene, selection: Selection) -> bool:
        """Whether what was said last is no longer true."""
        passing = self._remark in _PASSING and _asks_anew(view, before.view)
        return passing or before.selection != selection

    def actions_now(self) -> Together:
        if self._scene is None:
            return ()
        if self._scene.sheet is not None:
            return actions_beside(self._scene.sheet)
        return actions_now(self._scene.view, self._scene.selection)

    def explain(self) -> Sequence[str]:
        return () if self._scene is None else list(explain(self._scene.view, self.keymap))

    def suggest(self, action: Action) -> None:
        scene = self._scene
        if scene is None or scene.waiting:
            return
        self._scene = scene._replace(sheet=None)
        self._select(hinting.towards(scene.view, scene.selection, action))
        found = hinting.advice(scene.view, action, self.keymap)
        self.post_message(self.Hint(advice_in_words(found)))

    def step_back(self) -> bool:
        scene = self._scene
        if scene is None:
            return False
        if scene.sheet is not None:
            self._lay_sheet(None)
            return True
        selection = selecting.back(scene.selection)
        if scene.waiting or selection == scene.selection:
            return False
        self._select(selection)
        self._hint(scene.view, selection)
        return True

    # Keys and mouse up -------------------------------------------------------------------------

    def action_digit(self, number: int) -> None:
        self._take(choosing.digit, number)

    def action_click(self) -> None:
        self._take(choosing.click)

    def action_decline(self) -> None:
        self._take(choosing.decline)

    def action_direction(self, number: int) -> None:
        self._take(choosing.direction, number)

    def action_feature(self, number: int) -> None:
        self._take(choosing.feature, number)

    def action_move(self, across: int, down: int) -> None:
        if self._scene is not None and self._scene.sheet is not None:
            self._scene = self._scene._replace(top=max(0, self._scene.top + across + down))
            self.redraw()
            return
        self._take(choosing.move, across, down)

    def action_confirm(self) -> None:
        if self._scene is not None and self._scene.sheet is not None:
            self._lay_sheet(None)
            return
        self._take(choosing.confirm)

    def action_bank(self) -> None:
        """One sheet after the other; behind the last one lies the board."""
        if self._scene is not None:
            paid = [Sheet.PAID] if self._scene.view.bank else []
            order = [None, *paid, Sheet.PRICES, None]
            self._lay_sheet(order[order.index(self._scene.sheet) + 1])

    def on_click(self, event: events.Click) -> None:
        scene = self._scene
        if scene is None:
            return
        found = hit(scene, self.size, (event.x, event.y), GLYPHS[self._look.glyphs])
        if found is None:
            return
        match found.what:
            case Spot.SHEET:
                self._lay_sheet(None)
            case Spot.LOG:
                self.post_message(self.LogWanted())
            case Spot.READY:
                self.action_confirm()
            case Spot.PLACE | Spot.OFFER:
                self._take(choosing.point, found.offer)

    def _lay_sheet(self, sheet: Sheet | None) -> None:
        assert self._scene is not None
        self._scene = self._scene._replace(sheet=sheet, top=0)
        self.redraw()
        self.post_message(self.Hint(""))

    def _take(self, choose: Callable[..., Step], *args: object) -> None:
        """Let a function of `choosing` have its say, and tell what came of it."""
        scene = self._scene
        if scene is None or scene.waiting:
            return
        if scene.sheet is not None:
            self._lay_sheet(None)
            return
        step = choose(scene.view, scene.selection, *args)
        self._remark = step.remark
        if step.action is not None and self._now_s() < self._meant_until_s:
            step = Step(scene.selection, remark=Remark.TOO_SOON)
        self._select(step.selection, waiting=step.action is not None)
        if step.action is not None:
            self.post_message(self.Chosen(step.action))
        elif step.remark is not None:
            self.post_message(self.Hint(remark(step.remark, self.keymap)))
        else:
            self._hint(scene.view, step.selection)

    def _hint(self, view: View, selection: Selection) -> None:
        self._remark = None
        self.post_message(self.Hint(sentences.hint(view, selection, self.keymap)))

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
        found = draw(self._scene, width, height, GLYPHS[self._look.glyphs], self.keymap)
        return self.too_small(_("Wild Wild Pattern"), LEAST) if found is None else found


def _surprises(view: View, before: View) -> bool:
    """Whether the meaning of a digit has changed without the player's doing, or just after it."""
    if view.phase is before.phase and task(view) is task(before):
        return False
    asked = task(view) in (Task.TAKE, Task.CHALLENGE, Task.LAY)
    return asked or (view.phase is Phase.CLICKED and before.phase is Phase.RACE)


def _was_overtaken(view: View, before: View) -> bool:
    """Whether the player's shot or Click! arrived, and somebody else's was earlier."""
    if before.aimed is None or view.aimed is not None:
        return False
    first = {Phase.DECLARE: view.acting, Phase.CLICKED: view.clicker}.get(view.phase)
    return first is not None and first != view.seat


def _asks_anew(view: View, before: View) -> bool:
    """Whether something else is asked of one than before."""
    return task(view) is not task(before)


def _sheet(view: View, before: Scene | None) -> Sheet | None:
    """What the Bank has paid is shown as soon as it has; any sheet makes way for the next race and
    for what the player has to do; a new match knows of no visit yet."""
    if before is None or view.phase in _RACES:
        return None
    if _asks_anew(view, before.view) and task(view) not in (Task.NOTHING, Task.READY):
        return None
    if view.bank != before.view.bank:
        return Sheet.PAID if view.bank else None
    return before.sheet
