"""The board: what is seen and said on it, and which keys it takes.

Laws: a shot is sent at once, by one key; but a key that was meant for a race and comes when the
board has just changed does nothing.
"""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, Final

from textual import on
from textual.events import Key

from clocktowers_tui.config.look import Look
from clocktowers_tui.games.board import Board
from clocktowers_tui.games.face import Advice
from clocktowers_tui.games.keys import Step, with_keys
from clocktowers_tui.games.parts import Given
from clocktowers_tui.games.wild_wild_pattern import (
    choosing,
    hinting,
    sentences,
)
from clocktowers_tui.games.wild_wild_pattern.actions import LETTERS, NAMED, PLACES
from clocktowers_tui.games.wild_wild_pattern.choosing import (
    NOTHING,
    TOGETHER,
    Offer,
    Remark,
    Selection,
    asked,
    keys_for,
)
from clocktowers_tui.games.wild_wild_pattern.face import (
    FACE,
    HALF_KEYS,
    HALVES,
    actions_beside,
    actions_now,
    declaring,
    halves_now,
    name_of,
    told_in_halves,
)
from clocktowers_tui.games.wild_wild_pattern.inks import GLYPHS, PAINTING
from clocktowers_tui.games.wild_wild_pattern.scene import (
    MOMENTS,
    PARTS,
    peak,
    sight,
    staged,
)
from clocktowers_tui.games.wild_wild_pattern.sentences import explain
from clocktowers_tui.games.wild_wild_pattern.sheet import paragraphs
from clocktowers_tui.games.wild_wild_pattern.sight import RACING, Scene, Sheet, Sight
from clocktowers_tui.keys.actions import KeyGroups
from clocktowers_tui.keys.keymap import DEFAULT_KEYS, Keymap, latin
from clocktowers_tui.text.i18n import _
from protocol.games.wild_wild_pattern import Action, Click, Declare, Phase, Take, View

_MEANT_S: Final = 0.8
"""So long after the board has changed a key was meant for what stood there before; in a race, where
a key must shoot, half of it. A key that comes too soon begins it again, except in a race."""
_AGAIN_S: Final = 0.3
"""The same choice again after this time is meant: no key that is held repeats so slowly."""

_SPENDING: Final = (Phase.TAKE, Phase.LAY)
"""What digits do here, that they did not do before, is said in the last line."""

_AT_REST: Final = (None, Phase.READY)

_PASSING: Final = frozenset(Remark) - {Remark.TOO_LATE, Remark.TOO_SOON}
"""Remarks that are no longer true once something else is asked; the others tell what happened."""


_HALVES: Final = (
    *(Remark.DIRECTION_FIRST, Remark.WAY_CHOSEN, Remark.HALF_CHOSEN),
    *(Remark.OBJECT_CHOSEN, Remark.OTHER_CHOSEN),
)
"""Remarks that say what a declaration still needs."""


