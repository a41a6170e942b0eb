"""The board: what is seen and said on it."""

from collections.abc import Sequence
from typing import Any, Final

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.board import Board
from clocktowers_tui.games.clocktowers import choosing, hinting, sentences
from clocktowers_tui.games.clocktowers.actions import NAMED
from clocktowers_tui.games.clocktowers.choosing import OUT, Selection, Stage
from clocktowers_tui.games.clocktowers.face import FACE, actions_now
from clocktowers_tui.games.clocktowers.inks import PAINTING, glyphs_of
from clocktowers_tui.games.clocktowers.ladder import needed
from clocktowers_tui.games.clocktowers.log import News
from clocktowers_tui.games.clocktowers.scene import (
    MOMENTS,
    PARTS,
    has_codes,
    has_pairs,
    has_small_clocks,
    peak,
    sight,
    staged,
)
from clocktowers_tui.games.clocktowers.sight import Arrangement, Scene, Sight
from clocktowers_tui.games.face import Advice
from clocktowers_tui.games.keys import Step
from clocktowers_tui.games.parts import Given, Taught
from clocktowers_tui.keys.actions import KeyGroups
from clocktowers_tui.keys.keymap import Keymap
from protocol.games.clocktowers import Action, Discard, View


class ClocktowersBoard(Board[Scene, Sight]):
    """See `Board`."""

    FACE = FACE
    NAMED = NAMED
    PAINTING = PAINTING
    LAYOUTS = Arrangement
    PARTS = PARTS
    MOMENTS = MOMENTS
    peak = staticmethod(peak)
    stepped_back = staticmethod(choosing.back)
    explained = staticmethod(sentences.explain)

    # What is seen and said ----------------------------------------------------------------------

    def staged(self, given: Given, before: Scene | None) -> Scene:
        return staged(given, before, self.wish)

    def teaching(self) -> Taught:
        """What is only looked at asks for no card, as a step of a lesson that is only read."""
        return self.taught._replace(wanted=()) if self.disabled else self.taught

    def seen(self, scene: Scene, look: Look, size: tuple[int, int]) -> Sight | None:
        return sight(scene, *size, glyphs_of(look), self.keymap)

    def begun(self, view: View) -> Selection:
        return choosing.settle(view, None, choosing.NOTHING)

    def put_right(self, action: Action) -> str:
        """A card that is to be discarded stays up."""
        discards = any(isinstance(one, Discard) for one in self.taught.sought or ())
        return "" if discards else super().put_right(action)

    def follow(self, step: Step) -> None:
        """A card that a lesson asks to discard lies there at once."""
        at, asked = step.selection, self.taught.asked
        if asked and self.scene is not None and at.stage is Stage.TOWER:
            goes_out = Discard(self.scene.view.hand[at.card]) in asked
            step = step._replace(selection=at._replace(tower=OUT)) if goes_out else step
        super().follow(step)

    def leads(self, scene: Scene, selection: Selection, action: Action) -> bool:
        return choosing.leads(scene.view, selection, action)

    def hinted(self, scene: Scene, room: int) -> str:
        return sentences.hint(scene.view, scene.selection, self.keymap, room, scene.taught.asked)

    def advised(self, scene: Scene, action: Action, then: Any) -> tuple[Selection, Advice | None]:
        selection = choosing.towards(scene.view, scene.selection, action)
        return selection, hinting.advice(scene.view, action, then)

    def mark(self, action: Action | None, said: str) -> None:
        """And what a card is drawn for."""
        if self.scene is None or action is None:
            return
        view, pile = self.scene.view, self.scene.selection.pile
        at = choosing.towards(view, choosing.NOTHING, action)
        plan = None if pile is None else hinting.plan_for(view, pile)
        places = (at.tower, plan and plan.place)
        towers = frozenset((view.seat or 0, place) for place in places if place is not None)
        self.change(news=News(towers, frozenset(() if at.pile is None else (at.pile,))))

    def remarked(self, scene: Scene, remark: str, keymap: Keymap) -> str:
        said, view = super().remarked(scene, remark, keymap), scene.view
        goes_out = sentences.asked_out(view, scene.selection, self.keymap, scene.taught.asked)
        # Other remarks speak of something else than the card that fits nowhere.
        if goes_out and remark == needed(view, view.hand[scene.selection.card]):
            return said + goes_out
        return said

    def offered(self, scene: Scene) -> KeyGroups:
        return actions_now(scene.view, scene.selection, scene.taught.sought or ())

    def is_legal(self, scene: Scene, action: Action) -> bool:
        return any(choice.action == action for choice in scene.view.legal)

    def goal(self) -> Sequence[str]:
        return list(sentences.goal())

    def legend(self) -> Sequence[str]:
        """Codes and letters are explained where they are drawn."""
        sight = None if self.scene is None else self.seen(self.scene, self._look, self.size)
        if sight is None:
            return []
        faces = [sentences.mouse_clock(sight.glyphs)] if has_small_clocks(sight) else []
        pairs = [sentences.paired()] if has_pairs(sight) else []
        return [*faces, *pairs, *(sentences.codes() if has_codes(sight) else [])]


BOARD: Final = ClocktowersBoard
