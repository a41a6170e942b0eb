"""The board: what is seen and said on it, and what a lesson has of it."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from textual import events

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.architetti_attenti import choosing, hinting, sentences
from clocktowers_tui.games.architetti_attenti.choosing import Selection, Stage
from clocktowers_tui.games.architetti_attenti.face import FACE, actions_now, leading, looking
from clocktowers_tui.games.architetti_attenti.inks import GLYPHS, PAINTING
from clocktowers_tui.games.architetti_attenti.scene import (
    MOMENTS,
    PARTS,
    peak,
    sight,
    staged,
    tells_why,
)
from clocktowers_tui.games.architetti_attenti.sight import (
    Arrangement,
    Neighbour,
    Scene,
    Sight,
    home,
    shown_seat,
)
from clocktowers_tui.games.board import Board
from clocktowers_tui.games.face import Advice
from clocktowers_tui.games.keys import Choose, Step
from clocktowers_tui.games.pane import Pane
from clocktowers_tui.games.parts import Given, Hit
from clocktowers_tui.keys.actions import KeyGroups
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.text.i18n import _
from protocol.games.architetti_attenti import Action, Buy, Place, View
from protocol.games.architetti_attenti.board import cell_named


class Meadow(Pane[Sight]):
    """The town that is being built; a click moves the tile in hand, the wheel turns it."""

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.post_message(self.Picked(Hit(choosing.turn, (1,))))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.post_message(self.Picked(Hit(choosing.turn, (3,))))


class ArchitettiAttentiBoard(Board[Scene, Sight]):
    """See `Board`."""

    FACE = FACE
    PAINTING = PAINTING
    LAYOUTS = Arrangement
    PARTS = PARTS
    MOMENTS = MOMENTS
    peak = staticmethod(peak)
    stepped_back = staticmethod(choosing.back)
    explained = staticmethod(sentences.explain)
    PANES: ClassVar = {"meadow": Meadow}

    # What is seen and said ----------------------------------------------------------------------

    def staged(self, given: Given, before: Scene | None) -> Scene:
        return staged(given, before, self.wish)._replace(away=self.away)

    def seen(self, scene: Scene, look: Look, size: tuple[int, int]) -> Sight | None:
        return sight(scene, *size, GLYPHS[look.glyphs])

    def outlived(self, before: Scene | None, scene: Scene) -> bool:
        says = scene.selection.stage is not Stage.NOTHING or scene.view.seat is None
        return super().outlived(before, scene) and (says or before is not None)

    def leap(self, before: View | None, view: View, *given: Any, **more: Any) -> None:
        """A tile that was bought just now stays where it lay."""
        seen = self.scene if self.scene is not None and self.scene.view == before else None
        super().leap(before, view, *given, **more)
        if seen is not None and seen.selection.stage is Stage.LOOK and self.scene is not None:
            selection, ghost = self.scene.selection, seen.selection.ghost
            if selection.stage is Stage.PLACE and choosing.fits(view, ghost):
                self.change(selection=selection._replace(ghost=ghost))

    def begun(self, view: View) -> Selection:
        """In a lesson Enter takes up the tile that the step asks for; where the player looks for a
        place, the tile begins beside one."""
        asked = next((one.position for one in self.taught.wanted or () if isinstance(one, Buy)), 1)
        had = None if self.scene is None else self.scene.selection.had
        begun = choosing.settle(view, None, Selection(position=asked, had=had))
        return choosing.away_from(view, begun, self.taught.sought or ())

    def follow(self, step: Step) -> None:
        """In a lesson a tile that is taken up floats beside the hall, or as near as it fits: the
        player finds its place once it is bought, and it has not moved by then."""
        if self.taught.asks and self.scene and self.scene.selection.stage is Stage.CHOOSE:
            step = step._replace(selection=choosing.beside_hall(self.scene.view, step.selection))
        super().follow(step)

    def put_right(self, action: Action) -> str:
        """A tile on the wrong place stays where the player has put it."""
        return super().put_right(action) if isinstance(action, Buy) else ""

    def leads(self, scene: Scene, selection: Selection, action: Action) -> bool:
        return choosing.leads(scene.selection, selection, action)

    def hinted(self, scene: Scene, room: int) -> str:
        if (seat := shown_seat(scene)) != scene.view.seat:
            return sentences.whose(scene.view, scene.names, seat, self.keymap, room)
        if self.taught.asks and scene.selection == self.begun(scene.view):
            return ""
        if not self._takes(choosing.confirm):
            if self.taught.sought is not None and choosing.fits(scene.view, scene.selection.ghost):
                return ""  # what the step asks for says more
            offered = [one for together, _words in self.offered(scene) for one in together]
            return sentences.not_yet(scene.view, scene.selection, offered, self.keymap)
        sight = self.seen(scene, self._look, self.size)
        told = sight is not None and tells_why(sight)
        return sentences.hint(
            scene.view, scene.selection, self.keymap, room, told=told, taught=self.taught.asks
        )

    def advised(self, scene: Scene, action: Action, then: Any) -> tuple[Selection, Advice | None]:
        selection = hinting.towards(scene.view, scene.selection, action)
        return selection, hinting.advice(scene.view, selection, self.room)

    def mark(self, action: Action | None, said: str) -> None:
        named = map(cell_named, re.findall(r"\w+", said))
        cells = {cell for cell in named if cell is not None}
        if isinstance(action, Place):
            cells |= {action.first, action.second}
        if self.scene is not None and self.scene.view.seat is not None:
            self.change(news={self.scene.view.seat: frozenset(cells)})

    def remarked(self, scene: Scene, remark: str, keymap: Keymap) -> str:
        return sentences.remark(remark, scene.view, scene.selection, keymap, self.room)

    def offered(self, scene: Scene) -> KeyGroups:
        if scene.looking is not None:
            return looking(scene.view)
        now = actions_now(scene.view, scene.selection)
        return leading(now, self._takes) if self.taught.asks else now

    def goal(self) -> Sequence[str]:
        return () if self.scene is None else list(sentences.goal(self.scene.view))

    def aside(self) -> str:
        scene = self.scene
        if scene is None or scene.looking is None:
            return ""
        return _("Town of {name}").format(name=scene.names[scene.looking])

    # A lesson -----------------------------------------------------------------------------------

    def _takes(self, choose: Choose) -> bool:
        scene = self.scene
        return scene is None or self.leads_on(choose(scene.view, scene.selection))

    def _teach(self, **asked: Any) -> None:
        """Until the player has pressed a key, the lesson speaks."""
        super()._teach(**asked)
        self.hint()

    # Keys and mouse -----------------------------------------------------------------------------

    def pick(self, hit: Any) -> None:
        if isinstance(hit, Neighbour):
            self._look_at(hit.seat)
        else:
            super().pick(hit)

    def action_best(self) -> None:
        """In a lesson the best place is not what a step asks for."""
        if self.taught.asks:
            self.post_message(self.Strayed())
        else:
            self.take(choosing.to_best)

    def action_others(self) -> None:
        scene = self.scene
        if scene is None:
            return
        seats = len(scene.view.boards)
        if seats == 1:
            self.tell(sentences.alone())
        else:
            self._look_at((shown_seat(scene) + 1) % seats)

    def covered(self, scene: Scene) -> bool:
        """A choice concerns the player's own town."""
        return scene.looking is not None and scene.selection.stage is not Stage.NOTHING

    def uncover(self) -> bool:
        if self.scene is None or self.scene.looking is None:
            return False
        self._look_at(None)
        return True

    def _look_at(self, seat: int | None) -> None:
        """Show the town of a seat; the player's own for None."""
        assert self.scene is not None
        self.change(looking=None if seat == home(self.scene.view) else seat)
        self.hint()


BOARD: Final = ArchitettiAttentiBoard
