"""The processes that replay, review and convert records for this player.

The rules are the server's.
"""

import asyncio
import subprocess
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Generator,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import asynccontextmanager, closing, suppress
from tempfile import TemporaryFile
from typing import Any, BinaryIO, ClassVar, Final, Self

import msgspec

from clocktowers_tui.net.programs import ended, program, started
from clocktowers_tui.text import NotDone
from clocktowers_tui.text.i18n import N_, _
from protocol.codec import HEADER, read_as
from protocol.errors import Refusal
from protocol.games.registry import GAMES
from protocol.recording import (
    BEGIN,
    MOVE,
    READ,
    REPLAY,
    REVIEW,
    WRITE,
    Begun,
    Fault,
    Finding,
    Found,
    FromRecording,
    Hear,
    Heard,
    Judged,
    LastWord,
    Opened,
    PlayOn,
    PlaysOn,
    Raced,
    Review,
    Show,
    Shown,
    Unfit,
    Weigh,
    Written,
    framed,
    payload,
)
from protocol.text import clean

_read: Final = msgspec.msgpack.Decoder(FromRecording).decode


class NoReplay(NotDone):
    """The record cannot be replayed or reviewed, or the process failed."""


class Piped:
    """A process of the server's code that this player has started for themselves, at two pipes,
    with one record. `stop` ends it, with all processes that it has started."""

    ENDED: ClassVar = N_("The replay has ended by itself; open the match once more.")
    UNFIT: ClassVar = N_("This match cannot be replayed: {why}")

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process: Final = process

    @classmethod
    @asynccontextmanager
    async def _starting(cls, command: Sequence[str]) -> AsyncIterator[Self]:
        """It runs on after the block, unless the block fails."""
        try:
            piped = cls(await started(command))
        except OSError:
            raise NoReplay(_(cls.ENDED)) from None
        try:
            yield piped
        except BaseException:
            await piped.stop()
            raise

    async def _answer(self, said: bytes, limit_s: float | None) -> Any:
        """Its answer, or what it says next; None: however long that takes. A process that is late
        is stopped: its answer would be taken for that to the next request."""
        keyboard, output = self.process.stdin, self.process.stdout
        assert keyboard is not None and output is not None
        try:
            async with asyncio.timeout(limit_s):
                with suppress(ConnectionError):  # it has ended: its last word tells why
                    keyboard.write(said)
                    await keyboard.drain()
                (length,) = HEADER.unpack(await output.readexactly(HEADER.size))
                told = _read(await output.readexactly(length))
        except (TimeoutError, EOFError, OSError, msgspec.DecodeError):
            await self.stop()
            raise NoReplay(_(self.ENDED)) from None
        if isinstance(told, Unfit):
            raise NoReplay(_(self.UNFIT).format(why=clean(told.why)))
        return told

    async def stop(self) -> None:
        """The process has ended then."""
        await ended(self.process)


# The process that replays a record. Each view comes out of it whole; nothing here is patched.

REPLAYS, MOVES, BEGINS = (program("server.recording", word) for word in (REPLAY, MOVE, BEGIN))
ANSWER_S: Final = 20
SILENCE_S: Final = 120
"""Far above what one decision takes on a slow machine."""


class Projector(Piped):
    """Made by `start`; `stop` at the end. Each request raises NoReplay."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        super().__init__(process)
        self._turn: Final = asyncio.Lock()
        self.opened = Opened("", [], [], None, opens=False)

    @classmethod
    async def start(cls, line: bytes, does: Sequence[str] = REPLAYS) -> Self:
        """Replay the record of this line, or do something else with what it says. Raises NoReplay,
        and leaves no process then."""
        async with cls._starting(does) as projector:
            await projector._open(line + b"\n")
        return projector

    async def show(self, ply: int, eyes: int) -> Shown:
        """The view is the game's own."""
        shown: Shown = await self._ask(framed(Show(ply, eyes)), Shown)
        view = read_as(shown.view, GAMES[self.opened.game].view)
        return msgspec.structs.replace(shown, view=view)

    async def hear(self, eyes: int) -> list[list[Any]]:
        """The game's events, for the deal and each ply."""
        heard = await self._ask(framed(Hear(eyes)), Heard)
        kind = GAMES[self.opened.game].event
        return [[read_as(event, kind) for event in events] for events in heard.events]

    async def play(self, ply: int, seat: int, action: Any = None) -> Refusal | None:
        """Go on after this ply in another way, as `PlayOn` says; then `opened` has how far it went.
        Returns why the action is impossible."""
        await self._open(framed(PlayOn(ply, seat, action)), SILENCE_S)
        return self.opened.refusal

    async def weigh(self, ply: int, seat: int, action: Any, best: Any = None) -> Judged:
        """What the decision that led to `ply` would have been worth with this action, as `Weigh`
        says it."""
        found = await self._ask(framed(Weigh(ply, seat, action, best)), Judged, SILENCE_S)
        judged = in_words_of(self.opened.game, found)
        assert isinstance(judged, Judged)
        return judged

    async def _open(self, asked: bytes, limit_s: float = 0) -> None:
        opened: Opened = await self._ask(asked, Opened, limit_s)
        outcome = opened.outcome
        if outcome is not None:
            outcome = read_as(outcome, GAMES[opened.game].outcome)
        names = [*map(clean, opened.names)]
        self.opened = msgspec.structs.replace(opened, outcome=outcome, names=names)

    async def _ask(self, asked: bytes, kind: type[Any], limit_s: float = 0) -> Any:
        limit_s = limit_s or ANSWER_S
        async with self._turn:
            answer = await self._answer(asked, limit_s)
            while isinstance(answer, PlaysOn):  # each seat has its own time
                answer = await self._answer(b"", limit_s)
        assert isinstance(answer, kind)
        return answer


