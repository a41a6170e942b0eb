"""A server of bad will: every text it says is hostile, and it leads the client through all places.

Each text is a family of its own: it begins with a word that says where it stood. Another text that
strangers can send is one more line in `FAMILIES`, and a place in `tell` that says it.
"""

import asyncio
from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from protocol.errors import GoodbyeCode
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
from protocol.listing import SeatInfo, SeatKind, TableInfo, TablePhase
from protocol.refusal import Param, RefusalCode
from tests.stage.nonsense import Sample, plain
from tests.stage.scripted_server import Peer

FAMILIES: Final = (
    "ownname", "name", "title", "code", "level", "game", "notice", "refusal", "sha", "gone",
    "goodbye", "seatfile", "said", "speaker", "phrase", "server", "preset", "option", "param",
    "deal",
)  # fmt: skip
UNSEEN: Final = frozenset({"server", "preset", "option"})
"""Said to the client, which shows none of it: it shows only options for which it has words."""
Texts: TypeAlias = Mapping[str, str]


class HostileServer:
    """Serves one client. Each release of `steps` lets it go a step further. `sample`: the game that
    is played, honestly."""

    def __init__(self, texts: Texts, sample: Sample) -> None:
        self.texts: Final = texts
        self.sample: Final = sample
        self.steps: Final = asyncio.Semaphore(0)
        self._served = False

    async def script(self, peer: Peer) -> None:
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

    async def _answer(self, peer: Peer) -> None:
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
