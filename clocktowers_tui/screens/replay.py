"""A finished match on its board: its plies, everybody's eyes, stories, autoplay, its review.

The review is made while the match is seen: each decision is told as soon as it is judged. One that
stands in the record is there at once.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing
from itertools import accumulate
from typing import Any, ClassVar, Final

from textual.app import App
from textual.binding import BindingType
from textual.content import Content
from textual.timer import Timer
from textual.worker import Worker

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.finished import REVIEWED
from clocktowers_tui.deeds.replay import Replay, Trial, of_table
from clocktowers_tui.games.face import Story
from clocktowers_tui.games.spans import hanging
from clocktowers_tui.history import review as reviewing
from clocktowers_tui.history.record import Replayed, after, round_from
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Deed, bound
from clocktowers_tui.net.records import NoReplay, Projector
from clocktowers_tui.phrases.history import (
    comment_in_words,
    eyes_in_words,
    place_in_words,
    plies_in_words,
    story_in_words,
)
from clocktowers_tui.phrases.review import (
    Line,
    bar_in_words,
    done_in_words,
    explained,
    no_other_mistake_in_words,
    progress_in_words,
    review_in_words,
    stopped_in_words,
    sum_in_words,
    verdicts_in_words,
)
from clocktowers_tui.phrases.tables import line_of
from clocktowers_tui.screens.bound_actions import (
    Keys,
    bound_deeds,
    entries,
    keys_in_help,
    keys_in_line,
)
from clocktowers_tui.screens.dialogs import Pages, Question
from clocktowers_tui.screens.ply_by_ply import OF_PLIES, PlyByPly
from clocktowers_tui.state.store import State, unread, you
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import N_, _, decimal, pgettext
from clocktowers_tui.widgets.banner import Banner
from clocktowers_tui.widgets.menu import Row
from clocktowers_tui.widgets.panel import Flowing, Reader
from protocol.recording import Finding, Judged

_ROWS: Final = 3
"""Rows of their own for what a review or a comment says, as in `places.tcss`; where there are
`_HIGH` rows, one more."""
_HIGH: Final = 30
_FRAME: Final = 10
"""Cells beside the graph of a page."""
_WIDEST: Final = 76
"""Columns from which on a page grows no wider."""
_BESIDE: Final = 60
"""Columns of the page beside a board."""
_ROOM_BESIDE: Final = 80 + _BESIDE
_SLOW_S: Final = 30.0
"""Seconds without a finding after which the review says that the machine is busy."""
_WIDE: Final = 100
"""Columns from which on the first line says where the biggest mistake is."""
SPEEDS_S: Final = (2.0, 1.0, 0.4)
"""Seconds a ply, of the autoplay."""


class _Stories(Question):
    """The key that asks ends it, too, as it ends a story."""

    BINDINGS: ClassVar[list[BindingType]] = [bound(actions.STORY, "safe", N_("Follow none"))]


class _Marking(Reader):
    """The arrows move a mark, and the text after it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.UP, "screen.mark(-1)"),
        bound(actions.DOWN, "screen.mark(1)"),
    ]


