"""A finished match on its board: its plies, everybody's eyes, stories, autoplay and result."""

from collections.abc import Sequence
from math import inf
from typing import ClassVar, Final

from textual.binding import BindingType
from textual.timer import Timer

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.games.face import Story
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.phrases.history import (
    eyes_in_words,
    place_in_words,
    plies_in_words,
    story_in_words,
)
from clocktowers_tui.screens.bound_actions import each_named, entries
from clocktowers_tui.screens.dialogs import Pages, Question
from clocktowers_tui.screens.ply_by_ply import PlyByPly, Source, joined
from clocktowers_tui.text.i18n import N_, _, decimal, pgettext
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.key_line import Keys
from clocktowers_tui.widgets.menu import Row
from protocol.recording import ALL_OPEN, WATCHER
from protocol.text import cells

SPEEDS_S: Final = (2.0, 1.0, 0.4)
"""Seconds a ply, of the autoplay."""


class _Stories(Question):
    """The key that asks ends it, too, as it ends a story."""

    BINDINGS: ClassVar[list[BindingType]] = [bound(actions.STORY, "safe", N_("Follow none"))]


class ReplayScreen(PlyByPly):
    """Where each ply can be seen from all eyes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.STORY, "story"),
        bound(actions.CHOOSE, "autoplay", N_("Start or stop")),
        bound(actions.SPEED, "speed"),
        bound(actions.EYES, "eyes"),
        bound(actions.RESULT, "result"),
    ]

    def __init__(
        self, client: Client, source: Source, me: int | None, ply: int | None = None
    ) -> None:
        super().__init__(client, source, me, ply)
        opens = [ALL_OPEN] if source.opened.opens else []
        self._all_eyes = [*range(len(self._names)), WATCHER, *opens]
        self._story: Story | None = None
        """What `n` leads along; None: the player's own turns."""
        self._picked = ""
        """The words of the story that was followed last."""
        self._autoplay: Timer | None = None
        self._speed = 1

    # What is seen -------------------------------------------------------------------------------

    def _say_where(self, at_ms: int) -> None:
        ply, eyes = self._at
        place = place_in_words(ply, self._last)
        story = [] if self._story is None else [story_in_words(self._story, ply)]
        seen = [place, *story, eyes_in_words(eyes, self._names)]
        self.query_one(Banner).show(seen, self._race_time(at_ms), place)

    def _race_time(self, at_ms: int) -> str:
        """In a game of turns it says nothing."""
        if self._face.in_turns:
            return ""
        return f"{at_ms // 60000}:{decimal(at_ms % 60000 / 1000, '04.1f')}"

    def _what_happened(self) -> str:
        """At the last ply the end is how the match ended, whatever has no room before it."""
        if self._at[0] != self._last:
            return super()._what_happened()
        sentences = [*self._phrases(), self._result()[0]]
        while len(sentences) > 1 and cells(joined(sentences, inf)) > self.room:
            del sentences[0]
        return joined(sentences, self.room)

    def _result(self) -> list[str]:
        """Of the last view."""
        view, outcome = self._match.view, self._source.opened.outcome
        lines = [
            *self._face.result(view, outcome, self._names, 70),
            *self._face.result_details(view, outcome, self._names, 70),
        ]
        return [line.plain for line in lines]

    # Keys ---------------------------------------------------------------------------------------

    def keys(self) -> Keys:
        """Help stands at the right end, whatever else has no room."""
        return entries(self.keymap, [((actions.HELP,), _("Help"))])

    def game_keys(self) -> Keys:
        plays = _("Stop") if self._autoplay is not None else pgettext("in a replay", "Autoplay")
        named, turn = self.keymap, pgettext("in a replay", "Turn")
        plies = each_named(named, (actions.LEFT, actions.RIGHT), pgettext("in a replay", "Move"))
        turns = each_named(named, (actions.UP, actions.DOWN), turn)
        others = entries(
            named,
            [
                ((actions.CHOOSE,), plays),
                ((actions.EYES,), _("Other eyes")),
                ((actions.BACK,), _("Close")),
                (
                    (actions.OWN_TURN,),
                    _("Own turn") if self._story is None else pgettext("in a replay", "Story"),
                ),
                (
                    (actions.STORY,),
                    pgettext("in a replay", "Follow") if self._story is None else _("Follow none"),
                ),
                ((actions.SPEED,), _("Speed")),
                ((actions.LOG,), _("Log")),
            ],
        )
        return [*plies, *turns, *others]

    def _own_plies(self) -> Sequence[int]:
        """Where something happens to what the player follows, if they follow something."""
        return super()._own_plies() if self._story is None else self._story.plies

    def action_story(self) -> None:
        """Follow a piece that the player picks from a list; or end that."""
        self._stop()
        at, eyes = self._wanted
        if self._story is not None:
            self._follow_piece(None)
        elif eyes in self._told:
            stories = self._face.stories(self._told[eyes], self._names)
            self.run_worker(self._pick(sorted(stories, key=lambda story: at not in story.plies)))

    async def _pick(self, stories: Sequence[Story]) -> None:
        """First come those to which something happens at this ply."""
        rows = [Row(str(n), plies_in_words(story)) for n, story in enumerate(stories)]
        none = Row("", _("Follow none"))
        at = next((str(n) for n, one in enumerate(stories) if one.words == self._picked), "")
        question = _Stories(_("Whose story?"), [], [*rows, none], safe=none, at=at)
        if answer := await self.app.push_screen_wait(question):
            story = stories[int(answer)]
            self._picked = story.words
            self._follow_piece(story)

    def _follow_piece(self, story: Story | None) -> None:
        """From where its story begins, unless something happens to it at the ply that is seen."""
        self._story = story
        self.refresh_bindings()
        at = self._wanted[0]
        self._show_again(at if story is None or at in story.plies else story.plies[0])

    def action_eyes(self) -> None:
        ply, eyes = self._wanted
        found = self._all_eyes
        self._go(ply, found[(found.index(eyes) + 1) % len(found)])

    def action_autoplay(self) -> None:
        """Begin, at the deal again when all is seen; or stop."""
        if self._autoplay is not None:
            self._stop()
            return
        if self._wanted[0] == self._last:
            self._go(0)
        self._run()

    def action_speed(self) -> None:
        self._speed = (self._speed + 1) % len(SPEEDS_S)
        if self._autoplay is not None:
            self._stop()
            self._run()
        self.say(_("Autoplay: {s} s a move.").format(s=decimal(SPEEDS_S[self._speed], "g")))

    def _run(self) -> None:
        self._autoplay = self.set_interval(SPEEDS_S[self._speed], self._go_on)
        self.refresh_bindings()

    def _go_on(self) -> None:
        if not self.is_active:
            return  # something lies on top
        self._go(self._wanted[0] + 1)
        if self._wanted[0] == self._last:
            self._stop()

    def _stop(self) -> None:
        if self._autoplay is not None:
            self._autoplay.stop()
            self._autoplay = None
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "result" or self._at[0] == self._last

    def action_result(self) -> None:
        title, *lines = self._result()
        self.app.push_screen(Pages(title, lines, newest=False))
