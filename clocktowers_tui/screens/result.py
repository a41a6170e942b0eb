"""How a match ended, laid over its board; whether the shuffle was the promised one; what next."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from clocktowers_tui.config.look import Look
from clocktowers_tui.deeds.client import Client
from clocktowers_tui.deeds.match import RESULT
from clocktowers_tui.deeds.together import offer
from clocktowers_tui.games.face import Face
from clocktowers_tui.games.pane import survive
from clocktowers_tui.games.standings import ResultLine, ranked
from clocktowers_tui.keys import actions
from clocktowers_tui.keys.actions import Action, Context
from clocktowers_tui.phrases.codes import broken_off_in_words, notice_in_words, trouble_in_words
from clocktowers_tui.phrases.match import names_of, proof_in_words
from clocktowers_tui.phrases.numbers import numbers_in_words
from clocktowers_tui.phrases.tables import line_of, ranking_in_words
from clocktowers_tui.screens.bound_actions import KeyLine, Keys, bound_deeds, entry, keys_in_line
from clocktowers_tui.screens.dialogs import Dialog, copy_deal, share
from clocktowers_tui.screens.place import OPENS_CHAT, DeedScreen
from clocktowers_tui.state.match import LineKind, Match
from clocktowers_tui.state.store import State, unread, you
from clocktowers_tui.text.i18n import _, ngettext
from clocktowers_tui.text.spelling import spelt
from clocktowers_tui.widgets.panel import (
    CORNERS,
    SCROLLS,
    Flowing,
    Panel,
    Picture,
    Rows,
    Scrolled,
)
from protocol.from_server import NoticeCode
from protocol.text import cells

Lines: TypeAlias = Callable[[int], Sequence[Content]]
"""The lines for a width in cells."""

_BESIDE: Final = 5
"""Columns of the frame, its margins and the scroll bar."""
_POINTS: Final = 34
"""Columns that the points need beside the picture."""
_SHORTEST: Final = 8
"""Cells that bars need; with less room there are none."""
_GAP: Final = 2
_BAR: Final = "█"


class Page(NamedTuple):
    """`title`: who won. `foot`: how long it took. `lines`: everything else: the points first,
    before them only that the shuffle was not fair. `promised`: the SHA-256 of its seed, which the
    server told before the match; "" none was. `picture`: draws what stands above all that, with a
    look, in so many columns and rows at most."""

    title: str
    foot: str
    lines: Lines
    promised: str = ""
    picture: Callable[[Look, int, int], Rows] = lambda look, width, height: ()


def result_page(state: State, match: Match, face: Face) -> Page:
    """Where the player's own machine has shuffled, only what is wrong is worth a word."""
    if match.aborted:
        return Page(_("The match is over"), "", lambda width: [Content(broken_off_in_words())])
    turns, own = face.turn(match.view), match.view.seat
    names = [_("You") if seat == own else name for seat, name in enumerate(names_of(match))]
    info = None if state.table is None else state.table.info
    seeded = info is not None and info.seeded
    proof = proof_in_words(match, face, info)

    def lines(width: int) -> Sequence[Content]:
        _title, *first = drawn(face.result(match.view, match.outcome, names, width))
        details = drawn(face.rounds(match.events, names, width))
        details += drawn(face.result_details(match.view, match.outcome, names, width))
        points = [*_with_bars(first, match.outcome, width), Content(""), *details]
        said = Content.styled(proof.words, "bold $danger" if proof.broken else "dim")
        if proof.broken:
            return [said, *points]
        return points if state.alone else [*points, said]

    def picture(look: Look, width: int, height: int) -> Rows:
        return face.end_art(look, match.view, match.outcome, names, width, height)

    title = face.result(match.view, match.outcome, names, 100)[0].plain
    foot = ngettext("{n} turn", "{n} turns", turns).format(n=turns)
    if not face.in_turns:
        rounds = face.round(match.view)
        foot = ngettext("{n} round", "{n} rounds", rounds).format(n=rounds)
    if match.played_for:
        if len(names) > 1 and [own] == [*match.outcome.winners]:
            title = _("You win with a bot’s last moves: it does not count")
        foot = _("{turns}; a bot played the last ones for you").format(turns=foot)
    return Page(title, foot, lines, "" if seeded else match.sha256, picture)


def show_end(picture: Picture, draw: Callable[[], Rows]) -> int:
    """What a match has come to, as high as it is drawn; nothing takes no row. Returns how many
    columns of it are drawn."""
    try:
        rows = draw()
    except Exception as error:  # a server may tell what cannot be
        survive(error)
        rows = ()
    picture.display, picture.styles.height = bool(rows), len(rows)
    picture.draw(lambda _width, _height: rows)
    return max((sum(cells(text) for text, _style in row) for row in rows), default=0)


def drawn(lines: Sequence[ResultLine]) -> list[Content]:
    """As a screen shows them."""
    return [Content.styled(line.plain, line.style) for line in lines]


def _with_bars(lines: Sequence[Content], outcome: Any, width: int) -> Sequence[Content]:
    """The last lines are the seats, best first: each gets a bar as long as its points, where these
    decided and there is room."""
    seats = ranked(outcome)
    rows = lines[-len(seats) :]
    before = max(row.cell_length for row in rows) + _GAP
    room, most = width - before, max(outcome.scores)
    if len(seats) < 2 or room < _SHORTEST or most <= 0:
        return lines
    if any(outcome.scores[seat] < most for seat in outcome.winners):
        return lines
    barred = []
    for seat, row in zip(seats, rows, strict=True):
        bar = spelt(_BAR) * round(room * max(0, outcome.scores[seat]) / most)
        style = "$turn" if seat in outcome.winners else "$accent"
        barred.append(Content.assemble(row, " " * (before - row.cell_length), (bar, style)))
    return [*lines[: -len(seats)], *barred]