class ReviewPages(Pages):
    """The page stands beside the board, which gets narrower for it; where only one of them has
    room, it lies over the board. Marked is the mistake at `ply`, which the board shows, else the
    biggest; the arrows mark another, and `go` is done with the ply of the marked one, and whether
    it is tried again. `go_on`: where it has stopped."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.CONFIRM, "lead(False)"),
        bound(actions.TRY, "lead(True)"),
        bound(actions.REVIEW, "go_on"),
    ]
    reader = _Marking

    def __init__(
        self,
        lines: Sequence[Line],
        ply: int,
        go: Callable[[int, bool], object],
        go_on: Callable[[], object],
    ) -> None:
        super().__init__(pgettext("in a replay", "Review"), (), newest=False)
        self._goes, self.action_go_on = go, go_on
        self.take(lines, ply)

    def take(self, lines: Sequence[Line], ply: int) -> None:
        """There may be more now."""
        self._told = lines
        self._marks = [(n, line.one.ply) for n, line in enumerate(lines) if line.one is not None]
        self._at = next((n for n, (_row, at) in enumerate(self._marks) if at == ply), 0)
        for flowing in self.query(Flowing):  # a page that has just been opened has none yet
            flowing.flow()
        self.call_after_refresh(self.refresh_bindings)

    def laid(self, width: int) -> Iterator[Content | str]:
        marked = self._marks[self._at][0] if self._marks else None
        for n, (text, one) in enumerate(self._told):
            text = f"> {text.strip()}" if n == marked else text
            dim = one is not None and not reviewing.is_mistake(one) and n != marked
            yield from (Content.styled(row, "dim" * dim) for row in hanging(text, width))

    def keys(self) -> Keys:
        if not self._marks:
            return super().keys()
        own: list[tuple[Sequence[Action], str]] = [((actions.CONFIRM,), _("Go there"))]
        own.append(((actions.TRY,), _(actions.TRY.words)))
        own.append(((actions.UP, actions.DOWN), _("Other mistake")))
        if any(reader.max_scroll_y for reader in self.query(Reader)):
            own.append(((actions.PAGE_DOWN,), _(actions.PAGE_DOWN.words)))
        return [*entries(self.keymap, own), *super().keys()[1:]]

    def help_keys(self) -> Keys:
        """Those of the page first, as its last line has them. There is no field to go to."""
        told = {actions.CONFIRM, actions.TRY, actions.UP, actions.DOWN, actions.PAGE_DOWN}
        told |= {actions.BACK, actions.NEXT, actions.PREVIOUS}
        others = [one for one in self.bound if one.action not in told]
        return [*self.keys(), *keys_in_help(others)]

    def arrive(self) -> None:
        super().arrive()
        self.call_after_refresh(self.refresh_bindings)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "lead" or bool(self._marks)

    def on_resize(self) -> None:
        self._get_room(self.size.width >= _ROOM_BESIDE)
        self.call_after_refresh(self.refresh_bindings)

    def _rows(self) -> Sequence[int]:
        """Where the mistakes stand, and how long the page is."""
        width = self.query_one(Flowing).size.width
        ends = [0, *accumulate(len([*hanging(line.text, width)]) for line in self._told)]
        return [*(ends[n] for n, _ply in self._marks), ends[-1]]

    def _show_mark(self) -> None:
        """With what is said of it."""
        reader, rows = self.query_one(Reader), self._rows()
        last = rows[self._at + 1] - reader.size.height
        top = min(rows[self._at], max(int(reader.scroll_y), last))
        reader.scroll_to(y=top, animate=False, immediate=True)

    def _is_in_sight(self) -> bool:
        reader, row = self.query_one(Reader), self._rows()[self._at]
        return reader.scroll_y <= row < reader.scroll_y + reader.size.height

    def action_mark(self, by: int) -> None:
        """The next mistake, of those in sight first; where there is none the text goes on."""
        reader, (*rows, _end) = self.query_one(Reader), self._rows()
        edge = reader.scroll_y + (-1 if by > 0 else reader.size.height)
        here = rows[self._at] if rows and self._is_in_sight() else edge
        if found := [n for n, row in enumerate(rows) if (row - here) * by > 0][::by]:
            self._at = found[0]
            self.query_one(Flowing).flow()
            self._show_mark()
            self._goes(self._marks[self._at][1], False)
        else:
            reader.action_scroll(by)

    def action_lead(self, tries: bool) -> None:
        self.dismiss()
        self._goes(self._marks[self._at][1], tries)

    def on_unmount(self) -> None:
        self._get_room(False)

    def _get_room(self, beside: bool) -> None:
        for screen in self.app.screen_stack:
            screen.set_class(beside, "-reads")


class ReplayScreen(PlyByPly):
    """Where each ply can be seen from all eyes. `reviews`: the review begins by itself, as it does
    where the record has one, and its page opens. A file with comments opens following them.
    `leads`: it begins with leading the others at the table."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (_HIGH, "-high")]  # noqa: RUF012  (so in Textual)

    deeds = REVIEWED
    BINDINGS: ClassVar[list[BindingType]] = [
        *bound_deeds(REVIEWED, *OF_PLIES),
        bound(actions.CHAT, "app.chat", at_once=True),
    ]

    def __init__(
        self, client: Client, replay: Replay, *, reviews: bool = False, leads: bool = False
    ) -> None:
        super().__init__(client, replay, replay.begins_at)
        self._replay = replay
        self._shared = replay.shared
        self._leads_first = leads
        self._heard = ""
        """The newest line of the chat that has not been read."""
        self._reviews = reviews
        """It leads to the biggest mistake, until the player moves or reads something else."""
        self._review: reviewing.Reviewed | None = None
        self._making: Worker[None] | None = None
        self._is_slow = False
        """Nothing has been found for a while."""
        self._news, self._news_at = "", -1
        """What to say at a ply, until the player goes to another."""
        self._seen = -1
        """The mistake to which the player went last."""
        self._lays = ""
        """Which move of a mistake lies on the board, as a hint does: "better" or "played"; "" =
        what came of it is seen."""
        self._at_ms = 0
        self._story: Story | None = None
        """What `n` leads along; None: the player's own turns."""
        self._picked = ""
        """The words of the story that was followed last."""
        self._autoplay: Timer | None = None
        self._speed = 1

    # What is seen -------------------------------------------------------------------------------

    def _say_where(self, at_ms: int) -> None:
        """With whom the player looks at it, too."""
        self._at_ms = at_ms
        ply, eyes = self._at
        turn = self._face.turn(self._decided) if self._face.in_turns else 0
        place = place_in_words(ply, self._plies.last, turn)
        laid, one = [], self._mistake(ply) if self._lays else None
        if isinstance(one, Judged) or (one is not None and self._face.was_there(one.view)):
            better = self._lays == "better"
            laid = [_("shown: the better move") if better else _("shown: the move played")]
            eyes = one.seat
        story = [] if self._story is None else [story_in_words(self._story, ply)]
        seen = [place, *laid, *self._shared.in_words(), *story, eyes_in_words(eyes, self._names)]
        self.query_one(Banner).show(seen, self._beside(at_ms), place)
        self.set_class(bool(self._review or self._replay.comments), "-told")
        self.show_keys()

    async def _show(self, ply: int, eyes: int) -> None:
        """Of a mistake the board as it was before, with what could have been done, or was."""
        await super()._show(ply, eyes)
        one, scene, better = self._mistake(ply), self._board.scene, self._lays == "better"
        if not self._lays or self._gone or scene is None:
            return
        if isinstance(one, Judged):
            review = self._of_eyes
            why = explained(self._face, review, one).why if review is not None else ()
            self._board.leap(None, one.view, self._names, log=scene.log)
            self._board.suggest(one.best if better else one.action)
            self._board.mark(*(one.action, "") if better else (None, " ".join(why)))
        elif one is not None and better:
            view = self._face.best(one.view, one.came if one.hit else None)
            self._board.leap(None, view, self._names, log=scene.log)

    def _beside(self, at_ms: int) -> str:
        """How far the review of these eyes is; then what it has found; in a race the time."""
        said, review = "", self._of_eyes
        if review is not None and review.share < reviewing.ALWAYS:
            said = bar_in_words(review, slow=self._is_slow) if self._making is not None else ""
        elif review is not None:
            said = sum_in_words(self._face, review, self._at[0], self.size.width >= _WIDE)
        return "  ".join(filter(None, [said, self._race_time(at_ms)]))

    # Keys ---------------------------------------------------------------------------------------

    def keys(self) -> Keys:
        """Help stands at the right end, whatever else has no room."""
        return keys_in_line(one for one in self.bound if one.action == actions.HELP)

    def game_keys(self) -> Keys:
        order = [key for deed in self.deeds for key in deed.keys]
        here = self._mistake(self._wanted[0])
        if here is None or here.seat != self._reviewed_seat():  # asked for where there is one
            order.remove(actions.TRY)
        if not self._mistakes():
            order.remove(actions.MISTAKE)
        if here is None:
            order.remove(actions.HINT)
        found = [one for one in self.bound if one.action in order]
        return keys_in_line(self._by_deeds(found), self.short_words())

    def short_words(self) -> dict[Action, str]:
        words = {**super().short_words(), actions.CHOOSE: pgettext("in a replay", "Run")}
        words[actions.STORY] = pgettext("in a replay", "Follow")
        words[actions.REVIEW] = pgettext("in a replay", "Review")
        words[actions.WHAT_IF] = _("What if")
        words[actions.MISTAKE] = pgettext("in a replay", "Mistake")
        words[actions.HINT] = _("Played") if self._lays == "better" else _("Better")
        words[actions.TOGETHER] = self._shared.key_in_words()
        if self._autoplay is not None:
            words[actions.CHOOSE] = _("Stop")
        if self._story is not None:
            words[actions.OWN_TURN] = pgettext("in a replay", "Story")
            words[actions.STORY] = _("Follow none")
        return words

    def _own_plies(self) -> Sequence[int]:
        """Where something happens to what the player follows, if they follow something."""
        return super()._own_plies() if self._story is None else self._story.plies

    def do_story(self) -> None:
        """Follow a piece that the player picks from a list; or end that."""
        self._stop()
        at, eyes = self._wanted
        if self._story is not None:
            self._follow_piece(None)
        elif eyes in self._plies.told:
            stories = [*self._commented(), *self._face.stories(self._plies.told[eyes], self._names)]
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

    def do_eyes(self) -> None:
        ply, eyes = self._wanted
        found = self._plies.all_eyes
        self._go(ply, found[(found.index(eyes) + 1) % len(found)])
        self.refresh_bindings()

    def do_autoplay(self) -> None:
        """Begin, at the deal again when all is seen; or stop."""
        if self._autoplay is not None:
            self._stop()
            return
        if self._wanted[0] == self._plies.last:
            self._go(0)
        self._run()

    def do_speed(self) -> None:
        self._speed = (self._speed + 1) % len(SPEEDS_S)
        if self._autoplay is not None:
            self._stop()
            self._run()
        self.say(_("Speed: {s} s a move.").format(s=decimal(SPEEDS_S[self._speed], "g")))

    def _run(self) -> None:
        self._autoplay = self.set_interval(SPEEDS_S[self._speed], self._go_on)
        self.refresh_bindings()

    def _go_on(self) -> None:
        if not self.is_active:
            return  # something lies on top
        self._go(self._wanted[0] + 1)
        if self._wanted[0] == self._plies.last:
            self._stop()

    def _stop(self) -> None:
        if self._autoplay is not None:
            self._autoplay.stop()
            self._autoplay = None
            self.refresh_bindings()

    def do_result(self) -> None:
        title, *lines = self._result()
        self.app.push_screen(Pages(title, lines, newest=False))

    # Comments, the review, and those who look together -------------------------------------------

    def on_mount(self) -> None:
        if not self._replay.match:
            self._story = next(iter(self._commented()), None)
        if self._reviews or reviewing.has_review(self._replay.line):
            self._begin_review()
        if self._leads_first:
            self.run_worker(self.do_together(), group="together")

    async def on_unmount(self) -> None:
        self._shared.end()

    def show(self, state: State) -> None:
        """Go along with the leader. A player of the next match goes to it."""
        if self._gone:
            return
        if state.seat is not None and state.match is not None and not state.match.over:
            self.dismiss()  # as soon as nothing lies on top
            return
        ply = self._shared.hear()
        if ply is not None and min(ply, self._plies.last) != self._wanted[0]:
            self._stop()
            self._news_at, self._lays = -1, ""
            super()._go(ply)
        new = unread(state)
        before, self._heard = self._heard, line_of(new[-1], you(state)) if new else ""
        if self._heard not in ("", before):
            self.say(fit(self._heard, self.room))
        self._show_review()

    def on_screen_resume(self) -> None:
        self.show(self._client.state)

    def on_screen_suspend(self) -> None:
        self._reviews &= isinstance(self.app.screen, ReviewPages)

    def _what_happened(self) -> str:
        """With what somebody has said of it."""
        said, comment = self._judged(), self._replay.comments.get(self._at[0])
        return f"{said}\n{comment_in_words(comment)}" if comment else said

    def _judged(self, less: int = 0) -> str:
        """At a decision of the player: what it was worth, as far as that is known."""
        review, ply = self._of_eyes, self._at[0]
        if self._news_at == ply:
            return self._news
        if review is None or (one := self._finding(ply)) is None:
            return super()._what_happened()
        rows = _ROWS + (self.size.height >= _HIGH) - less - (ply in self._replay.comments)
        return self.fitting([*verdicts_in_words(self._face, review, one)], rows)

    def _finding(self, ply: int) -> Finding | None:
        """Of the player whose eyes these are; else of another, what the page tells."""
        if (review := self._of_eyes) is None:
            return None
        own = (one for one in review.findings if one.seat == review.seat)
        told = (*own, *reviewing.worst_of_others(review))
        return next((one for one in told if one.ply == ply), None)

    def _mistake(self, ply: int) -> Finding | None:
        """The same, if it is a mistake."""
        one = self._finding(ply)
        return one if one is not None and reviewing.is_mistake(one) and not one.by_bot else None

    def may(self, deed: Deed) -> bool:
        if deed.word == "result":
            return self._at[0] == self._plies.last
        if deed.word == "what if":
            return self._face.in_turns
        if deed.word == "together":
            return deed.is_for(self._client) and self._shared.may
        return super().may(deed)

    async def do_together(self) -> None:
        await self._shared.switch(self, self._wanted[0])
        refusal = self._sentence if self._objects else ""
        self.show(self._client.state)
        if refusal:
            self.object(refusal)
        elif self._at[0] >= 0:  # the answer has taken the sentence away
            self.say(self._what_happened())

    async def do_whatif(self) -> None:
        """From the board that is seen: a better move that lies on it is played first."""
        self._stop()
        ply = self._wanted[0]
        one = self._mistake(ply) if self._lays == "better" else None
        if isinstance(one, Judged):
            trial = await self._replay.play_on(one.seat, ply - 1)
            trial.first = one.best
        else:
            trial = await self._replay.play_on(self._reviewed_seat(), ply)
        await self._play_on(trial)

    async def do_try(self) -> None:
        """The move that has just been made, if it is the player's; else their next mistake; in a
        race their last card."""
        self._stop()
        ply, seats = self._wanted[0], self._plies.source.opened.seats
        seat = self._reviewed_seat()
        if self._face.in_turns and (not ply or seats[ply - 1] != seat):
            ply = after(sorted(self._mistakes()), ply, ply) if ply else self._biggest() or 0
        again = self._replay.try_again(self._wanted[1], seat, ply, self._review)
        await self._play_on(await again)

    async def _play_on(self, trial: Trial) -> None:
        from clocktowers_tui.screens.what_if import WhatIf

        def back(_nothing: None) -> None:
            if trial.tries and not self._shared.follows:
                self._compare(trial.begun + 1)

        await self.app.push_screen(WhatIf(self._client, trial), back)

    def _commented(self) -> Sequence[Story]:
        """The plies with comments, to go from one to the next; none without any."""
        plies = self._replay.commented
        return [Story(_("Comments"), plies)] if plies else []

    async def do_comment(self) -> None:
        self._stop()
        ply = self._wanted[0]
        if not await self._replay.comment(self, ply):
            return
        if self._story is not None and self._story.words == _("Comments"):
            self._story = next(iter(self._commented()), None)
        self._show_again(ply)

    def _begin_review(self) -> None:
        """It ends with the screen."""
        review = self._of_eyes
        if self._making is None and (review is None or not review.whole):
            self._making = self.run_worker(self._make(self._reviewed_seat()), group="making")
            self._show_review()

    def do_review(self) -> None:
        """Show what is found by now, or as soon as it has begun."""
        self._begin_review()
        if (review := self._of_eyes) is None:
            self._reviews = True
            self.say(_("The review is being made: mistakes come as they are found."))
        else:
            self._review = review
            self.refresh_bindings()
            lines, ply = self._page_of(review), self._wanted[0]
            page = ReviewPages(lines, ply, self._lead, self._begin_review)
            self.app.push_screen(page)

    def _lead(self, ply: int, tries: bool) -> None:
        self._stop()
        self._compare(ply)
        if tries:
            self.action_do("try")

    def _page_of(self, review: reviewing.Reviewed) -> Sequence[Line]:
        """While it is being made, how far it is, too."""
        widest = _BESIDE if self.size.width >= _ROOM_BESIDE else _WIDEST
        width = min(self.size.width, widest) - _FRAME
        lines = [*review_in_words(self._face, review, width)]
        return lines if review.whole else [Line(self._how_far(review)), *lines]

    def _how_far(self, review: reviewing.Reviewed) -> str:
        if self._making is None:
            return stopped_in_words(review, self.keymap)
        return progress_in_words(review, slow=self._is_slow)

    def _reviewed_seat(self) -> int:
        """The player whose eyes these are; else of whom there is a review, or who looks at it."""
        eyes = self._wanted[1]
        if eyes >= 0:
            return eyes
        return self._review.seat if self._review is not None else self._plies.me or 0

    @property
    def _of_eyes(self) -> reviewing.Reviewed | None:
        """The review of that player, as far as it is made."""
        return self._review and self._review._replace(seat=self._reviewed_seat())

    async def _make(self, seat: int) -> None:
        line, match = self._replay.line, self._replay.match
        self._news_at, self._is_slow = -1, False
        waiting = self.set_interval(_SLOW_S, self._wait)
        if self._reviews:
            self._tell(_("The review is being made: mistakes come as they are found."))
        try:
            async with aclosing(reviewing.made(line, match, seat, self._review)) as review:
                async for newest in review:
                    waiting.reset()
                    self._is_slow = False
                    self._found(newest)
        except NoReplay as error:
            self._making = None
            self._tell(str(error) if self._review is None else self._how_far(self._review))
        else:
            if self._wanted[0] not in self._mistakes():  # what is better there matters more
                self._tell(self.fitting(done_in_words(newest, self.keymap, self._wanted[0])))
            if self._reviews and not self._shared.follows and (ply := self._biggest()):
                self._compare(ply)
        finally:
            waiting.stop()
        self._making = None
        self._show_review()

    def _wait(self) -> None:
        if not self._is_slow:
            self._is_slow = True
            self._show_review()

    def _tell(self, news: str) -> None:
        self._news, self._news_at = news, self._wanted[0]
        if self._at[0] == self._news_at:
            self.say(self._what_happened())

    def _found(self, newest: reviewing.Reviewed) -> None:
        old, begins, self._review = self._mistakes(), self._review is None, newest
        self._show_review()
        if begins and self._reviews and self.is_active:
            self.do_review()
        answered = self._objects and old != self._mistakes()
        if answered or any(one.ply == self._at[0] for one in newest.findings):
            self.say(self._what_happened())

    def _show_review(self) -> None:
        self.refresh_bindings()
        if isinstance(page := self.app.screen, ReviewPages) and (review := self._of_eyes):
            page.take(self._page_of(review), self._wanted[0])
        if self._at[0] >= 0 and not self._gone:
            self._say_where(self._at_ms)

    def _go(self, ply: int, eyes: int | None = None) -> None:
        ply = self._plies.bounded(ply)
        if ply != self._wanted[0]:
            self._news_at = -1
            self._shared.moved(ply)
        was = self._wanted
        super()._go(ply, eyes)
        if self._wanted != was:
            self._reviews, self._lays = False, ""

    def _compare(self, ply: int, lays: str = "better") -> None:
        """Go there, where a mistake has the better move on the board."""
        self._show_again(ply)
        self._reviews, self._lays, self._seen = False, lays, ply

    def do_better(self) -> None:
        self._stop()
        if self._mistake(self._wanted[0]) is None:
            self.puzzled(self.keymap.name(actions.HINT))
        else:
            self._compare(self._wanted[0], "played" if self._lays == "better" else "better")

    def _mistakes(self) -> Sequence[int]:
        """Their plies."""
        review = self._of_eyes
        return reviewing.plies_of_mistakes(review) if review is not None else ()

    def _biggest(self) -> int | None:
        """The ply of the mistake that cost most."""
        lost = reviewing.mistakes(self._of_eyes) if self._of_eyes is not None else ()
        return lost[0].ply if lost else None

    def do_mistake(self) -> None:
        self._to_mistake(1)

    def do_mistakebefore(self) -> None:
        self._to_mistake(-1)

    def _to_mistake(self, by: int) -> None:
        """To the next, the biggest first, behind the last to the first again; as long as not all
        are known, only on or back."""
        review, at = self._of_eyes, self._wanted[0]
        whole = review is not None and review.share >= reviewing.ALWAYS
        there = round_from(self._mistakes(), at, by, self._seen, whole=whole)
        self._stop()
        if review is None:
            self._begin_review()
            self.say(_("The review is being made: mistakes come as they are found."))
        elif there is None:
            done = done_in_words(review, self.keymap, at)[0] if review.whole else ""
            said, known = done or self._how_far(review), self._mistakes()
            said = no_other_mistake_in_words(known, at) if at in known else said
            self.object("\n".join(dict.fromkeys((said, self._judged(less=1)))))
        else:
            self._compare(there)


async def see_again(
    app: App[Any],
    client: Client,
    match: str,
    me: int | None,
    *,
    reviews: bool = False,
    then: Callable[[None], None] | None = None,
) -> None:
    """Show a match of the history, and do `then` when it is closed. Raises NotDone."""
    line = await asyncio.to_thread(reviewing.whole_record, match)
    replay = Replay(client, await Projector.start(line), Replayed(line, me, match=match))
    await app.push_screen(ReplayScreen(client, replay, reviews=reviews), then)


async def see_together(
    app: App[Any], client: Client, then: Callable[[None], None] | None = None
) -> None:
    """Show the match of the table, looking along where somebody leads, else leading; and do `then`
    when it is closed. Raises NotDone."""
    replay = await of_table(client)
    if any(isinstance(screen, ReplayScreen) for screen in app.screen_stack):
        await replay.source.stop()
        return
    screen = ReplayScreen(client, replay, leads=not replay.shared.follows)
    await app.push_screen(screen, then)
