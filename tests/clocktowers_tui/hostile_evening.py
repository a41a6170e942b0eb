"""An evening with a server of bad will: the real program on a pseudo-terminal visits all of its
screens while its state holds hostile text.

Each text that the server says is a family of its own: it begins with a word that says where it
stood. Another text that strangers can send is one more line in `FAMILIES`, and a place in
`HostileServer` that says it.
"""

import asyncio
import importlib
import pkgutil
import zlib
from collections.abc import Callable, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Final, TypeAlias
from unittest.mock import patch

from msgspec import Struct, json
from msgspec.structs import replace
from textual.screen import Screen

from clocktowers_tui import screens
from clocktowers_tui.games.registry import title_of
from clocktowers_tui.history import matches
from clocktowers_tui.net.seats import Seat, Seats
from protocol.errors import GoodbyeCode, Param, RefusalCode
from protocol.from_client import Act, Bye, Join, Kick, ListTables
from protocol.from_server import (
    AtTable,
    ChatHistory,
    Done,
    Ended,
    Goodbye,
    LeftTable,
    Listing,
    Notice,
    NoticeCode,
    RankedTable,
    Ranking,
    Refused,
    Said,
    Started,
    Update,
    Welcome,
)
from protocol.table import SeatInfo, SeatKind, TableInfo, TablePhase
from tests.games.clocktowers.senseless import SAMPLE as CLOCKTOWERS
from tests.stage.changed_client import VISITED, changed, noting
from tests.stage.hostile_texts import harmless
from tests.stage.nonsense import Sample, plain
from tests.stage.pseudo_terminal import ESC, LIMIT_S, PseudoTerminal, environment
from tests.stage.scripted_server import ScriptedPeer, scripted
from tests.stage.seen_again import record

# The server ---------------------------------------------------------------------------------------


FAMILIES: Final = (
    "ownname", "name", "title", "code", "level", "game", "notice", "refusal", "sha", "gone",
    "goodbye", "seatfile", "said", "speaker", "phrase", "server", "preset", "option", "param",
    "deal", "comment",
)  # fmt: skip
UNSEEN: Final = frozenset({"server", "preset", "option"})
"""Said to the client, which shows none of it: it shows only options for which it has words."""
THOROUGH: Final = frozenset({"comment"})
"""Shown in a thorough evening alone, which visits the history."""
Texts: TypeAlias = Mapping[str, str]


class HostileServer:
    """Serves one client. Each release of `steps` lets it go a step further. `sample`: the game that
    is played, honestly."""

    def __init__(self, texts: Texts, sample: Sample) -> None:
        self.texts: Final = texts
        self.sample: Final = sample
        self.steps: Final = asyncio.Semaphore(0)
        self._served = False

    async def script(self, peer: ScriptedPeer) -> None:
        """The function that `scripted` runs. Who comes again is asked for a password."""
        await peer.hears()
        if self._served:
            peer.says(Goodbye(GoodbyeCode.PASSWORD, {"name": self.texts["param"]}))
            return
        self._served = True
        text = self.texts
        name, server = text["ownname"], text["server"]
        peer.says(Welcome(version=1, name=name, server=server, levels=[text["level"]]))
        answering = asyncio.create_task(self._answer(peer))
        try:
            for said in self._course():
                await self.steps.acquire()
                peer.says(*said)
            await answering
        finally:
            answering.cancel()

    async def _answer(self, peer: ScriptedPeer) -> None:
        while not isinstance(message := await peer.hears(), Bye):
            match message:
                case ListTables(id=number):
                    peer.says(Listing(id=number, tables=self._tables(), page=0, total=3))
                case Join(id=number) | Act(id=number):
                    refused = self.texts["refusal"]
                    peer.says(Refused(id=number, code=refused, params={"name": refused}))
                case Kick(id=number):
                    params: dict[str, Param] = {"name": self.texts["param"]}
                    code = RefusalCode.NOBODY_OF_THAT_NAME
                    peer.says(Refused(id=number, code=code, params=params))
                case _ if (request := getattr(message, "id", None)) is not None:
                    peer.says(Done(id=request))

    def _seats(self) -> list[SeatInfo]:
        name, level = self.texts["name"], self.texts["level"]
        return [
            SeatInfo(kind=SeatKind.HUMAN, name=self.texts["ownname"]),
            SeatInfo(kind=SeatKind.HUMAN, name=name),
            SeatInfo(kind=SeatKind.BOT, name="Wren", level=level),
            SeatInfo(kind=SeatKind.BOT, name="Wren 2", level=level),
        ]

    def _tables(self) -> list[TableInfo]:
        text = self.texts
        seats = self._seats()
        seats[0] = SeatInfo(kind=SeatKind.FREE)
        whole = TableInfo(
            table=text["code"],
            game=text["game"],
            title=text["title"],
            phase=TablePhase.WAITING,
            seats=seats,
            deal=text["deal"],
            deal_tables=2,
            preset=text["preset"],
            options={"ladder": text["option"], text["option"]: [text["option"]]},
        )
        return [whole, replace(whole, table="B", title="", game=self.sample.game)]

    def _at_table(self, phase: TablePhase, game: str = "") -> AtTable:
        game = game or self.sample.game
        info = replace(self._tables()[0], phase=phase, seats=self._seats(), game=game, host=0)
        return AtTable(info=info, seat=0)

    def _course(self) -> list[list[Struct]]:
        """Lead the client to a table of an unknown game, then through a match to its end, and
        out."""
        text = self.texts
        view, game = plain(self.sample.view), self.sample.game
        params: dict[str, Param] = {"name": text["notice"], "seat": 1, "text": text["notice"]}
        notices = [Notice(code, params) for code in NoticeCode]
        notices += [Notice(text["notice"], {"name": text["notice"]})]
        started = Started(match="m1", table=text["code"], game=game, sha256=text["sha"])
        return [
            [
                self._at_table(TablePhase.WAITING, text["game"]),
                Said(n=1, name=text["speaker"], text=text["said"]),
                ChatHistory([Said(n=2, name="Bo", seat=1, phrase=text["phrase"])]),
            ],
            [self._at_table(TablePhase.WAITING)],
            [
                self._at_table(TablePhase.PLAYING),
                started,
                Update(match="m1", version=1, ply=0, view=view, events=[]),
                Update(match="m1", version=1, ply=1, view=view, events=[], skipped=1),
                *notices,
            ],
            [
                Ended(match="m1", outcome=self.sample.outcome, seed=text["sha"]),
                Ranking(
                    match="m1",
                    deal=text["deal"],
                    seed=text["sha"],
                    tables=[
                        RankedTable(
                            table=text["code"], names=[text["name"]], scores=[1], points=[0]
                        )
                    ],
                ),
            ],
            [LeftTable(text["code"], text["gone"])],
            [Goodbye(text["goodbye"], {"name": text["goodbye"]})],
        ]