# The process that reviews a record: it knows the rules and the bots, and says what it finds as soon
# as it has it.

REVIEWS: Final = program("server.recording", REVIEW)


class Reviewer(Piped):
    """Made by `start`; to `stop` it, at any time, leaves nothing running."""

    ENDED = N_("The review has stopped; start it again, and it goes on.")
    UNFIT = N_("This match cannot be reviewed: {why}")

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        super().__init__(process)
        self.begun = Begun("", [], [], [], [])

    @classmethod
    async def start(cls, line: bytes, seat: int, known: Sequence[tuple[int, int]] = ()) -> Self:
        """Review this line's record, this seat's findings first. `known`: as in `Review`. Raises
        NoReplay, and leaves no process then."""
        async with cls._starting(REVIEWS) as reviewer:
            asked = line + b"\n" + framed(Review(seat, list(known)))
            begun = await reviewer._answer(asked, SILENCE_S)
            assert isinstance(begun, Begun)
            reviewer.begun = with_end(begun)
        return reviewer

    async def findings(self) -> AsyncGenerator[Finding, None]:
        """Each once, as they are made: on a busy machine one takes minutes. Raises NoReplay."""
        while not isinstance(told := await self._answer(b"", None), LastWord):
            assert isinstance(told, Judged | Raced)
            yield in_words_of(self.begun.game, told)


def with_end(begun: Begun) -> Begun:
    """With the view and the outcome as the game has them. Raises RemoteProtocolError."""
    if begun.view is None:  # an earlier program kept it
        return begun
    words = GAMES[begun.game]
    view, outcome = read_as(begun.view, words.view), read_as(begun.outcome, words.outcome)
    return msgspec.structs.replace(begun, view=view, outcome=outcome)


def in_words_of(game: str, found: Finding) -> Finding:
    """With the view and the actions as the game has them. Raises RemoteProtocolError."""
    words = GAMES[game]
    view = read_as(found.view, words.view)
    if isinstance(found, Raced):
        came = None if found.came is None else read_as(found.came, words.event)
        return msgspec.structs.replace(found, view=view, came=came)
    action, best = (read_as(one, words.action) for one in (found.action, found.best))
    return msgspec.structs.replace(found, view=view, action=action, best=best)


# The process that reads and writes files of matches for this player: the rules are the server's.
#
# Each function waits for it: call it in a thread where somebody looks at a screen.


CONVERTS: Final = program("server.recording")


_ENDED: Final = {
    READ: N_("the program that reads matches has ended by itself"),
    WRITE: N_("the program that writes matches has ended by itself"),
}


def matches_in(file: BinaryIO) -> Generator[Found | Fault, None, None]:
    """Every match of a file of records or of notation, checked. The file is open, and nothing has
    been read of it yet. Raises NotDone."""
    with closing(_said(READ, file)) as answers:
        for answer in answers:
            if isinstance(answer, Found | Fault):
                yield answer


def as_notation(records: Iterable[bytes]) -> Iterator[str | Unfit]:
    """Each of these lines as notation, or what is wrong with it. Raises NotDone."""
    with TemporaryFile() as file:
        file.writelines(line + b"\n" for line in records)
        file.seek(0)
        with closing(_said(WRITE, file)) as answers:
            for answer in answers:
                if isinstance(answer, Unfit):
                    yield answer
                elif isinstance(answer, Written):
                    yield answer.text


def _said(does: str, file: BinaryIO) -> Generator[FromRecording, None, None]:
    """What the process says of this file; once this is closed, there is no process."""
    try:
        process = subprocess.Popen(
            [*CONVERTS, does], stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        raise NotDone(_(_ENDED[does])) from None
    assert process.stdout is not None
    try:
        while said := payload(process.stdout):
            if isinstance(answer := _read(said), LastWord):
                return
            yield answer
    except (OSError, msgspec.DecodeError, ValueError):
        pass
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
    raise NotDone(_(_ENDED[does]))
