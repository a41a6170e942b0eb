"""What follows a match's last move: the result, unasked once, then whenever it is asked for."""

from typing import Any

from textual.app import App

from clocktowers_tui.games.face import Face
from clocktowers_tui.phrases.names import names_of
from clocktowers_tui.phrases.notices import notice_in_words
from clocktowers_tui.screens.result import Result, result_page
from clocktowers_tui.state.match import LineKind, Match
from clocktowers_tui.state.store import State
from protocol.from_server import NoticeCode
from protocol.ids import Seat


class Ending:
    """Of the match on one screen; a rematch begins it anew."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._told = ""
        """The match whose result has been shown."""
        self._result: Result | None = None

    def begins(self, match: Match) -> bool:
        """Whether the result of this match is to be shown now; says so once."""
        news = match.over and self._told != match.id
        if news:
            self._told = match.id
        return news

    def follow(self, match: Match, you: Seat | None) -> None:
        """Show who wants to play again; away with the result when that has begun."""
        if self._result is None:
            return
        if match.over:
            self._result.show_wishes(_wishes(match, you))
        elif self._result.is_current:
            self._result.dismiss("")

    async def ask(self, app: App[Any], state: State, match: Match) -> str:
        """What `Result` was answered with."""
        you = state.table.seat if state.table is not None else None
        page = result_page(match, self._face, names_of(match))
        shown = self._result = Result(page, seated=you is not None, alone=state.alone)
        shown.show_wishes(_wishes(match, you))
        answer = await app.push_screen_wait(shown)
        if self._result is shown:
            self._result = None
        return answer


def _wishes(match: Match, you: Seat | None) -> str:
    """Who else wants a rematch."""
    notices = [line.what for line in match.log if line.kind is LineKind.NOTICE]
    wishes = [notice for notice in notices if notice.code == NoticeCode.WANTS_REMATCH]
    others = [wish for wish in wishes if you is None or wish.params.get("seat") != you]
    return "\n".join(notice_in_words(wish.code, wish.params) for wish in others)