# The evening --------------------------------------------------------------------------------------


_SIZE: Final = (180, 32)
"""Wide enough for what matters of every text; what is painted is most of what an evening costs."""
_LOOK_S: Final = 0.01
_DOWN, _RIGHT, _LEFT, _ENTER, _PALETTE, _QUIT = "\x1b[B", "\x1b[C", "\x1b[D", "\r", "\x10", "\x03"
_EVERYWHERE: Final = (("?", "Help"), (_PALETTE, "ActionPalette"), ("S", "SettingsScreen"))


class Pace(Enum):
    """Which screens an evening visits."""

    USUAL = auto()
    THOROUGH = auto()
    """Also those that show nothing of what the server says."""
    MATCH = auto()
    """Straight to the match: what comes before it is the same in every game."""


def our_screens() -> set[str]:
    """The names of all classes that are shown as a screen of their own."""
    for module in pkgutil.iter_modules(screens.__path__, f"{screens.__name__}."):
        importlib.import_module(module.name)
    found: set[str] = set()
    todo: list[type] = [Screen]
    while todo:
        kind = todo.pop()
        todo += kind.__subclasses__()
        if kind.__module__.startswith(screens.__name__) and not kind.__subclasses__():
            found.add(kind.__name__)
    return found


def visited(home: Path) -> set[str]:
    """The classes of all screens that were open."""
    return set((home / VISITED).read_text().split())


async def evening(
    home: Path,
    said: Texts,
    *changes: Callable[[], None],
    pace: Pace = Pace.USUAL,
    sample: Sample = CLOCKTOWERS,
) -> PseudoTerminal:
    """Play through everything the server has to say, to the program's end; returns the terminal as
    the program left it.

    Fails unless the program shows text of each family. `sample`: the game that is
    played.
    """
    await _leave_a_seat(home, said["seatfile"])
    _leave_a_match(home, said["name"], said["comment"])
    server = HostileServer(said, sample)
    async with scripted(server.script) as address:
        arguments = [*changed(noting, *changes), "join", str(address), "--name", "Ann"]
        terminal = PseudoTerminal.run(arguments, environment(str(home)), *_SIZE)
        async with terminal:
            await _Evening(home, terminal, server, pace).spend()
    return terminal


async def _leave_a_seat(home: Path, text: str) -> None:
    """A seat file that some other program could have written, and settings without a bell."""
    with patch.dict("os.environ", XDG_STATE_HOME=str(home / ".local" / "state")):
        seats = Seats()
    seat = Seat(host=text, port=7, name=text, match=text, table=text, game=text, token="11" * 32)
    await seats.keep(seat)
    seats.release()
    settings = home / ".config" / "clocktowers" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"bell": false}')


def _leave_a_match(home: Path, name: str, comment: str) -> None:
    """A finished match whose players some server has named; of the deal it has said this."""
    file = home / ".local" / "share" / "clocktowers" / "history.sqlite"
    with patch.object(matches, "history_file", lambda: file):
        fields = json.decode(record((name, name))) | {"comments": {"0": comment}}
        matches.keep("m1", zlib.compress(json.encode(fields)), 0, 1000)


