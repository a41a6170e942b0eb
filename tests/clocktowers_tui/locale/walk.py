"""Walks through all screens, dialogs and stages of the board, whatever language is spoken.

Each stage is a name and what a player sees there; the states are what a server would have told.
"""

from collections.abc import Callable, Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

from msgspec.structs import replace
from pytest import MonkeyPatch
from textual.screen import Screen

from clocktowers_tui.cli.commands import read
from clocktowers_tui.deeds import home
from clocktowers_tui.deeds.by_mail import by_mail
from clocktowers_tui.games.registry import FACES, LESSONS
from clocktowers_tui.net.address import Address
from clocktowers_tui.net.errors import Fault
from clocktowers_tui.net.journey import Journey
from clocktowers_tui.net.seats import Progress, Seat as Unfinished
from clocktowers_tui.net.wishes import Host, Mailed, Solo, Visit, Wish
from clocktowers_tui.phrases import codes
from clocktowers_tui.phrases.codes import fill
from clocktowers_tui.screens.chat import ChatScreen
from clocktowers_tui.screens.connect import ConnectScreen
from clocktowers_tui.screens.dialogs import (
    Cover,
    LessonOffer,
    LineForm,
    Pages,
    Question,
    Quit,
    TooSmall,
)
from clocktowers_tui.screens.help import ActionPalette, Help
from clocktowers_tui.screens.home import HomeScreen
from clocktowers_tui.screens.lesson import LessonScreen
from clocktowers_tui.screens.lobby import LobbyScreen
from clocktowers_tui.screens.match import MatchScreen
from clocktowers_tui.screens.place import DeedScreen
from clocktowers_tui.screens.ply_by_ply import LookBackScreen
from clocktowers_tui.screens.replay import ReplayScreen, ReviewPages, _Stories
from clocktowers_tui.screens.result import Result
from clocktowers_tui.screens.rules import Contents, RulesScreen
from clocktowers_tui.screens.settings import SettingsScreen
from clocktowers_tui.screens.table import TableScreen
from clocktowers_tui.screens.table_form import TableForm
from clocktowers_tui.screens.what_if import ByMailScreen, WhatIf
from clocktowers_tui.state import match as matches
from clocktowers_tui.state.match import Match
from clocktowers_tui.state.store import State
from clocktowers_tui.state.table import Chat, Connection, Kind, Lobby, Table
from clocktowers_tui.text.i18n import _
from clocktowers_tui.widgets.menu import Row
from protocol.errors import Param
from protocol.from_server import Ended, Notice, NoticeCode, Said, Update, Welcome
from protocol.ids import Seat
from protocol.table import Bank, Phrase, Running, SeatInfo, SeatKind, TableInfo, TablePhase
from tests.games.clocktowers.boards import board
from tests.stage import small_match
from tests.stage.golden_boards import NAMES
from tests.stage.nonsense import plain
from tests.stage.own_files import Stages, of_every_game
from tests.stage.pilot import Playing, press, seen, until
from tests.stage.seen_again import listed, replayed, reviewed
from tests.stage.small_match import bot_table

At: TypeAlias = Callable[[str], None]
Opening: TypeAlias = Mapping[str, type[Screen[Any]]]
"""Key → the screen it opens."""

GAMES: Final[tuple[Stages, ...]] = of_every_game("stages", "STAGES")

_EVERYWHERE: Final[Opening] = {"question_mark": Help, "ctrl+p": ActionPalette, "S": SettingsScreen}

FILES: Final = ("settings.json", "keymap.toml")
_LOG: Final = "/var/log/clocktowers/local-server.log"
KNOWN: Final = (
    # Names of people, bots, programs and servers; words that every language writes alike.
    *NAMES, *(name[:cut] for name in NAMES for cut in (2, 3, 4, 5)),
    "Wren", "Clocktowers", "127.0.0.1:7777", "192.168.1.5:7777", "ABCD",
    "Thursday", "Thu", "clocktowers join", "--table",
    "TAB", "KX", "Shift", "Ctrl", small_match.SHA256[:12],
    *(f"/clocktowers/{file}" for file in FILES), _LOG,
)  # fmt: skip

