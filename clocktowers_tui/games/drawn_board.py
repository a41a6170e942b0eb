"""A board as it is drawn: the scene of the newest view, on panes where they have room."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar

from textual.app import ComposeResult
from textual.content import Content
from textual.layout import Layout
from textual.widgets import Static

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.arranging import LEAST, Layouts
from clocktowers_tui.games.board_widget import Board
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.motion import Motion, Playing, Shine, may_move
from clocktowers_tui.games.painting import PLAIN, Painting
from clocktowers_tui.games.pane import Pane, Plan
from clocktowers_tui.games.parts import Part, Placed, PlainSight
from clocktowers_tui.games.scenes import UNTAUGHT, Given, PlainScene, Staged, Taught
from clocktowers_tui.games.spans import Rect, measurable
from clocktowers_tui.text.i18n import _, language

_NEEDS: Final = "needs"
"""The id of what stands there instead of a board that is too small."""


Scene = TypeVar("Scene", bound=Staged)
Sight = TypeVar("Sight", bound=Placed)


class DrawnBoard(Board, Generic[Scene, Sight], can_focus=True):
    """See `GameBoard`. The attributes are the game's, and what it says otherwise of the methods."""

    DEFAULT_CSS = f"""
    DrawnBoard {{ height: 1fr; width: 1fr; }}
    DrawnBoard > #{_NEEDS} {{ height: 1fr; width: 1fr; }}
    """

    FACE: ClassVar[Face]
    LEAST: ClassVar[tuple[int, int]] = LEAST
    """The smallest board."""
    PARTS: ClassVar[Mapping[str, Part[Any]]]
    """Each has a pane, by the id of which the rest of the program knows it."""
    PANES: ClassVar[Mapping[str, type[Pane[Any]]]] = {}
    """Those that take more than clicks."""
    PAINTING: ClassVar[Painting[Any]] = PLAIN
    LAYOUTS: ClassVar[type[Layouts] | None] = None
    """None: the board has one layout only."""

    def __init__(self, look: Look, layout: str = "") -> None:
        super().__init__()
        self.scene: Scene | None = None
        self.taught: Taught = UNTAUGHT
        """See `Board.guide`, `seek` and `hide`."""
        self._look = look
        self._panes = [
            self.PANES.get(name, Pane)(part, id=name) for name, part in self.PARTS.items()
        ]
        self._needs = Static("", id=_NEEDS, markup=False)
        self._plan = Plan(self.arranged)
        self._arranged: Mapping[str, Rect] = {}
        self._drawn: tuple[Scene | None, str] = (None, "")
        """The scene that the panes show, and in which language."""
        self.motion: Motion[Any] = Motion(self.set_timer, self.redraw, lambda: may_move(self.app))
        self.wish: Any = self.LAYOUTS.of(layout) if self.LAYOUTS is not None else None

    # What a game says ---------------------------------------------------------------------------

    def staged(self, given: Given, before: Scene | None) -> Scene:
        """The scene for a new view; its selection is settled. `before`: the last scene."""
        scene: Any = PlainScene(given.view, given.names, None, given.waiting, given.log)
        return scene  # type: ignore[no-any-return]

    def placed(self, scene: Scene, size: tuple[int, int]) -> Mapping[str, Rect]:
        """Where each part stands on a board of this size, of `LEAST` at least."""
        raise NotImplementedError

    def seen(self, scene: Scene, look: Look, size: tuple[int, int]) -> Sight | None:
        """The sight of a scene on a board of this size; None: it is too small."""
        if size[0] < self.LEAST[0] or size[1] < self.LEAST[1]:
            return None
        sight: Any = PlainSight(scene, look, self.keymap, self.placed(scene, size))
        return sight  # type: ignore[no-any-return]

    def teaching(self) -> Taught:
        """What a lesson has of the board now."""
        return self.taught

    def peak(self, before: Scene, scene: Scene) -> Any:
        """What has just happened that is worth a motion; None: nothing."""
        return None

    def shine(self, sight: Sight, peak: Any) -> Shine | None:
        """Where a peak is seen; None: not in this sight."""
        return None

    def hint(self) -> None:
        """Say what may follow."""
        raise NotImplementedError

    # Data down ----------------------------------------------------------------------------------

    def show(
        self, view: Any, names: Sequence[str], *, waiting: bool, log: Sequence[str] = ()
    ) -> None:
        before = self.scene
        given = Given(view, tuple(map(measurable, names)), waiting, tuple(map(measurable, log)))
        self.scene = self.staged(given, before)._replace(taught=self.teaching())
        if self.outlived(before, self.scene):
            self.hint()
        if before is not None and (peak := self.peak(before, self.scene)) is not None:
            self.motion.begin(peak)
        if (self.scene, language()) != self._drawn:
            self.redraw()

    def leap(
        self, before: Any, view: Any, names: Sequence[str], *, log: Sequence[str] = ()
    ) -> None:
        self.scene = None
        if before is not None:
            self.show(before, names, waiting=False)
        self.show(view, names, waiting=False, log=log)
        self.motion.end()

    def outlived(self, before: Scene | None, scene: Scene) -> bool:
        """Whether what was said last is no longer true."""
        return before is not None and before.selection != scene.selection

    def restyle(self, look: Look) -> None:
        self._look = look
        self.redraw()

    def change(self, **changes: Any) -> Scene:
        """Show the scene with these changes."""
        assert self.scene is not None
        self.scene = self.scene._replace(**changes)
        self.redraw()
        return self.scene

    async def still(self) -> None:
        await self.motion.ended()

    def on_key(self) -> None:
        """The player goes on."""
        self.motion.end()

    # Drawing ------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield from self._panes
        yield self._needs

    @property
    def layout(self) -> Layout:
        return self._plan

    def on_resize(self) -> None:
        self.redraw()

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

    def arranged(self, size: tuple[int, int]) -> Mapping[str, Rect]:
        """Where everything stands on a board of this size, from now on."""
        if self.scene is not None:
            self._arranged = _places(self.seen(self.scene, self._look, size), size)
        return self._arranged

    def _too_small(self) -> str:
        """That the board needs `LEAST`; in cells of the terminal, because that is what the player
        can change."""
        has, own, least = self.app.size, self.size, self.LEAST
        return _("{game} needs a terminal of {needs}, this one has {has}.").format(
            game=self.FACE.title(),
            needs=f"{has.width - own.width + least[0]}x{has.height - own.height + least[1]}",
            has=f"{has.width}x{has.height}",
        )


def _places(sight: Placed | None, size: tuple[int, int]) -> Mapping[str, Rect]:
    return {_NEEDS: Rect(0, 0, *size)} if sight is None else sight.places