class WildWildPatternBoard(Board[Scene, Sight]):
    """See `Board`. `now_s`: a clock that only goes forward."""

    FACE = FACE
    NAMED = NAMED
    PAINTING = PAINTING
    PARTS = PARTS
    MOMENTS = MOMENTS
    peak = staticmethod(peak)
    stepped_back = staticmethod(choosing.back)
    explained = staticmethod(explain)

    def __init__(
        self, look: Look, layout: str = "", now_s: Callable[[], float] = monotonic
    ) -> None:
        super().__init__(look, layout)
        self._now_s = now_s
        self._meant_until_s = 0.0
        self._raced_until_s = 0.0
        """As long a key of a half was meant for the race that is over."""
        self._too_soon: tuple[Action | None, float] = (None, 0.0)
        """What the last key would have done, and when it came."""
        self._took: tuple[int, ...] = ()
        """When the player took a card last."""
        self._remark: str | None = None
        """Why the last key did nothing, while that is shown."""

    # What is seen and said ----------------------------------------------------------------------

    def staged(self, given: Given, before: Scene | None) -> Scene:
        scene = staged(given, before)
        return scene._replace(replayed=self.disabled, away=self.away, hands=self.hands)

    def seen(self, scene: Scene, look: Look, size: tuple[int, int]) -> Sight | None:
        return sight(scene, *size, GLYPHS[look.glyphs], self.keymap)

    def show(
        self, view: View, names: Sequence[str], *, waiting: bool, log: Sequence[str] = ()
    ) -> None:
        before = self.scene
        if before is not None and _surprises(view, before.view):
            racing = view.phase is Phase.CLICKED
            self._meant_until_s = self._now_s() + (_MEANT_S / 2 if racing else _MEANT_S)
        if before is not None and before.halved and view.phase not in TOGETHER:
            self._raced_until_s = self._now_s() + _MEANT_S
        super().show(view, names, waiting=waiting, log=log)
        if view.phase in RACING:  # then nothing moves
            self.motion.end()
        if before is None:
            return
        if _was_overtaken(view, before.view):
            self._remark = None
            self.tell(sentences.remark(Remark.TOO_LATE, self.keymap))
        elif (card := _gained(view, before.view)) and self._took != _turn(before.view):
            self.tell(sentences.late_prize(card))

    def outlived(self, before: Scene | None, scene: Scene) -> bool:
        if before is None:
            return False
        other = asked(scene.view) is not asked(before.view)
        passing = other and (self._remark in _PASSING or asked(scene.view) in _SPENDING)
        return passing or super().outlived(before, scene)

    def begun(self, view: View) -> Selection:
        return NOTHING

    def leads(self, scene: Scene, selection: Selection, action: Action) -> bool:
        return choosing.leads(selection, action)

    def hinted(self, scene: Scene, room: int) -> str:
        """In a lesson which keys go on with a declaration that is begun."""
        self._remark = None
        if not scene.taught.led:
            return sentences.hint(scene.view, scene.selection, self.keymap)
        named = [key for keys, _words in self.offered(scene) for key in keys]
        if scene.selection == NOTHING or asked(scene.view) is not Phase.DECLARE:
            return ""
        *more, place = [self.keymap.name(one) for one in named if one in PLACES] or [""]
        if more:
            place = _("{some} or {last}").format(some=", ".join(more), last=place)
        halves = [place, self.keymap.names([one for one in named if one in LETTERS])]
        match [*filter(None, halves)]:
            case [first, then]:
                return _("Now press {first}, then {then}.").format(first=first, then=then)
            case [keys]:
                return _("Now press {keys}.").format(keys=keys)
        return ""

    def advised(self, scene: Scene, action: Action, then: Any) -> tuple[Selection, Advice | None]:
        selection = hinting.towards(scene.view, scene.selection, action)
        return selection, hinting.advice(scene.view, action, self.keymap, then)

    def remarked(self, scene: Scene, remark: str, keymap: Keymap) -> str:
        self._remark = remark
        if scene.hands and remark == Remark.WATCHING:
            return " ".join(told_in_halves(scene))
        return super().remarked(scene, remark, keymap)

    def is_needed(self, remark: str) -> bool:
        return remark in _HALVES

    def put_right(self, action: Action) -> str:
        """What is right of a declaration stays."""
        if (scene := self.scene) is None:
            return ""

        def key(offer: Offer) -> str:
            return f" ({self.keymap.name(keys_for(scene.view, NOTHING, offer)[0])})"

        kept, wrong = hinting.corrected(action, self.taught.sought or (), key)
        self.change(selection=kept)
        return wrong

    def offered(self, scene: Scene) -> KeyGroups:
        if scene.has_sheet_over and scene.sheet is not None and self.taught.wanted is None:
            return actions_beside(scene.sheet)
        if scene.halved:
            return halves_now(scene)
        if self.taught.wanted and isinstance(self.taught.wanted[0], Declare):
            return declaring(scene.view, scene.selection, self.taught.wanted[0].pattern)
        shoots = scene.taught.guided and Click() not in (self.taught.wanted or ())
        return actions_now(scene.view, scene.selection, shoots=shoots)

    def explain(self) -> Sequence[str]:
        scene = self.scene
        races = scene is not None and scene.hands and scene.view.seat is None
        return [*told_in_halves(scene)] if scene and races else super().explain()

    def goal(self) -> Sequence[str]:
        if self.scene is None:
            return ()
        return [*map(" ".join, paragraphs(self.scene.view.options))]

    # Keys and mouse -----------------------------------------------------------------------------

    @on(Key)
    def _on_letter(self, event: Key) -> None:
        """While the player declares, a letter of their language is the key of its colour or suit,
        on whatever layout."""
        declares = self.scene is not None and asked(self.scene.view) is Phase.DECLARE
        if not declares or event.key in self.keymap.own:
            return
        letters = {latin(DEFAULT_KEYS.keys(one)[0]): one for one in LETTERS}
        letter = letters.get(event.character or "")
        if letter is not None and letter.id not in self.keymap.changed:
            event.key = letter.keys[0]

    @on(Key)
    def _on_half(self, event: Key) -> None:
        """A key of either half of the keyboard: it does what that person's own keys would."""
        scene = self.scene
        if scene is None or not scene.hands or event.key not in HALF_KEYS:
            return
        racing = scene.halved
        if not racing and self._now_s() >= self._raced_until_s:
            return
        event.stop()
        person, does = HALF_KEYS[event.key]
        step = does(scene.hands[person], NOTHING)
        remark = step.remark if step.action is None else Remark.TOO_SOON
        if step.action is not None and racing and self._now_s() >= self._meant_until_s:
            self.post_message(self.Chosen(step.action, person))
        elif remark is not None:
            said = with_keys(_(remark), self.keymap, {**NAMED, **HALVES[person].named})
            self.tell(f"{name_of(scene, person)}: {said}")

    def pick(self, hit: Any) -> None:
        if isinstance(hit, Sheet):
            self._lay_sheet(None)
        else:
            super().pick(hit)

    def action_move(self, across: int, down: int) -> None:
        scene = self.scene
        if scene is None:
            return
        if scene.has_sheet_over:
            self.change(top=max(0, scene.top + across + down))
        elif scene.has_proof and scene.view.phase is Phase.READY and self.taught.wanted is None:
            self.change(goes_on=not scene.goes_on)
        else:
            self.take(choosing.move, across, down)

    def action_bank(self) -> None:
        """One sheet after the other; behind the last one lies the board. None covers a choice: what
        the Bank pays stands beside the Wheel then, and not at all where the list is."""
        if self.scene is None:
            return
        now = asked(self.scene.view)
        if now in (Phase.DECLARE, Phase.CHALLENGE):
            self.tell(self.remarked(self.scene, Remark.CHOOSE_FIRST, self.keymap))
        else:
            paid = [Sheet.PAID] if self.scene.view.bank and now in _AT_REST else []
            order = [None, *paid, Sheet.PRICES, None]
            self._lay_sheet(order[order.index(self.scene.sheet) + 1])

    def suggest(self, action: Action, then: object = None) -> None:
        self._meant_until_s = 0.0  # the hint is about this board, and so is the key that follows it
        super().suggest(action, then)

    def covered(self, scene: Scene) -> bool:
        """A sheet that covers no choice stays."""
        return scene.has_sheet_over

    def uncover(self) -> bool:
        if self.scene is None or self.scene.sheet is None:
            return False
        self._lay_sheet(None)
        return True

    def follow(self, step: Step) -> None:
        races = self.taught.wanted is None
        if races and self.scene is not None and self._came_too_soon(step.action):
            racing = self.scene.view.phase is Phase.CLICKED
            if not racing:
                self._meant_until_s = self._now_s() + _MEANT_S
            if not racing or step.action is not None:
                step = Step(self.scene.selection, remark=Remark.TOO_SOON)
        if isinstance(step.action, Take) and self.scene is not None:
            self._took = _turn(self.scene.view)
        super().follow(step)

    def _came_too_soon(self, action: Action | None) -> bool:
        now_s, (before, at_s) = self._now_s(), self._too_soon
        if now_s >= self._meant_until_s:
            return False
        self._too_soon = (action, now_s)
        return action is None or action != before or now_s < at_s + _AGAIN_S

    def _lay_sheet(self, sheet: Sheet | None) -> None:
        self.change(sheet=sheet, top=0)
        self.tell("")


def _surprises(view: View, before: View) -> bool:
    """Whether the meaning of a digit has changed without the player's doing, or just after it."""
    if view.phase is before.phase and asked(view) is asked(before):
        return False
    chooses = asked(view) in (Phase.TAKE, Phase.CHALLENGE, Phase.LAY)
    return chooses or (view.phase is Phase.CLICKED and before.phase is Phase.RACE)


def _turn(view: View) -> tuple[int, ...]:
    """Which of the match's choices this is."""
    return view.round, view.turn, view.takes


def _gained(view: View, before: View) -> int:
    """The card that the player was to take before and has now; 0: none."""
    seat = view.seat
    if seat is None or asked(before) is not Phase.TAKE:
        return 0
    more = view.won[seat][len(before.won[seat]) :] if view.round == before.round else b""
    return more[0] if more else 0


def _was_overtaken(view: View, before: View) -> bool:
    """Whether the player's shot or Click! arrived, and somebody else's was earlier."""
    if before.aimed is None or view.aimed is not None:
        return False
    first = {Phase.DECLARE: view.acting, Phase.CLICKED: view.clicker}.get(view.phase)
    return first is not None and first != view.seat


BOARD: Final = WildWildPatternBoard
