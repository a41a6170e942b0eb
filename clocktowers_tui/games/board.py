"""What the boards of all games do alike: a container of panes, one choice, and what is said of it.

A game's board is a `GameBoard` of its parts with the functions of its `choosing` and `sentences`:

- `scene.py`: the scene (what is to be seen), `PARTS` (a `Part` for each id), and `sight(scene,
  width, height, …)`, which arranges the parts, or None where the board is too small;
- `face.py`: the face with the table of keys, what each key does to the choice;
- `board.py`: the class, as `BOARD`, with `FACE`, `PARTS` and the methods marked below.

The board stages a scene for each view, hands every pane the sight of it, and gives a click on a
pane to `pick`.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Final, Generic

from textual.actions import SkipAction

from clocktowers_tui.games.drawn_board import DrawnBoard, Scene, Sight
from clocktowers_tui.games.face import Advice, advice_in_words
from clocktowers_tui.games.keys import Named, bindings, leading, with_keys
from clocktowers_tui.games.pane import Pane
from clocktowers_tui.games.parts import Hit, Shared
from clocktowers_tui.games.scenes import Step
from clocktowers_tui.keys.actions import KeyGroups
from clocktowers_tui.keys.keymap import KEYLESS, Keymap
from clocktowers_tui.text.i18n import _

_MARGINS: Final = 2
"""Cells beside a hint."""


class GameBoard(DrawnBoard[Scene, Sight], Generic[Scene, Sight], can_focus=True):
    """See `Board`. What is said here is so in a game in which each key is a move of its own; a game
    in which players choose in several steps says otherwise."""

    NAMED: ClassVar[Named] = {}
    """The keys that remarks name, beside those of all boards."""

    def __init_subclass__(cls, **how: Any) -> None:
        if "FACE" in vars(cls):
            cls.BINDINGS = bindings(cls.FACE.keys)
        super().__init_subclass__(**how)

    # What a game says ---------------------------------------------------------------------------

    def stepped_back(self, selection: Any) -> Any:
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

    def advised(self, scene: Scene, action: Any) -> tuple[Any, Advice | None]:
        """The selection of an action that somebody else would take, and what to say of it; None:
        it is impossible."""
        return None, self.FACE.advice(scene.view, action, scene.names)

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

    def explained(self, scene: Scene) -> Iterable[str]:
        """What can be done, for the help."""
        return ()

    def pick(self, hit: Any) -> None:
        """The player clicked on this."""
        if isinstance(hit, Hit):
            self.take(hit.choose, *hit.what)

    # Data down ----------------------------------------------------------------------------------

    def actions_now(self) -> KeyGroups:
        return () if self.scene is None else self.offered(self.scene)

    def explain(self) -> Sequence[str]:
        return () if self.scene is None else list(self.explained(self.scene))

    # Keys and mouse up --------------------------------------------------------------------------

    @property
    def choice(self) -> Any:
        return None if self.scene is None else self.scene.selection

    def suggest(self, action: Any) -> None:
        scene = self.scene
        if scene is None or scene.waiting:
            return
        selection, advice = self.advised(scene, action)
        if advice is not None:
            self.change(selection=selection)
            self.tell(advice_in_words(advice))

    def guide(self, wanted: Sequence[Any] | None) -> None:
        self._teach(wanted=wanted, sought=None)

    def seek(self, sought: Sequence[Any]) -> None:
        self._teach(wanted=None, sought=sought)

    def _teach(self, **asked: Any) -> None:
        """A step begins, and with it a choice."""
        self.taught = self.taught._replace(guided=True, **asked)
        if self.scene is not None:
            self.change(taught=self.taught, selection=self.begun(self.scene.view))

    def hide(self, names: frozenset[str]) -> None:
        self.taught = self.taught._replace(guided=True, hidden=names)
        for pane in self.query(Pane):
            pane.visible = pane.id not in names
        if self.scene is not None and self.scene.taught != self.taught:
            self.change(taught=self.taught)

    def follows(self) -> str:
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
        scene = self.scene
        if scene is None or scene.waiting:
            return False
        selection = self.stepped_back(scene.selection)
        if selection == scene.selection:
            return False
        self.change(selection=selection)
        self.hint()
        return True

    def put_back(self) -> None:
        while self.scene is not None:
            selection = self.stepped_back(self.scene.selection)
            if selection == self.scene.selection:
                return
            self.change(selection=selection)

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
        self.tell(self.wish.arranged(skipped))
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
        if scene is not None and not scene.waiting:
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