CONNECTION: Final = Connection(
    kind=Kind.VISIT,
    address="127.0.0.1:7777",
    name="Ann",
    welcome=Welcome(
        version=1, name="Ann", games=["clocktowers"], levels=["random", "easy", "normal", "hard"]
    ),
)
WAITS: Final = Unfinished(
    host="192.168.1.5",
    port=7777,
    name="Ann",
    match="m1",
    table="ABCD",
    game="clocktowers",
    token="11",
    folder=1,
    progress=Progress(bots=3, turn=12),
)
OPTIONS: Final = {"first_heights": [2], "turn_order": "draw-play", "ladder": "own"}
PARAMS: Final[dict[str, Param]] = {
    "address": "192.168.1.5:7777", "host": "127.0.0.1", "name": "Chiara", "table": "ABCD",
    "reason": "127.0.0.1", "code": "ABCD",
    "file": _LOG, "until": "2026-12-31 23:59", "minutes": 90, "text": "20:00-20:15",
}  # fmt: skip


async def walk(player: Playing, at: At, *, short: bool = False) -> None:
    """`at` is told every stage's name, when it is seen. `short`: what games draw and say, and the
    rest of the screens once."""
    whole = (_home, _waiting, _history, _lessons, _lobby, _table, _chat, _board, _sentences, _end)
    with MonkeyPatch.context() as patch:
        for part in (_home, _lobby, _table, _board, _sentences, _end) if short else whole:

            def here(stage: str, place: str = part.__name__[1:]) -> None:
                at(f"{place}: {stage}")

            await part(player, here)
            if short:
                patch.setattr("tests.clocktowers_tui.locale.walk._EVERYWHERE", {})
    await player[1].resize_terminal(50, 10)
    await _until_on(player, TooSmall)
    at("too small")


async def _until_on(player: Playing, screen: type[Screen[Any]]) -> None:
    await until(player[1], lambda: type(player[0].screen) is screen)


async def _to(player: Playing, screen: type[Screen[Any]], *keys: str) -> None:
    """These keys lead to this screen."""
    await press(player, *keys)
    await _until_on(player, screen)


async def _be(player: Playing, state: State, screen: type[Screen[Any]]) -> None:
    """The state into which a server would have brought the client."""
    player[0].change(state)
    await _until_on(player, screen)


async def _home(player: Playing, at: At) -> None:
    await _until_on(player, HomeScreen)
    at("menu")
    forms: Opening = {"m": TableForm, "c": ConnectScreen, "n": LineForm}
    await _opened(player, at, {**forms, **_EVERYWHERE, "ctrl+c": Quit})
    await _rules(player, at)
    table = bot_table(1, "easy")
    for wish in (Solo(table), Host(table), Visit(Address("127.0.0.1", 7777))):
        await _lost(player, at, wish)
    asked = fill(codes.PASSWORD_ASKED[None], PARAMS)
    player[0].push_screen(LineForm(_("Password"), _("Password"), asked, most=20))
    await _until_on(player, LineForm)
    at("password")
    await _to(player, HomeScreen, "escape")
    player[0].push_screen(Cover(_("{name}, your turn").format(**PARAMS), [], "Chiara"))
    await _until_on(player, Cover)
    at("covered")
    await _to(player, HomeScreen, "enter")


async def _opened(player: Playing, at: At, keys: Opening) -> None:
    """Open what each key opens; Esc closes it."""
    below = type(player[0].screen)
    for key, screen in keys.items():
        await _to(player, screen, key)
        at(screen.__name__)
        if screen is TableForm:
            player[0].screen.query_one("#more").focus()
            await press(player, "right")
            at("TableForm, unfolded")
        await _to(player, below, "escape")


async def _waiting(player: Playing, at: At) -> None:
    """At home, while a match waits there."""
    race = replace(WAITS, game="wild_wild_pattern", match="m2")
    elsewhere = replace(WAITS, match="m3", folder=0)
    with MonkeyPatch.context() as patch:
        patch.setattr(home, "unfinished", lambda: [WAITS, race, elsewhere])
        patch.setattr(player[0], "settings", replace(player[0].settings, known=[*FACES]))
        await _be(player, State(connection=CONNECTION), LobbyScreen)
        await _be(player, State(), HomeScreen)
        at("menu")
        player[0].screen.query_one("#card-clocktowers").focus()
        await _opened(player, at, {"p": Question, "q": Quit})
        player[0].screen.query_one("#card-wild_wild_pattern").focus()
        await _opened(player, at, {"u": Question})
    await _be(player, State(connection=CONNECTION), LobbyScreen)
    await _be(player, State(), HomeScreen)


