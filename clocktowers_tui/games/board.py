"""The board of a game: a container of panes, one choice, and what is said of it.

To the screens it is a widget: data go down (`Board.show`), messages come up (`Board.Chosen`,
`Board.Hint`, `Board.Strayed`, `Board.Arranged`, `Board.LogWanted`). A game's board is a `Board` of
its parts with the functions of its `choosing` and `sentences`:

- `scene.py`: the scene (what is to be seen), `PARTS` (a `Part` for each id), and `sight(scene,
  width, height, …)`, which arranges the parts, or None where the board is too small;
- `face.py`: the face with the table of keys, what each key does to the choice;
- `board.py`: the class, as `BOARD`, with `FACE`, `PARTS` and the methods marked below.

The board stages a scene for each view, hands every pane the sight of it, and gives a click on a
pane to `pick`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeVar

from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.content import Content
from textual.layout import Layout
from textual.message import Message
from textual.widgets import Static

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.face import Advice, Face, advice_in_words
from clocktowers_tui.games.keys import Step, bindings, leading, with_keys
from clocktowers_tui.games.motion import Moment, Motion, Playing, may_move
from clocktowers_tui.games.painting import PLAIN, Painting
from clocktowers_tui.games.pane import Guarded, Pane, Plan
from clocktowers_tui.games.parts import (
    LEAST,
    UNTAUGHT,
    Given,
    Hit,
    Layouts,
    Part,
    Placed,
    PlainScene,
    PlainSight,
    Shared,
    Staged,
    Taught,
)
from clocktowers_tui.games.spans import Rect, measurable
from clocktowers_tui.keys.actions import KeyGroups, Named
from clocktowers_tui.keys.keymap import KEYLESS, Keymap, keymap_of
from clocktowers_tui.text.i18n import _, language

_MARGINS: Final = 2
"""Cells beside a hint."""
_NEEDS: Final = "needs"
"""The id of what stands there instead of a board that is too small."""

Scene = TypeVar("Scene", bound=Staged)
Sight = TypeVar("Sight", bound=Placed)


class Board(Guarded, Generic[Scene, Sight], can_focus=True):
    """A game's interactive board. It takes the focus and handles its own keys. The attributes in
    capitals are the game's. What is said here is so in a game in which each key is a move of its
    own; a game in which players choose in several steps says otherwise.

    After `Chosen` it takes no choice until the next `show`, so that a key pressed twice cannot play
    twice: code that drops an action must call `show` all the same.
    """

    @dataclass
    class Chosen(Message):
        """The player wants this action (the game's own Struct); nothing has been sent yet.

        It may be one that the view does not list: the server's refusal tells the player why.
        `person`: who wants it, of two people at one keyboard who act at once.
        """

        action: Any
        person: int | None = None

    @dataclass
    class Hint(Message):
        """One line for the status: why a pick is impossible, or what may follow; "" clears it."""

        text: str

    @dataclass
    class Arranged(Message):
        """The player has chosen a layout, in the game's own word for it: keep it for next time."""

        layout: str

    @dataclass
    class Strayed(Message):
        """While the board is guided: a key led elsewhere, and the choice stays as it was. `why`:
        the rules speak against it; "" for what only the lesson does not ask for."""

        why: str = ""

    class LogWanted(Message):
        """The last lines of the log were clicked on."""

    DEFAULT_CSS = f"""
    Board {{ height: 1fr; width: 1fr; }}
    Board > #{_NEEDS} {{ height: 1fr; width: 1fr; }}
    """

    FACE: ClassVar[Face]
    NAMED: ClassVar[Named] = {}
    """The keys that remarks name, beside those of all boards."""
    LEAST: ClassVar[tuple[int, int]] = LEAST
    """The smallest board."""
    PARTS: ClassVar[Mapping[str, Part[Any]]]
    """Each has a pane, by the id of which the rest of the program knows it."""
    PANES: ClassVar[Mapping[str, type[Pane[Any]]]] = {}
    """Those that take more than clicks."""
    PAINTING: ClassVar[Painting[Any]] = PLAIN
    MOMENTS: ClassVar[Mapping[type, Callable[[Any, Any], Moment | None]]] = {}
    """A row for each kind of `peak`: how it is seen, from sight and peak; None: not here."""
    LAYOUTS: ClassVar[type[Layouts] | None] = None
    """None: the board has one layout only."""

    away: frozenset[int] = frozenset()
    """The seats of players who are not there, also by their names; set before `show`."""
    hands: Sequence[Any] = ()
    """The views of two people at one keyboard who act at once; set before `show`."""

    def __init_subclass__(cls, **how: Any) -> None:
        if "FACE" in vars(cls):
            cls.BINDINGS = bindings(cls.FACE.keys)
        super().__init_subclass__(**how)

    def __init__(self, look: Look, layout: str = "") -> None:
        super().__init__()
        self.scene: Scene | None = None
        self.taught: Taught = UNTAUGHT
        """See `Board.guide`, `seek` and `hide`."""
        self._has_room = False
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

    @property
    def keymap(self) -> Keymap:
        """The player's keys, for sentences that name some."""
        return keymap_of(self.app)

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

    @staticmethod
    def peak(before: Any, after: Any) -> Any:
        """What has happened between the two views that is worth a motion; None: nothing."""
        return None

    @staticmethod
    def stepped_back(selection: Any) -> Any:
        """The selection without its last step; the same if there is none."""
        return selection

    def begun(self, view: Any) -> Any:
        """The selection that a choice begins with."""
        return None

    def leads(self, scene: Scene, selection: Any, action: Any) -> bool:
        """Whether a selection is on the way from the scene's own to the action."""
        return True

    def hinted(self, scene: Scene, room: int) -> str:
        """What may follow, in a hint of `room` cells if it can be said in so many."""
        return ""

    def advised(self, scene: Scene, action: Any, then: Any) -> tuple[Any, Advice | None]:
        """The selection of an action that somebody else would take, and what to say of it and of
        what they would do `then`; None: it is impossible."""
        return None, self.FACE.advice(scene.view, action, scene.names, then)

    def remarked(self, scene: Scene, remark: str, keymap: Keymap) -> str:
        """Why a key did nothing, with the names of these keys."""
        return with_keys(_(remark), keymap, self.NAMED)

    def is_needed(self, remark: str) -> bool:
        """Whether a lesson wants the keys that a remark names, whatever the player has to find."""
        return False

    def offered(self, scene: Scene) -> KeyGroups:
        """The actions that lead somewhere now."""
        return leading(self.FACE.keys, scene.view, scene.selection)

    def is_legal(self, scene: Scene, action: Any) -> bool:
        """Whether the view lists this action; a game whose keys make no other need not look."""
        return True

    @staticmethod
    def explained(view: Any, selection: Any, keymap: Keymap) -> Iterable[str]:
        """What can be done, for the help."""
        return ()

    def covered(self, scene: Scene) -> bool:
        """Whether what a key chooses lies under something; then any key only takes that away."""
        return False

    def uncover(self) -> bool:
        """Take away what lies over the board; whether there was anything."""
        return False

    def pick(self, hit: Any) -> None:
        """The player clicked on this."""
        if isinstance(hit, Hit):
            self.take(hit.choose, *hit.what)

    def aside(self) -> str:
        """What is looked at instead of the player's own things, for the banner; "" usually. It may
        change with each `Hint`."""
        return ""

    def goal(self) -> Sequence[str]:
        """Sentences for the help: what the game is about."""
        return ()

    def legend(self) -> Sequence[str]:
        """Sentences for the help: how to read what only the present layout shows."""
        return ()

    # Data down ----------------------------------------------------------------------------------

    def show(
        self, view: Any, names: Sequence[str], *, waiting: bool, log: Sequence[str] = ()
    ) -> None:
        """Draw a view. `names` by seat, clean. `waiting`: an action is under way to the server,
        so nothing can be chosen until the next call. `log`: the newest lines, oldest first; the
        board shows as many of the last ones as it has room for."""
        before = self.scene
        given = Given(view, tuple(map(measurable, names)), waiting, tuple(map(measurable, log)))
        self.scene = self.staged(given, before)._replace(taught=self.teaching())
        if self.outlived(before, self.scene):
            self.hint()
        if before is not None and (peak := self.peak(before.view, view)) is not None:
            self.motion.begin(peak)
        if (self.scene, language()) != self._drawn:
            self.redraw()

    def leap(
        self, before: Any, view: Any, names: Sequence[str], *, log: Sequence[str] = ()
    ) -> None:
        """Draw a view of another moment, which is only looked at: nothing moves. `before`: the view
        that led to it, None at the deal."""
        self.scene = None
        if before is not None:
            self.show(before, names, waiting=False)
        self.show(view, names, waiting=False, log=log)
        self.motion.end()

    def outlived(self, before: Scene | None, scene: Scene) -> bool:
        """Whether what was said last is no longer true."""
        return bool(self.size) if before is None else before.selection != scene.selection

    def restyle(self, look: Look) -> None:
        """Draw in another way from now on; what is chosen stays chosen."""
        self._look = look
        self.redraw()

    def change(self, **changes: Any) -> Scene:
        """Show the scene with these changes."""
        assert self.scene is not None
        self.scene = self.scene._replace(**changes)
        self.redraw()
        return self.scene

    async def still(self) -> None:
        """Wait until nothing moves on the board."""
        await self.motion.ended()

    def on_key(self) -> None:
        """The player goes on."""
        self.motion.end()

    def actions_now(self) -> KeyGroups:
        """The actions that do something now, for the key line and the palette. They may change with
        each `show` and each `Hint`."""
        return () if self.scene is None else self.offered(self.scene)

    def explain(self) -> Sequence[str]:
        """Sentences for the help: what can be done now, and how."""
        scene = self.scene
        return [*self.explained(scene.view, scene.selection, self.keymap)] if scene else ()

    # Drawing ------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield from self._panes
        yield self._needs

    @property
    def layout(self) -> Layout:
        return self._plan

    def on_resize(self) -> None:
        """What may follow is said at first when it is known how much room there is for it."""
        self.redraw()
        first, self._has_room = not self._has_room, True
        if first and self.scene is not None and self.outlived(None, self.scene):
            self.hint()

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
        moment = None if peak is None else self.MOMENTS[type(peak)](sight, peak)
        for pane in self._panes:
            playing = Playing(moment, step) if moment and pane.id in moment.parts else None
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

    # Keys and mouse up --------------------------------------------------------------------------

    @property
    def choice(self) -> Any:
        """What is chosen now; it is equal to that of another moment while no key has changed it."""
        return None if self.scene is None else self.scene.selection

    def suggest(self, action: Any, then: Any = None) -> None:
        """Choose this action (the game's own Struct) as the player's keys would, without playing
        it, and say as a `Hint` what it brings and why, and what `then` follows; do nothing for what
        is impossible."""
        scene = self.scene
        if scene is None or scene.waiting:
            return
        self.uncover()
        selection, advice = self.advised(scene, action, then)
        if advice is not None:
            self.change(selection=selection)
            self.tell(advice_in_words(advice))

    def mark(self, action: Any, said: str) -> None:
        """On a board that is only looked at: mark where this action was done, if there is one, and
        what is named here."""

    def guide(self, wanted: Sequence[Any] | None) -> None:
        """From now on take only keys that lead to one of these actions, from the beginning of a
        choice; None: all."""
        self._teach(wanted=wanted, sought=None)

    def seek(self, sought: Sequence[Any]) -> None:
        """Take all keys, from the beginning of a choice in which none of these actions is made yet:
        the player has to find one."""
        self._teach(wanted=None, sought=sought)

    def _teach(self, **asked: Any) -> None:
        """A step begins, and with it a choice."""
        self.taught = self.taught._replace(guided=True, **asked)
        if self.scene is not None:
            self.change(taught=self.taught, selection=self.begun(self.scene.view))

    def hide(self, names: frozenset[str]) -> None:
        """In a lesson: leave out these parts, by their ids, and these notes of the game's own,
        until the next call."""
        self.taught = self.taught._replace(guided=True, hidden=names)
        for pane in self.query(Pane):
            pane.visible = pane.id not in names
        if self.scene is not None and self.scene.taught != self.taught:
            self.change(taught=self.taught)

    def follows(self) -> str:
        """In a lesson what follows on the keys pressed so far; "" before the first."""
        scene = self.scene
        if scene is None or scene.selection == self.begun(scene.view):
            return ""
        return self.hinted(scene, self.room)

    def leads_on(self, step: Step) -> bool:
        """Whether a lesson takes the key that makes this step; outside a lesson always."""
        if step.action is not None and self.taught.sought is not None:
            return step.action in self.taught.sought
        return not self._strays(step)

    def step_back(self) -> bool:
        """Undo the last step of an unfinished choice; False when there was none."""
        if self.uncover():
            return True
        scene = self.scene
        if scene is None or scene.waiting:
            return False
        selection = self.stepped_back(scene.selection)
        if selection == scene.selection:
            return False
        self.change(selection=selection)
        self.hint()
        return True

    def put_right(self, action: Any) -> str:
        """In a lesson: undo what is wrong with an action that the step does not want, and say what
        that is; "" where nothing is to be said of it."""
        if self.scene is not None:
            self.change(selection=self.begun(self.scene.view))
        return ""

    def action_key(self, row: int) -> None:
        """What a row of the face's keys does to the choice."""
        does = self.FACE.keys[row].does
        assert not isinstance(does, str)
        self.take(does)

    def action_back(self) -> None:
        if not self.step_back():
            raise SkipAction  # the screen's own meaning of the key

    def action_layout(self) -> None:
        """The next layout that fits."""
        if self.wish is None:
            return
        self.wish, skipped = self.wish.after(*self.size)
        if self.scene is not None:
            self.change(wish=self.wish)
        keys = [key.action for key in self.FACE.keys if key.does == "layout" and key.action]
        self.tell(self.wish.arranged(skipped, self.keymap.names(keys)))
        self.post_message(self.Arranged(self.wish))

    def on_pane_picked(self, event: Pane.Picked) -> None:
        event.stop()
        if event.hit is Shared.LOG:
            self.post_message(self.LogWanted())
        else:
            self.pick(event.hit)

    def take(self, choose: Callable[..., Step], *args: Any) -> None:
        """Let a function of `choosing` have its say, and tell what came of it."""
        scene = self.scene
        if scene is None or (self.covered(scene) and self.uncover() and not self.taught.led):
            return
        if not scene.waiting:
            self.follow(choose(scene.view, scene.selection, *args))

    def follow(self, step: Step) -> None:
        """Show a step, and send its action."""
        if self._strays(step):
            self.post_message(self.Strayed(self._against(step)))
            return
        scene = self.change(selection=step.selection, waiting=step.action is not None)
        if step.action is not None:
            self.post_message(self.Chosen(step.action))
        elif step.remark is not None:
            self._object(scene, step.remark)
        else:
            self.hint()

    def _object(self, scene: Scene, remark: str) -> None:
        """Say why a key did nothing; what the player has to find alone needs other keys than the
        game would name, but for those that it is sure to need."""
        astray = self.taught.sought is not None and not self.is_needed(remark)
        if astray and self._names_keys(scene, remark):
            self.post_message(self.Strayed())
        else:
            self.tell(self.remarked(scene, remark, self.keymap))

    def _names_keys(self, scene: Scene, remark: str) -> bool:
        """Whether the sentence offers keys, which a lesson may not take."""
        keyless = self.remarked(scene, remark, KEYLESS)
        return self.remarked(scene, remark, self.keymap) != keyless

    def _strays(self, step: Step) -> bool:
        if self.taught.wanted is None or self.scene is None:
            return False
        if step.action is not None:
            return step.action not in self.taught.wanted
        led = (self.leads(self.scene, step.selection, action) for action in self.taught.wanted)
        return step.remark is not None or not any(led)

    def _against(self, step: Step) -> str:
        """Why a step is impossible by the rules; "" for one that is not, or where the reason would
        offer keys that the lesson does not take."""
        assert self.scene is not None
        if step.remark is not None:
            scene = self.scene._replace(selection=step.selection)
            named = self._names_keys(scene, step.remark)
            return "" if named else self.remarked(scene, step.remark, self.keymap)
        legal = step.action is None or self.is_legal(self.scene, step.action)
        return "" if legal else _("That is not possible now.")

    def hint(self) -> None:
        """Say what may follow."""
        if self.scene is not None:
            self.tell(self.hinted(self.scene, self.room))

    @property
    def room(self) -> int:
        """Cells for a sentence in one row."""
        return self.size.width - _MARGINS

    def tell(self, sentence: str) -> None:
        self.post_message(self.Hint(sentence))


def _places(sight: Placed | None, size: tuple[int, int]) -> Mapping[str, Rect]:
    return {_NEEDS: Rect(0, 0, *size)} if sight is None else sight.places