async def share_last(screen: DeedScreen[Any], client: Client) -> None:
    """The match that has just ended."""
    from clocktowers_tui.deeds.looking_back import line_to  # seldom used

    match, looked = client.state.match, client.state.looked_back
    line = "" if match is None else line_to(client.journey, match)
    kept = "" if match is None else match.id
    await share(screen, kept, () if looked is None else looked.deal, line)


class Result(Dialog[str], DeedScreen[str]):
    """Returns the word of a deed that comes after it, or "" to look at the board, also when the
    next match begins. `offer`: what to say to the player alone."""

    deeds = RESULT
    BINDINGS: ClassVar[list[BindingType]] = [
        *bound_deeds(RESULT, Context.RESULT, Context.AT_TABLE, Context.AFTER),
        *SCROLLS,
        OPENS_CHAT,
    ]

    def __init__(
        self,
        client: Client,
        page: Page,
        offer: str = "",
    ) -> None:
        super().__init__(client)
        self._match = "" if client.state.match is None else client.state.match.id
        self._page = page
        self._offer = offer
        self._said_in_frame = ""

    def compose(self) -> ComposeResult:
        with Panel(self._page.title, foot=self._page.foot, classes="dialog"):
            with Scrolled(id="result"):
                yield Picture(id="end-art")
                yield Flowing(self._page.lines)
            with Vertical(id="below"):
                yield Static("", id="numbers", markup=False)
                yield Static("", id="wishes", classes="loud", markup=False)
                yield Static("", id="said", markup=False)
        yield KeyLine()

    def begin(self) -> None:
        for part, text in (("numbers", ""), ("wishes", self._offer), ("said", "")):
            self.show_text(part, text)
        self.show(self._client.state)
        self.on_resize()

    def show(self, state: State) -> None:
        """What the match is among others, who wants to play again, what is wrong with the
        connection."""
        match = state.match
        if match is None:
            return
        if match.id != self._match:
            self.dismiss("")  # the next one has begun
            return
        numbers = [*ranking_in_words(state, match), *numbers_in_words(state)]
        self.show_text("numbers", "\n".join(numbers))
        wishes = [self._offer, offer(self._client), *_wishes(state, match)]
        self.show_text("wishes", "\n".join(filter(None, wishes)))
        self._entitle()
        self.refresh_bindings()

    def _entitle(self) -> None:
        trouble = trouble_in_words(self._client.state.connection)
        for panel in self.query(Panel):
            panel.entitle(self._page.title, trouble or self._with_foot(self._said_in_frame))

    def _with_foot(self, sentence: str) -> str:
        return "  ".join(filter(None, (sentence, self._page.foot)))

    def on_screen_resume(self) -> None:
        """The next match may have begun while something lay on top."""
        self.show(self._client.state)

    def on_resize(self) -> None:
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        """What the match has come to, above the points, or beside them where they have room."""
        look, width, height = self._client.look, self.size.width - _BESIDE, self.size.height // 2
        picture = self.query_one(Picture)
        wide = show_end(picture, lambda: self._page.picture(look, width, height))
        beside = 0 < wide <= width - _POINTS
        self.query_one(Scrolled).set_class(beside, "-beside")
        picture.styles.width = wide if beside else None
        self.call_after_refresh(self.show_keys)

    def restyle(self, look: Look) -> None:
        self._lay_out()

    def say(self, sentence: str) -> None:
        """In the frame, where it takes no row of the result away, or below if it is too long."""
        self._objects, self._sentence = False, sentence
        trouble = trouble_in_words(self._client.state.connection)
        fits = not trouble and cells(self._with_foot(sentence)) <= self.size.width - CORNERS
        self._said_in_frame = sentence if fits else ""
        self.show_text("said", "" if fits else sentence)
        self._entitle()

    # Keys ---------------------------------------------------------------------------------------

    def short_words(self) -> dict[Action, str]:
        return {actions.BACK: _("Board"), actions.TO_TABLE: _("Table")}

    def keys(self) -> Keys:
        own = [one for one in self.bound if one.action != actions.HELP]
        found = [*keys_in_line(own, self.short_words())]
        if any(shown.is_longer for shown in self.query(Scrolled)):
            found.append(entry(self.keymap, (actions.UP, actions.DOWN), _("Scroll")))
        return found

    def help_notes(self) -> Sequence[str]:
        """What a player needs to check the shuffle with another program."""
        if not self._page.promised:
            return ()
        return [_("The SHA-256 of the shuffle's seed, as promised:"), self._page.promised]

    def action_do(self, word: str, *typed: int) -> None:
        """Most come after the result."""
        if word in ("copy", "write"):
            super().action_do(word, *typed)
        elif any(map(self.may, self._called([word]))):
            self.dismiss("" if word == "board" else word)

    async def do_write(self) -> None:
        await share_last(self, self._client)

    async def do_copy(self) -> None:
        if looked := self._client.state.looked_back:
            await copy_deal(self, looked.deal)


def _wishes(state: State, match: Match) -> list[str]:
    """Who else wants a rematch; and the newest chat line, while it is unread."""
    notices = [line.what for line in match.log if line.kind is LineKind.NOTICE]
    wishes = [
        notice_in_words(notice.code, notice.params)
        for notice in notices
        if notice.code == NoticeCode.WANTS_REMATCH
        and (state.seat is None or notice.params.get("seat") != state.seat)
    ]
    return [*wishes, *(line_of(line, you(state)) for line in unread(state)[-1:])]
