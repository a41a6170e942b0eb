"""A finished match on its board, with what a review says of the player's decisions.

The review is made while the match is seen: each decision is told as soon as it is judged.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Any, ClassVar, Final, NamedTuple

from textual import work
from textual.app import App
from textual.binding import BindingType
from textual.worker import Worker

from clocktowers_tui.deeds.client import Client
from clocktowers_tui.history import matches
from clocktowers_tui.history.making import made
from clocktowers_tui.history.matches import NoHistory
from clocktowers_tui.history.review import Reviewed, is_mistake, own
from clocktowers_tui.history.turns import after, before
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import bound
from clocktowers_tui.net.replaying import NoReplay, Projector
from clocktowers_tui.net.reviewing import NoReview
from clocktowers_tui.phrases.history import no_history_in_words, no_replay_in_words
from clocktowers_tui.phrases.review import (
    done_in_words,
    found_in_words,
    mistakes_in_words,
    no_review_in_words,
    progress_in_words,
    review_in_words,
)
from clocktowers_tui.screens.bound_actions import entries
from clocktowers_tui.screens.dialogs import Pages, Question
from clocktowers_tui.screens.replay import ReplayScreen
from clocktowers_tui.text.fitting import fit
from clocktowers_tui.text.i18n import _, pgettext
from clocktowers_tui.widgets.key_line import Keys
from clocktowers_tui.widgets.menu import Row
from protocol.text import cells

_FRAME: Final = 10
"""Cells beside the graph of a page."""
_WIDEST: Final = 76
"""Columns from which on a page grows no wider."""


class Recorded(NamedTuple):
    """`line`: the record. `match`: its id in the history; "" of a file. `me`: the player's seat."""

    line: bytes
    match: str = ""
    me: int | None = None


class ReviewedReplay(ReplayScreen):
    """`reviews`: the review begins by itself."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bound(actions.REVIEW, "review"),
        bound(actions.MISTAKE, "by_mistake(1)"),
        bound(actions.MISTAKE_BEFORE, "by_mistake(-1)"),
    ]

    def __init__(
        self,
        client: Client,
        projector: Projector,
        recorded: Recorded,
        ply: int | None = None,
        *,
        reviews: bool = False,
    ) -> None:
        super().__init__(client, projector, recorded.me, ply)
        self._recorded = recorded
        self._reviews = reviews
        self._review: Reviewed | None = None
        self._making: Worker[None] | None = None
        self._news, self._news_at = "", -1
        """What to say at a ply, as long as nothing better is known of it."""

    def on_mount(self) -> None:
        if self._reviews:
            self.action_review()

    # What is seen -------------------------------------------------------------------------------

    def _what_happened(self) -> str:
        """At a decision of the player: what it was worth, as far as that is known."""
        review, ply = self._review, self._at[0]
        found = (one for one in review.findings if one.seat == review.seat) if review else ()
        one = next((one for one in found if one.ply == ply), None)
        if review is None or one is None:
            return self._news if self._news_at == ply else super()._what_happened()
        sentences = found_in_words(self._face, review, one)
        fitting = (said for said in sentences if cells(said) <= self.room)
        return fit(next(fitting, sentences[-1]), self.room)

    def game_keys(self) -> Keys:
        words = pgettext("in a replay", "Review")
        if self._making is not None and self._review is not None:
            words = progress_in_words(self._review, short=True)
        mistakes = [((actions.MISTAKE,), pgettext("in a replay", "Mistake"))]
        own = [*(mistakes if self._mistakes() else []), ((actions.REVIEW,), words)]
        return [*entries(self.keymap, own), *super().game_keys()]

    # Keys ---------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "by_mistake":
            return bool(self._mistakes())
        return super().check_action(action, parameters)

    def action_review(self) -> None:
        """Begin, stop what is under way, or show what is found."""
        seat = self._reviewed_seat()
        if self._making is not None:
            self._making.cancel()
            said = _("The review has been stopped. {key}: go on")
            self._tell(said.format(key=self.keymap.name(actions.REVIEW)))
        elif self._review is not None and self._review.whole:
            self._review = self._review._replace(seat=seat)
            self.refresh_bindings()
            width = min(self.size.width, _WIDEST) - _FRAME
            lines = [*review_in_words(self._face, self._review, width)]
            words = pgettext("in a replay", "Go to a mistake")
            leads = (words, self._choose_mistake) if self._mistakes() else None
            title = pgettext("in a replay", "Review")
            self.app.push_screen(Pages(title, lines, newest=False, leads=leads))
        else:
            self._making = self.run_worker(self._make(seat), group="review")

    def _reviewed_seat(self) -> int:
        """The player whose eyes these are; else of whom there is a review, or who looks at it."""
        eyes = self._wanted[1]
        if eyes >= 0:
            return eyes
        return self._review.seat if self._review is not None else self._own or 0

    async def _make(self, seat: int) -> None:
        line, match, _me = self._recorded
        try:
            async with aclosing(made(line, match, seat, self._review)) as review:
                async for newest in review:
                    self._found(newest)
        except NoReview as error:
            self._tell(no_review_in_words(str(error)))
        else:
            self._tell(done_in_words(newest, self.keymap))
        finally:
            self._making = None
            self.refresh_bindings()

    def _tell(self, news: str) -> None:
        self._news, self._news_at = news, self._wanted[0]
        if self._at[0] == self._news_at:
            self.say(self._what_happened())

    def _found(self, newest: Reviewed) -> None:
        self._review = newest
        self.refresh_bindings()
        if any(one.ply == self._at[0] for one in newest.findings):
            self.say(self._what_happened())

    def _mistakes(self) -> Sequence[int]:
        """Their plies."""
        findings = own(self._review) if self._review is not None else ()
        return [one.ply for one in findings if is_mistake(one)]

    @work
    async def _choose_mistake(self) -> None:
        """From a list, and go there."""
        assert self._review is not None
        found = mistakes_in_words(self._face, self._review)
        rows = [Row(str(ply), said) for ply, said in found]
        here, none = str(self._at[0]), Row("", _("Close"))
        question = Question(_("Go to which mistake?"), [], rows, safe=none, at=here)
        if answer := await self.app.push_screen_wait(question):
            self._stop()
            self._go(int(answer))

    def action_by_mistake(self, by: int) -> None:
        """To the next, and behind the last to the first again; as long as not all are known, only
        on or back."""
        plies, at = self._mistakes(), self._wanted[0]
        there = after(plies, at, at) if by > 0 else before(plies, at)
        self._stop()
        if there in plies and there != at:
            self._go(there)
        elif self._making is None and plies != [at]:
            self._go(plies[0 if by > 0 else -1])
        elif by > 0:
            self.object(_("No mistake is known after this move."))
        else:
            self.object(_("No mistake is known before this move."))


async def see_again(
    app: App[Any],
    client: Client,
    match: str,
    me: int | None,
    *,
    reviews: bool = False,
    then: Callable[[None], None] | None = None,
) -> str:
    """Show a match of the history, and do `then` when it is closed. Returns why that is impossible;
    "" when it is seen."""
    try:
        line = await asyncio.to_thread(matches.line_of, match)
        projector = await Projector.start(line)
    except NoHistory as error:
        return no_history_in_words(error)
    except NoReplay as error:
        return no_replay_in_words(str(error))
    recorded = Recorded(line, match, me)
    await app.push_screen(ReviewedReplay(client, projector, recorded, reviews=reviews), then)
    return ""