async def _history(player: Playing, at: At) -> None:
    """A finished match, in the list and seen again."""
    await listed(player, (NAMES[0], NAMES[1]))
    at("list")
    await _opened(player, at, {"d": Question, "x": Question, "question_mark": Help})
    await press(player, "slash", "1")
    at("searching")
    await press(player, "escape")
    await press(player, "escape")
    await replayed(player, (NAMES[0], NAMES[1]))
    for key in ("right", "s", "e", "e", "e", "end"):
        await press(player, key)
        await player[0].workers.wait_for_complete()
        at(f"replay, {key}")
    await _opened(player, at, {"f": _Stories, "R": Pages, "question_mark": Help})
    await press(player, "escape")
    await reviewed(player, (NAMES[0], NAMES[1]))
    for key in ("left", "m", "m", "M", "M", "n"):
        at(f"review, before {key}")
        await press(player, key)
        await player[0].workers.wait_for_complete()
    await _opened(player, at, {"v": ReviewPages, "w": WhatIf})
    await _to(player, ReplayScreen, "v", "enter")
    await player[0].workers.wait_for_complete()
    at("review, the marked mistake")
    await _to(player, HomeScreen, "escape")
    with TemporaryDirectory() as folder:
        new = ["--new", "--names", ",".join(NAMES[:2]), "--option", "first_seat=0"]
        wish = read(["move", f"{folder}/m", *new]).replays
        assert isinstance(wish, Mailed)
        player[0].push_screen(ByMailScreen(player[0], await by_mail(wish, NAMES[0])))
        await _until_on(player, ByMailScreen)
        for keys in (("1",), ("enter", "enter")):
            await player[0].workers.wait_for_complete()
            at(f"by mail, before {keys}")
            await press(player, *keys)
        await player[0].workers.wait_for_complete()
        at("by mail, for another player")
        player[0].pop_screen()
        await _until_on(player, HomeScreen)


async def _lessons(player: Playing, at: At) -> None:
    """The offer and the first sentence of each; a test of their own reads the others."""
    for game in (one for one in GAMES if one.game in LESSONS):
        about = FACES[game.game].about()
        player[0].push_screen(LessonOffer(player[0].keymap, game.game, about, _("Play at once")))
        await _until_on(player, LessonOffer)
        at(f"{game.game}, offer")
        await press(player, "escape")
        view, _keys = next(iter(game.boards().values()))
        with MonkeyPatch.context() as patch:
            patch.setattr(Journey, "teaches", True)
            await _be(player, in_match(view, game=game), LessonScreen)
            at(f"{game.game}, lesson")
        await _be(player, State(), HomeScreen)


async def _rules(player: Playing, at: At) -> None:
    """Each language's rules are a file of their own; the walk looks at what stands around them."""
    await _to(player, RulesScreen, "B")
    await until(player[1], lambda: "%" in seen(player[0]))
    player[0].screen.query_one("#text").visible = False
    await until(player[1], lambda: not seen(player[0]).splitlines()[1].strip())
    at("rules")
    await press(player, "slash", *"1")
    at("rules, searching")
    await press(player, "escape")
    await player[0].push_screen(Contents([Row("0", "")]))
    await _until_on(player, Contents)
    at("rules, contents")
    await _to(player, RulesScreen, "escape")
    await _to(player, HomeScreen, "q")


async def _lost(player: Playing, at: At, wish: Wish) -> None:
    app = player[0]
    assert isinstance(app.screen, HomeScreen)
    app.screen.ask_again(fill(Fault.LOST.value, PARAMS), wish)
    await _until_on(player, Question)
    at(f"lost {type(wish).__name__}")
    await _to(player, HomeScreen, "escape")


async def _lobby(player: Playing, at: At) -> None:
    friends = replace(CONNECTION, friends=("192.168.1.5:7777",))
    state = State(connection=friends, lobby=Lobby(tuple(_tables()), page=0, total=250))
    await _be(player, state, LobbyScreen)
    at("tables")
    keys: Opening = {"n": TableForm, "c": LineForm, **_EVERYWHERE, "q": Question}
    await _opened(player, at, keys)
    await press(player, "slash", "1")
    at("searching")
    await press(player, "escape")
    await _be(player, State(connection=CONNECTION), LobbyScreen)
    at("no table")


def _seats() -> list[SeatInfo]:
    return [
        SeatInfo(kind=SeatKind.HUMAN, name="Ann"),
        SeatInfo(kind=SeatKind.HUMAN, name="Chiara", ready=True),
        SeatInfo(kind=SeatKind.BOT, name="Wren", level="easy"),
        SeatInfo(kind=SeatKind.FREE),
    ]


