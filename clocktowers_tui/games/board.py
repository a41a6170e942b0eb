"""What the boards of all games do alike: a container of panes, one choice, and what is said of it.

A game's board is a `GameBoard` of its panes with the functions of its `choosing` and `sentences`:

- `scene.py`: the scene (what is to be seen), `PARTS` (a `Part` for each id), and `sight(scene,
  width, height, …)`, which arranges the parts, or None where the board is too small;
- `board.py`: `class Hand(Pane[Sight])` for each part, the bindings, and the methods marked below.

The board stages a scene for each view, hands every pane the sight of it, and gives a click on a
pane to `pick`. What a key does is a function of `choosing`: `self.take(choosing.move, 1)`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar

from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.content import Content
from textual.layout import Layout
from textual.widgets import Static

from clocktowers_tui.config.look import Look
from clocktowers_tui.games import arranging
from clocktowers_tui.games.advising import Advice, advice_in_words
from clocktowers_tui.games.face import Board, Together
from clocktowers_tui.games.motion import Motion, Playing, Shine, may_move
from clocktowers_tui.games.painting import Painting
from clocktowers_tui.games.pane import Pane, Plan
from clocktowers_tui.games.parts import Hit, Placed, Shared
from clocktowers_tui.games.scenes import Given, Staged, Step, Wishes
from clocktowers_tui.games.spans import Rect, measurable
from clocktowers_tui.games.surviving import guarded
from clocktowers_tui.text.i18n import _, language

_MARGINS: Final = 2
"""Cells beside a hint."""
_NEEDS: Final = "needs"
"""The id of what stands there instead of a board that is too small."""


Scene = TypeVar("Scene", bound=Staged)
Sight = TypeVar("Sight", bound=Placed)


class GameBoard(Board, Generic[Scene, Sight], can_focus=True):
    """See `Board`. The methods without a body, and the attributes, are the game's."""

    DEFAULT_CSS = f"""
    GameBoard {{ height: 1fr; width: 1fr; }}
    GameBoard > #{_NEEDS} {{ height: 1fr; width: 1fr; }}
    """

    TITLE: ClassVar[str]
    LEAST: ClassVar[tuple[int, int]]
    """The smallest board."""
    PAINTING: ClassVar[Painting[Any]]
    WISHES: ClassVar[Wishes | None] = None
    """None: the board has one layout only."""

    def __init_subclass__(cls, **how: Any) -> None:
        """Guard the keys."""
        super().__init_subclass__(**how)
        for name, method in [*vars(cls).items()]:
            if name.startswith("action_"):
                setattr(cls, name, guarded(None)(method))

    def __init__(self, look: Look, panes: Iterable[Pane[Sight]], layout: str = "") -> None:
        super().__init__()
        self.scene: Scene | None = None
        self._look = look
        self._panes = tuple(panes)
        self._needs = Static("", id=_NEEDS, markup=False)
        self._plan = Plan(self._arrange)
        self._arranged: Mapping[str, Rect] = {}
        self._drawn: tuple[Scene | None, str] = (None, "")
        """The scene that the panes show, and in which language."""
        self.motion: Motion[Any] = Motion(self.set_timer, self.redraw, lambda: may_move(self.app))
        self.wanted: Sequence[Any] | None = None
        """See `guide`."""
        self.wish: Any = self.WISHES.of(layout) if self.WISHES is not None else None

    # What a game says ---------------------------------------------------------------------------

    def staged(self, given: Given, before: Scene | None) -> Scene:
        """The scene for a new view; its selection is settled. `before`: the last scene."""
        raise NotImplementedError

    def seen(self, scene: Scene, look: Look, size: tuple[int, int]) -> Sight | None:
        """The sight of a scene on a board of this size; None: it is too small."""
        raise NotImplementedError

    def stepped_back(self, selection: Any) -> Any:
        """The selection without its last step; the same if there is none."""
        raise NotImplementedError

    def begun(self, view: Any) -> Any:
        """The selection that a choice begins with."""
        raise NotImplementedError

    def leads(self, scene: Scene, selection: Any, action: Any) -> bool:
        """Whether a selection is on the way from the scene's own to the action."""
        raise NotImplementedError

    def hinted(self, scene: Scene, room: int) -> str:
        """What may follow, in a hint of `room` cells if it can be said in so many."""
        raise NotImplementedError

    def advised(self, scene: Scene, action: Any) -> tuple[Any, Advice | None]:
        """The selection of an action that somebody else would take, and what to say of it; None:
        it is impossible."""
        raise NotImplementedError

    def remarked(self, scene: Scene, remark: Any) -> str:
        """Why a key did nothing."""
        raise NotImplementedError

    def offered(self, scene: Scene) -> Together:
        """The actions that lead somewhere now."""
        raise NotImplementedError

    def explained(self, scene: Scene) -> Iterable[str]:
        """What can be done, for the help."""
        raise NotImplementedError

    def pick(self, hit: Hit) -> None:
        """The player clicked on this, one of the game's own hits."""
        raise NotImplementedError

    def peak(self, before: Scene, scene: Scene) -> Any:
        """What has just happened that is worth a motion; None: nothing."""
        return None

    def shine(self, sight: Sight, peak: Any) -> Shine | None:
        """Where a peak is seen; None: not in this sight."""
        return None

    # Data down ----------------------------------------------------------------------------------

    @guarded(None)
    def show(
        self, view: Any, names: Sequence[str], *, waiting: bool, log: Sequence[str] = ()
    ) -> None:
        before = self.scene
        given = Given(view, tuple(map(measurable, names)), waiting, tuple(map(measurable, log)))
        self.scene = self.staged(given, before)
        if self.outlived(before, self.scene):
            self.hint()
        if before is not None and (peak := self.peak(before, self.scene)) is not None:
            self.motion.begin(peak)
        if (self.scene, language()) != self._drawn:
            self.redraw()

    def outlived(self, before: Scene | None, scene: Scene) -> bool:
        """Whether what was said last is no longer true."""
        return before is not None and before.selection != scene.selection

    def restyle(self, look: Look) -> None:
        self._look = look
        self.redraw()

    @guarded(())
    def actions_now(self) -> Together:
        return () if self.scene is None else self.offered(self.scene)

    @guarded(())
    def explain(self) -> Sequence[str]:
        return () if self.scene is None else list(self.explained(self.scene))

    async def still(self) -> None:
        await self.motion.ended()

    # Keys and mouse up --------------------------------------------------------------------------

    def on_key(self) -> None:
        """The player goes on."""
        self.motion.end()

    @guarded(None)
    def suggest(self, action: Any) -> None:
        scene = self.scene
        if scene is None or scene.waiting:
            return
        selection, advice = self.advised(scene, action)
        if advice is not None:
            self.change(selection=selection)
            self.tell(advice_in_words(advice))

    @guarded(None)
    def guide(self, wanted: Sequence[Any] | None) -> None:
        self.wanted = wanted
        if self.scene is not None:
            self.change(selection=self.begun(self.scene.view))

    @guarded(False)
    def step_back(self) -> bool:
        scene = self.scene
        if scene is None or scene.waiting:
            return False
        selection = self.stepped_back(scene.selection)
        if selection == scene.selection:
            return False
        self.change(selection=selection)
        self.hint()
        return True

    @guarded(None)
    def put_back(self) -> None:
        while self.scene is not None:
            selection = self.stepped_back(self.scene.selection)
            if selection == self.scene.selection:
                return
            self.change(selection=selection)

    def action_back(self) -> None:
        if not self.step_back():
            raise SkipAction  # the screen's own meaning of the key

    @guarded(None)
    def action_layout(self) -> None:
        """The next layout that fits."""
        if self.WISHES is None:
            return
        _known, needs, words = self.WISHES
        self.wish, skipped = arranging.after(needs, self.wish, *self.size)
        if self.scene is not None:
            self.change(wish=self.wish)
        self.tell(arranging.arranged(needs, self.wish, skipped, words))
        self.post_message(self.Arranged(self.wish))

    @guarded(None)
    def on_pane_picked(self, event: Pane.Picked) -> None:
        event.stop()
        if event.hit is Shared.LOG:
            self.post_message(self.LogWanted())
        else:
            self.pick(event.hit)

    @guarded(None)
    def take(self, choose: Callable[..., Step], *args: Any) -> None:
        """Let a function of `choosing` have its say, and tell what came of it."""
        scene = self.scene
        if scene is not None and not scene.waiting:
            self.follow(choose(scene.view, scene.selection, *args))

    def follow(self, step: Step) -> None:
        """Show a step, and send its action."""
        if self._strays(step):
            self.post_message(self.Strayed())
            return
        scene = self.change(selection=step.selection, waiting=step.action is not None)
        if step.action is not None:
            self.post_message(self.Chosen(step.action))
        elif step.remark is not None:
            self.tell(self.remarked(scene, step.remark))
        else:
            self.hint()

    def _strays(self, step: Step) -> bool:
        if self.wanted is None or self.scene is None:
            return False
        if step.action is not None:
            return step.action not in self.wanted
        led = (self.leads(self.scene, step.selection, action) for action in self.wanted)
        return step.remark is not None or not any(led)

    def change(self, **changes: Any) -> Scene:
        """Show the scene with these changes."""
        assert self.scene is not None
        self.scene = self.scene._replace(**changes)
        self.redraw()
        return self.scene

    def hint(self) -> None:
        """Say what may follow."""
        if self.scene is not None:
            self.tell(self.hinted(self.scene, self.size.width - _MARGINS))

    def tell(self, sentence: str) -> None:
        self.post_message(self.Hint(sentence))

    # Drawing ------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield from self._panes
        yield self._needs

    @property
    def layout(self) -> Layout:
        return self._plan

    def on_resize(self) -> None:
        self.redraw()

    @guarded(None)
    def redraw(self) -> None:
        """Have every pane draw the scene."""
        size = self.size
        if self.scene is None or not size:
            return
        self._drawn = (self.scene, language())
        sight = self.seen(self.scene, self._look, size)
        if _places(sight, size) != self._arranged:
            self._needs.refresh(layout=True)  # of a child: Textual keeps a board's own arrangement
        if sight is None:
            self._needs.update(Content(self._too_small()))
            return
        inks = self.PAINTING.styles(self._look)
        peak, step = self.motion.peak, self.motion.step
        shine = None if peak is None else self.shine(sight, peak)
        for pane in self._panes:
            playing = Playing(shine, step) if shine and shine.part == pane.id else None
            pane.show(sight, inks, playing)

    @guarded({})
    def _arrange(self, size: tuple[int, int]) -> Mapping[str, Rect]:
        """Where everything stands on a board of this size, from now on."""
        if self.scene is not None:
            self._arranged = _places(self.seen(self.scene, self._look, size), size)
        return self._arranged

    def _too_small(self) -> str:
        """That the board needs `LEAST`; in cells of the terminal, because that is what the player
        can change."""
        has, own, least = self.app.size, self.size, self.LEAST
        return _("{game} needs a terminal of {needs}, this one has {has}.").format(
            game=_(self.TITLE),
            needs=f"{has.width - own.width + least[0]}x{has.height - own.height + least[1]}",
            has=f"{has.width}x{has.height}",
        )


def _places(sight: Placed | None, size: tuple[int, int]) -> Mapping[str, Rect]:
    return {_NEEDS: Rect(0, 0, *size)} if sight is None else sight.places
