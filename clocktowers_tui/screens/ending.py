"""What follows a match's last move: the result, once by itself, then whenever the player asks."""

from typing import Any, Final

from msgspec.structs import replace
from textual.app import App

from clocktowers_tui.config.settings import filled_in
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.registry import FACES
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.keymap import Keymap
from clocktowers_tui.new_table.drafts import begun
from clocktowers_tui.new_table.offers import levels_at, levels_of
from clocktowers_tui.phrases.chat import line_of
from clocktowers_tui.phrases.codes import notice_in_words, refused_in_words, trouble_in_words
from clocktowers_tui.phrases.history import numbers_in_words
from clocktowers_tui.phrases.match import names_of
from clocktowers_tui.phrases.tables import level_in_words, ranking_in_words
from clocktowers_tui.screens.dialogs import Question
from clocktowers_tui.screens.result import Result, Room, result_page
from clocktowers_tui.state.match import LineKind, LookedBack, Match
from clocktowers_tui.state.store import State, unread, you
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row
from protocol.from_client import Rematch, SetBot
from protocol.from_server import NoticeCode, Refused
from protocol.table import SeatKind

_LEVEL: Final = "normal"
"""Of a bot on the seat of somebody who left."""


class Ending:
    """The end of the match on a screen; a rematch resets it."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._told = ""
        """The match whose result the player has seen."""
        self._result: Result | None = None
        self._offer = ""
        self._keeps = False
        """Whether the match comes into the history."""

    def begins(self, match: Match) -> bool:
        """Whether to show the result of this match now; says so once."""
        news = match.over and self._told != match.id
        if news:
            self._told = match.id
        return news

    def follow(self, state: State, match: Match) -> None:
        """Show what the others want and say; close the result when the next match begins."""
        if self._result is None:
            return
        if match.over:
            self._show(self._result, state, match)
        else:
            self._result.close()

    def _show(self, result: Result, state: State, match: Match) -> None:
        said = [self._offer, _wishes(state, match)]
        result.show_wishes("\n".join(one for one in said if one))
        deal = "" if (looked := _looked_back(state, match)) is None else "\n".join(looked.deal)
        numbers = [*ranking_in_words(state, match), *numbers_in_words(looked, state)]
        result.show_numbers("\n".join(numbers), deal)
        result.show_kept(match.id if self._keeps and not _is_closed(state, match) else "")
        result.show_trouble(trouble_in_words(state.connection))

    async def ask(self, app: App[Any], client: Client, match: Match, room: Room) -> str:
        """The answer of `Result`. `room`: see there."""
        state, self._offer = client.state, _offer(client, match)
        self._keeps = not (client.guest or client.journey.teaches or match.aborted)
        info = state.table.info if state.table is not None else None
        page = result_page(
            match,
            self._face,
            names_of(match),
            seeded=info is not None and info.seeded,
            shared=info is not None and bool(info.deal),
            trusted=state.alone,
        )
        shown = self._result = Result(
            page,
            seated=state.seat is not None,
            alone=state.alone,
            room=room,
        )
        self._show(shown, state, match)
        answer = await app.push_screen_wait(shown)
        if self._result is shown:
            self._result = None
        return answer


async def ask_to_fill_seats(app: App[Any], client: Client) -> bool:
    """Whether a rematch can be asked for: where somebody has left, the host may put bots there
    first, and everybody may go to the table instead."""
    if (table := client.state.table) is None or not _free_seats(client.state):
        return True
    rows = [Row("table", _("To the table")), Row("board", _("Look at the board"))]
    said = _("A rematch needs a player or a bot on every seat. The host can add bots.")
    if table.is_host:
        rows = [Row("bots", _("Put bots there and play again")), *rows]
        said = _("A rematch needs a player or a bot on every seat.")
    answer = await app.push_screen_wait(
        Question(_("A player has left"), [said], rows, safe=rows[-1])
    )
    if answer == "table":
        client.change(replace(client.state, result_seen=True))
    elif answer == "bots":
        for seat in _free_seats(client.state):
            await client.journey.request(SetBot(id=0, seat=seat, level=_LEVEL))
    return answer == "bots"


def _free_seats(state: State) -> list[int]:
    seats = state.table.info.seats if state.table is not None else []
    return [number for number, seat in enumerate(seats) if seat.kind is SeatKind.FREE]


async def ask_for_rematch(client: Client) -> str:
    """Why there will be no rematch yet; "" when the player waits for the others."""
    answer = await client.journey.request(Rematch(id=0))
    if isinstance(answer, Refused):
        return refused_in_words(answer)
    if answer is None and client.state.match is not None:
        return _("The connection is lost: ask again when it is back.")
    return ""


def ended_in_words(keymap: Keymap, *, seated: bool) -> str:
    """What the player can do after closing the result."""
    said = _("{result}: result. {leave}: leave.")
    if seated:
        said = _("{result}: result, then {rematch}: rematch. {leave}: leave.")
    keys = {"result": actions.RESULT, "rematch": actions.REMATCH, "leave": actions.LEAVE}
    return said.format_map({place: keymap.name(key) for place, key in keys.items()})


def _offer(client: Client, match: Match) -> str:
    """Stronger bots than those whom the player has just beaten; each level is offered once, and
    then the form has it."""
    state, settings = client.state, client.settings
    if state.table is None or not state.alone or match.played_for or match.aborted:
        return ""
    levels = levels_of(match.game, levels_at(state.connection))
    beaten = [levels.index(one.level) for one in state.table.info.seats if one.level in levels]
    if not beaten or state.seat not in match.outcome.winners:
        return ""
    stronger = levels[max(beaten) + 1 :]
    if not stronger or settings.stronger.get(match.game) in stronger:
        return ""
    settings = replace(settings, stronger={**settings.stronger, match.game: stronger[0]})
    draft = begun(settings, FACES[match.game], solo=True)
    seats = len(state.table.info.seats)
    draft = replace(draft, seats=seats, levels=(stronger[0],) * (seats - 1))
    client.keep(filled_in(settings, match.game, draft, solo=True))
    said = _("You won. Next, {key}: try {level} bots.")
    key = client.keys.keymap.name(actions.OTHER_BOTS)
    return said.format(key=key, level=level_in_words(stronger[0]))


def _looked_back(state: State, match: Match) -> LookedBack | None:
    looked = state.looked_back
    return looked if looked is not None and looked.match == match.id else None


def _is_closed(state: State, match: Match) -> bool:
    """Whether other tables still play the deal, so that there is no record yet."""
    return not match.seed and state.table is not None and bool(state.table.info.deal)


def _wishes(state: State, match: Match) -> str:
    """Who else wants a rematch; and the newest chat line, while it is unread."""
    notices = [line.what for line in match.log if line.kind is LineKind.NOTICE]
    wishes = [notice for notice in notices if notice.code == NoticeCode.WANTS_REMATCH]
    others = [
        wish for wish in wishes if state.seat is None or wish.params.get("seat") != state.seat
    ]
    said = [line_of(line, you(state)) for line in unread(state)[-1:]]
    return "\n".join([*(notice_in_words(wish.code, wish.params) for wish in others), *said])