def _info(phase: TablePhase = TablePhase.WAITING, *, seats: Sequence[SeatInfo] = ()) -> TableInfo:
    return TableInfo(
        table="ABCD",
        game="clocktowers",
        title="Thursday",
        phase=phase,
        seats=list(seats) or _seats(),
        host=0,
        options=OPTIONS,
        watchers=2,
        clock=Bank(300, 10),
    )


def _tables() -> list[TableInfo]:
    bots = [SeatInfo(kind=SeatKind.BOT, name="Wren", level=level) for level in ("easy", "hard")]
    free = [SeatInfo(kind=SeatKind.FREE), SeatInfo(kind=SeatKind.BOT, name="Ann", away=True)]
    return [
        replace(_info(phase, seats=seats), table=f"TAB{n}")
        for n, (phase, seats) in enumerate(zip(TablePhase, (bots, free, bots), strict=True))
    ]


async def _table(player: Playing, at: At) -> None:
    state = State(connection=CONNECTION)
    for who, seat in (("watching", None), ("guest", 1), ("host", 0)):
        mine = None if seat is None else Seat(seat)
        await _be(player, replace(state, table=Table(_info(), mine)), TableScreen)
        at(who)
    await press(player, "down", "down", "down")
    keys: Opening = {"enter": Question, "K": Question, **_EVERYWHERE, "q": Question}
    await _opened(player, at, keys)
    await press(player, "K", "down", "enter")
    at("sending somebody away")
    await press(player, "escape")


async def _chat(player: Playing, at: At) -> None:
    """Everybody has said something, and Chiara is muted."""
    lines = [Said(n=n, name=NAMES[1], seat=1, phrase=code) for n, code in enumerate(Phrase)]
    lines += [Said(n=20 + n, name=name, text="ABCD") for n, name in enumerate(("Ann", NAMES[1]))]
    lines += [Said(n=30, name="Ann", seat=0, text="ABCD"), Said(n=31, name="Chiara", text="ABCD")]
    chat = Chat()
    for line in lines:
        chat = chat.heard(line)
    table = State(connection=CONNECTION, table=Table(_info(), Seat(0)))
    await _be(player, replace(table, chat=chat, muted=frozenset({("ABCD", "Chiara")})), TableScreen)
    at("unread")
    await _opened(player, at, {"slash": ChatScreen})
    await press(player, "slash", "tab")
    at("beside the line")
    await _opened(player, at, {"m": Question, **_EVERYWHERE})
    await press(player, "escape")
    await _be(player, replace(in_match(board(2)), chat=chat), MatchScreen)
    at("unread in a match")
    await _to(player, ChatScreen, "slash")
    at("the player's turn")
    await press(player, "escape")
    await _be(player, replace(table, table=Table(_info(), None)), TableScreen)
    await press(player, "slash", "tab", "m")
    at("nobody to mute")
    await press(player, "escape")


def in_match(view: Any, version: int = 1, game: Stages = GAMES[0]) -> State:
    """At the table, with this on the screen and something in the log."""
    names = NAMES[: game.seats(view)]
    match = matches.started(small_match.started(f"m{version}", game=game.game), names)
    said = [Notice(code, PARAMS) for code in NoticeCode]
    for notice in said:
        match = matches.noticed(match, notice)
    events = [event for event in game.events if getattr(event, "seat", 0) < len(names)]
    update = Update(
        match=match.id, version=version, ply=1, view=plain(view), events=plain(events), skipped=3
    )
    seats = [SeatInfo(kind=SeatKind.HUMAN, name=name) for name in names]
    info = replace(_info(TablePhase.PLAYING, seats=seats), game=game.game)
    seat = None if view.seat is None else Seat(view.seat)
    return State(
        connection=CONNECTION, table=Table(info, seat), match=matches.updated(match, update)
    )


async def _board(player: Playing, at: At) -> None:
    for number, game in enumerate(GAMES):
        for version, (stage, (view, keys)) in enumerate(game.boards().items(), 100 * number + 2):
            await _be(player, in_match(view, version, game), MatchScreen)
            await until(player[1], lambda v=version: _version(player) == v)  # type: ignore[misc]
            await press(player, *keys)
            at(f"{game.game}, {stage}")
            await press(player, *["escape"] * len(keys))
        dialogs: Opening = {**_EVERYWHERE, "L": Pages, "q": Question, "K": Question}
        await _opened(player, at, dialogs)
    for last in (_looked_back, _clock, _handed_over):
        await last(player, at)


