"""Frames at the pipes between a program and a process that it has started for itself."""

from typing import IO, Any

import msgspec

from protocol.codec import HEADER, frame


def framed(said: Any) -> bytes:
    """A message as the bytes that go into a pipe."""
    return frame(msgspec.msgpack.encode(said))


def tell(pipe: IO[bytes], said: Any) -> None:
    """Raises BrokenPipeError where nobody reads any more."""
    pipe.write(framed(said))
    pipe.flush()


def payload(pipe: IO[bytes]) -> bytes:
    """The next one, as soon as it is here; b"" at the pipe's end."""
    header = pipe.read(HEADER.size)
    return pipe.read(*HEADER.unpack(header)) if len(header) == HEADER.size else b""
