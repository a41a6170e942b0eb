"""The processes that replay, review and convert records for this player.

The rules are the server's.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO, Final, Self

import msgspec

from protocol.codec import HEADER, read_as
from protocol.errors import RemoteProtocolError
from protocol.games.registry import GAMES
from protocol.recording import (
    READ,
    REPLAY,
    REVIEW,
    WRITE,
    Begun,
    Converted,
    Fault,
    Finding,
    Found,
    Hear,
    Heard,
    Judged,
    LastWord,
    Opened,
    Raced,
    ReplayAnswered,
    Review,
    ReviewTold,
    Show,
    Shown,
    Unfit,
    Written,
    framed,
    payload,
)

# A process of the server's code that this player has started for themselves, at two pipes.


def program(module: str, *arguments: str) -> Sequence[str]:
    """The command that runs this module."""
    return (sys.executable, "-P", "-m", module, *arguments)


class Piped:
    """Made by `start`; `stop` ends it, with all processes that it has started."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process: Final = process

    @classmethod
    async def start(cls, command: Sequence[str]) -> Self:
        """Raises OSError."""
        return cls(
            await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,  # the terminal's Ctrl+C is for the client
            )
        )

    async def write(self, said: bytes) -> None:
        """Say nothing to a process that has ended: its last word tells why it has."""
        assert self.process.stdin is not None
        with suppress(ConnectionError):
            self.process.stdin.write(said)
            await self.process.stdin.drain()

    async def next(self) -> bytes:
        """The next frame's payload. Raises EOFError, of a process that has ended, and OSError."""
        output = self.process.stdout
        assert output is not None
        (length,) = HEADER.unpack(await output.readexactly(HEADER.size))
        return await output.readexactly(length)

    async def stop(self) -> None:
        if self.process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()


# The process that replays a record for this player: the rules are the server's.
#
# It hears one client through a pipe, so that it needs no port, no password and no journal. Each
# view comes out of it whole; nothing here is patched.


REPLAYS: Final = program("server.recording", REPLAY)
ANSWER_S: Final = 20
_replayed: Final = msgspec.msgpack.Decoder(ReplayAnswered).decode


class NoReplay(Exception):
    """The record cannot be replayed; the text says what is wrong with it, in the server's words, ""
    where the process failed."""


class Projector:
    """The process, with one record. Made by `start`; `stop` at the end. Each request raises
    NoReplay."""

    def __init__(self, process: Piped) -> None:
        self._process: Final = process
        self._turn: Final = asyncio.Lock()
        self.opened = Opened("", [], [], None, opens=False)

    @classmethod
    async def start(cls, line: bytes) -> Self:
        """Replay the record of this line. Raises NoReplay, and leaves no process then."""
        try:
            process = await Piped.start(REPLAYS)
        except OSError:
            raise NoReplay("") from None
        projector = cls(process)
        try:
            opened = await projector._ask(line + b"\n", Opened)
            words = GAMES[opened.game]
            outcome = read_as(opened.outcome, words.outcome)
            projector.opened = msgspec.structs.replace(opened, outcome=outcome)
        except BaseException:
            await projector.stop()
            raise
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

    async def _ask(self, asked: bytes, kind: type[Any]) -> Any:
        async with self._turn:
            try:
                async with asyncio.timeout(ANSWER_S):
                    await self._process.write(asked)
                    answer = _replayed(await self._process.next())
            except (TimeoutError, EOFError, OSError, msgspec.DecodeError):
                await self.stop()  # a late answer would be taken for that to the next request
                raise NoReplay("") from None
        if isinstance(answer, Unfit):
            raise NoReplay(answer.why)
        assert isinstance(answer, kind)
        return answer

    async def stop(self) -> None:
        await self._process.stop()


# The process that reviews a record for this player: it knows the rules and the bots.
#
# It says what it finds as soon as it has it. To stop it, at any time, leaves nothing running.


REVIEWS: Final = program("server.recording", REVIEW)
SILENCE_S: Final = 120
"""Far above what one decision takes on a slow machine."""
_judged: Final = msgspec.msgpack.Decoder(ReviewTold).decode


class NoReview(Exception):
    """The record cannot be reviewed; the text says what is wrong with it, in the server's words, ""
    where the process failed."""


class Reviewer:
    """The process, with one record. Made by `start`; `stop` at the end."""

    def __init__(self, process: Piped) -> None:
        self._process: Final = process
        self.begun = Begun("", [], [], [], [])

    @classmethod
    async def start(cls, line: bytes, seat: int, known: Sequence[tuple[int, int]] = ()) -> Self:
        """Review this line's record, this seat's findings first. `known`: as in `Review`. Raises
        NoReview, and leaves no process then."""
        try:
            reviewer = cls(await Piped.start(REVIEWS))
        except OSError:
            raise NoReview("") from None
        try:
            await reviewer._process.write(line + b"\n" + framed(Review(seat, list(known))))
            begun = await reviewer._next()
            if not isinstance(begun, Begun):
                raise NoReview("")
            reviewer.begun = begun
        except BaseException:
            await reviewer.stop()
            raise
        return reviewer

    async def findings(self) -> AsyncGenerator[Finding, None]:
        """Each once, as they are made. Raises NoReview."""
        while not isinstance(told := await self._next(), LastWord):
            if not isinstance(told, Judged | Raced):
                raise NoReview("")
            try:
                yield in_words_of(self.begun.game, told)
            except RemoteProtocolError:
                raise NoReview("") from None

    async def _next(self) -> ReviewTold:
        try:
            async with asyncio.timeout(SILENCE_S):
                told: ReviewTold = _judged(await self._process.next())
        except (TimeoutError, EOFError, OSError, msgspec.DecodeError):
            raise NoReview("") from None
        if isinstance(told, Unfit):
            raise NoReview(told.why)
        return told

    async def stop(self) -> None:
        await self._process.stop()


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
_converted: Final = msgspec.msgpack.Decoder(Converted).decode


class NotConverted(Exception):
    """The process failed."""


def matches_in(file: BinaryIO) -> Generator[Found | Fault, None, None]:
    """Every match of a file of records or of notation, checked. The file is open, and nothing has
    been read of it yet. Raises NotConverted."""
    with _said(READ, file) as answers:
        for answer in answers:
            if isinstance(answer, Found | Fault):
                yield answer


def as_notation(records: Iterable[bytes]) -> Iterator[str | Unfit]:
    """Each of these lines as notation, or what is wrong with it. Raises NotConverted."""
    with TemporaryFile() as file:
        file.writelines(line + b"\n" for line in records)
        file.seek(0)
        with _said(WRITE, file) as answers:
            for answer in answers:
                if isinstance(answer, Unfit):
                    yield answer
                elif isinstance(answer, Written):
                    yield answer.text


@contextmanager
def _said(does: str, file: BinaryIO) -> Iterator[Iterator[Converted]]:
    """What the process says of this file; afterwards there is no process."""
    try:
        process = subprocess.Popen(
            [*CONVERTS, does], stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        raise NotConverted from None
    assert process.stdout is not None
    try:
        yield _answers(process.stdout)
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def _answers(output: IO[bytes]) -> Iterator[Converted]:
    try:
        while said := payload(output):
            answer: Converted = _converted(said)
            if isinstance(answer, LastWord):
                return
            yield answer
    except (OSError, msgspec.DecodeError, ValueError):
        pass
    raise NotConverted