class _Evening:
    """A player's way, place by place; `self._server` goes on when told."""

    def __init__(
        self, home: Path, terminal: PseudoTerminal, server: HostileServer, pace: Pace
    ) -> None:
        self._visits = home / VISITED
        self._terminal = terminal
        self._server = server
        self._thorough = pace is Pace.THOROUGH
        self._parts = [self._lobby, self._table, self._match, self._result, self._home]
        if pace is Pace.MATCH:
            self._parts[:2] = [self._to_the_match]

    async def spend(self) -> None:
        for part in self._parts:
            await part()
        assert await self._terminal.ends() == 0

    async def _lobby(self) -> None:
        await self._sees("Qcode", "Qtitle", "Qname", "Qownname")
        if self._thorough:
            await self._around(("n", "TableForm"), ("c", "LineForm"))
            await self._opens("B", "RulesScreen")
            await self._around(("c", "Contents"))
            await self._close()
        await self._sees("Qlevel")
        await self._press(_ENTER, "Qrefusal")

    async def _table(self) -> None:
        await self._goes_on("Qgame", "Qlevel")
        await self._looks(f"{_DOWN}{_ENTER}", "Question", "Qlevel")
        await self._goes_on("Rules: ")
        await self._press("K", "Choose a player to send away", "Qname")
        await self._press(_DOWN + _ENTER, "table?", "Qname")
        await self._press(_DOWN + _ENTER, "Qparam")
        await self._opens("/", "ChatScreen", "Qsaid", "Qspeaker", "Qphrase")
        await self._opens("\t", "ChatScreen")
        await self._looks("m", "Question", "Qspeaker")
        await self._close()

    async def _to_the_match(self) -> None:
        await self._sees("Qcode")
        await self._goes_on("Qgame")
        await self._goes_on("Rules: ")

    async def _match(self) -> None:
        await self._goes_on(self._server.sample.sign, "Qcode", "Qname")
        await self._looks("L", "Pages", "Qnotice", "Log")
        await self._looks("K", "Question", "Qname")
        await self._looks("/", "ChatScreen", "Qsaid", "Qspeaker", "Qphrase")
        if self._thorough:
            await self._around(*_EVERYWHERE, ("V", "LookBackScreen"))
            await self._small()

    async def _small(self) -> None:
        self._terminal.resize(50, 10)
        await self._sees("Make this window")
        self._terminal.resize(*_SIZE)
        await self._sees(self._server.sample.sign, "Qcode", "Qname")

    async def _result(self) -> None:
        await self._goes_on("qsha", "Qdeal")
        await self._looks("/", "ChatScreen", "Qsaid", "Qspeaker", "Qphrase")
        await self._close()
        await self._goes_on("Qgone", "New table")

    async def _home(self) -> None:
        await self._goes_on("Qgoodbye")
        await self._press(_ENTER)
        await self._sees(title_of(self._server.sample.game), "Qseatfile")
        if self._thorough:
            await self._press(_DOWN, "Enter Play")
            await self._around((_RIGHT + _ENTER, "LessonOffer"), (_LEFT + "n", "LineForm"))
            await self._opens("c", "ConnectScreen")
            await self._looks(_ENTER, "LineForm", "Password")
            await self._close()
            await self._lesson()
            await self._history()
        await self._opens(_QUIT, "Quit")
        await self._press(_QUIT)

    async def _lesson(self) -> None:
        await self._opens("l", "LessonScreen", " 1/")
        await self._press("q", "Learn it in", "Qseatfile")

    async def _history(self) -> None:
        await self._opens("y", "HistoryScreen", "Qname", "Qseatfile")
        await self._opens(_ENTER, "ReplayScreen", "Replay", "Qname", "Qcomment")
        await self._around(("f", "_Stories"), ("w", "WhatIf"))
        await self._close()
        await self._close()

    # Steps ---------------------------------------------------------------------------------------

    async def _goes_on(self, *words: str) -> None:
        self._server.steps.release()
        await self._sees(*words)

    async def _around(self, *openings: tuple[str, str]) -> None:
        for key, screen in openings:
            await self._looks(key, screen)

    async def _looks(self, keys: str, screen: str, *words: str) -> None:
        await self._opens(keys, screen, *words)
        await self._close()

    async def _opens(self, keys: str, screen: str, *words: str) -> None:
        await self._press(keys)
        try:
            async with asyncio.timeout(LIMIT_S):
                while self._visits.read_text().split()[-1] != screen:  # noqa: ASYNC110
                    await asyncio.sleep(_LOOK_S)
        except TimeoutError:
            raise AssertionError(f"no {screen}:\n{self._terminal.text()}") from None
        await self._sees(*words)

    async def _press(self, keys: str, *words: str) -> None:
        """These keys; and, if there are any, the words to which they lead."""
        self._terminal.press(keys)
        if words:
            await self._sees(*words)

    async def _close(self) -> None:
        """Close what lies on top, before the next step."""
        await self._press(ESC)
        await self._terminal.settles(0.06)

    async def _sees(self, *words: str) -> None:
        await self._terminal.sees(*words)
        await self._terminal.settles()
        assert harmless(text := self._terminal.text()), text