async def _looked_back(player: Playing, at: At) -> None:
    """An earlier moment, while it is the player's turn."""
    state = in_match(board(2), 60)
    assert state.match is not None
    (newest,) = state.match.seen
    match = replace(state.match, seen=(replace(newest, ply=0, told=0), newest))
    await _be(player, replace(state, match=match), MatchScreen)
    await _to(player, LookBackScreen, "V")
    await player[0].workers.wait_for_complete()
    at("looking back")
    await _opened(player, at, {"question_mark": Help})
    await _to(player, MatchScreen, "escape")


async def _clock(player: Playing, at: At) -> None:
    """The player's own time and another's; then a bot plays."""
    for seat, view in enumerate((board(2), replace(board(2), turn=1, legal=[]))):
        state = in_match(view, 40 + seat)
        assert state.match is not None and state.table is not None
        match = replace(state.match, clock=Running(seat, 8_000, (8_000, 8_000)))
        await _be(player, replace(state, match=match), MatchScreen)
        await player[1].pause()
        at(f"the clock of seat {seat}")
    assert state.table is not None
    info = state.table.info
    seats = [replace(info.seats[0], timed_out=True), *info.seats[1:]]
    table = replace(state.table, info=replace(info, seats=seats))
    await _be(player, replace(state, table=table), MatchScreen)
    await player[1].pause()
    at("out of time")


async def _handed_over(player: Playing, at: At) -> None:
    """Alone against bots: the question, and while a bot plays the rest."""
    state = in_match(board(2), 50)
    assert state.table is not None
    info = state.table.info
    own, *others = info.seats
    bots = [replace(seat, kind=SeatKind.BOT, level="normal") for seat in others]
    for wished in (False, True):
        seats = [replace(own, handed_over=wished), *bots]
        table = replace(state.table, info=replace(info, seats=seats))
        await _be(player, replace(state, table=table), MatchScreen)
        await player[1].pause()
        at("handed over" if wished else "alone")
        if not wished:
            await _opened(player, at, {"E": Question})


def _version(player: Playing) -> int:
    match = player[0].state.match
    return 0 if match is None else match.version


async def _sentences(player: Playing, at: At) -> None:
    """The longest sentences that may stand in two lines of the match, and in three of the lobby."""
    said = [sentence for game in GAMES for sentence in (*game.remarks(), *game.said())]
    said += [fill(sentence, PARAMS) for sentence in codes.REFUSALS.values()]
    await _said(player, at, said)
    await _be(player, State(connection=CONNECTION), LobbyScreen)
    tables = (codes.GOODBYES, codes.REFUSALS, codes.GONE)
    said = [fill(s, PARAMS) for s in codes.PASSWORD_ASKED.values()]
    said += [fill(s, PARAMS) for t in tables for s in t.values()]
    said += [fill(fault.value, PARAMS) for fault in Fault]
    said += [fill(codes.STOPS_WITHIN, PARAMS), fill(codes.NOTICES["operator_says"], PARAMS)]
    said += [f"{fill(codes.BANNED_UNTIL, PARAMS)} {fill(codes.REASON, PARAMS)}"]
    await _said(player, at, said)


async def _said(player: Playing, at: At, sentences: Sequence[str]) -> None:
    """The dozen longest."""
    app, pilot = player
    for sentence in sorted(set(sentences), key=len)[-12:]:
        assert isinstance(app.screen, DeedScreen)
        app.screen.say(sentence)
        await pilot.pause()
        at(sentence)


async def _end(player: Playing, at: At) -> None:
    """Results, by what decided; then what is left to do."""
    ends = [(game, end) for game in GAMES for end in game.ends()]
    for version, (game, (over, outcome)) in enumerate(ends, start=50):
        state = in_match(over, version, game)
        assert state.match is not None
        match = _over(state.match, outcome, proven=version % 2 == 0)
        await _be(player, replace(state, match=match), Result)
        await until(player[1], lambda v=version: _version(player) == v)  # type: ignore[misc]
        stage = f"Result, {game.game}, {outcome.decided_by}"
        at(stage)
        await press(player, "end")
        at(f"{stage}, its end")
        await _to(player, MatchScreen, "escape")
        at("after the end")


def _over(match: Match, outcome: Any, *, proven: bool) -> Match:
    seed = small_match.SEED if proven else small_match.SEED[::-1]
    match = matches.ended(match, Ended(match=match.id, outcome=plain(outcome), seed=seed))
    return matches.noticed(match, Notice(NoticeCode.WANTS_REMATCH, {"name": "Chiara", "seat": 2}))
