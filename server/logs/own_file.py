"""A log file that is ours to cut: bounded in size, and without whole addresses of long ago.

Laws: nobody else may read it. A line that is `KEEP_WHOLE_DAYS` old names the block of an address
only. What is cut is replaced at once, so that a crash leaves the old file or the new one.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from server.logs.marks import block_of
from server.logs.output import Descriptor

KEEP_WHOLE_DAYS: Final = 14
MOST_BYTES: Final = 16 << 20
"""When the file is larger, the older half of it goes."""

_OURS: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC


class OwnFile:
    """A `Sink`."""

    def __init__(self, path: Path) -> None:
        """Opens or makes the file. Raises OSError."""
        self._path: Final = path
        self._number = self._open()
        self._cut_on = ""
        self._size_bytes = os.fstat(self._number).st_size
        self.look_after()

    def write(self, line: bytes) -> None:
        self.look_after()
        self._lines.write(line)
        self._size_bytes += len(line)

    def look_after(self) -> None:
        """Cut what is to be cut, once a day or when the file has grown too large."""
        today = datetime.now(UTC).date().isoformat()
        if today == self._cut_on and self._size_bytes <= MOST_BYTES:
            return
        self._cut_on = today
        with suppress(OSError):  # a full disk, say: the lines go on where they went
            self._cut()

    def _open(self) -> int:
        number = os.open(self._path, _OURS, 0o600)
        with suppress(OSError):  # another's file, which its owner lets us write
            os.fchmod(number, 0o600)
        self._lines = Descriptor(number)
        return number

    def _cut(self) -> None:
        before = self._path.read_bytes()
        kept = b"".join(cut_lines(before[-MOST_BYTES // 2 :] if self._too_large else before))
        if kept != before:
            whole = self._path.with_name(f".{self._path.name}.cut")
            whole.unlink(missing_ok=True)
            with os.fdopen(os.open(whole, _OURS | os.O_EXCL, 0o600), "wb") as file:
                file.write(kept)
            whole.replace(self._path)
            os.close(self._number)
            self._number = self._open()
        self._size_bytes = len(kept)

    @property
    def _too_large(self) -> bool:
        return self._size_bytes > MOST_BYTES


def cut_lines(content: bytes, now: datetime | None = None) -> Iterator[bytes]:
    """The lines, with their ends, as they may stand there now. What is no line of ours goes."""
    oldest_whole = ((now or datetime.now(UTC)) - timedelta(days=KEEP_WHOLE_DAYS)).isoformat()
    for line in content.splitlines(keepends=True):
        try:
            values: Any = json.loads(line)
            old = values["timestamp"] < oldest_whole
        except (ValueError, KeyError, TypeError):
            continue
        if old and "address" in values:
            yield json.dumps({**values, "address": block_of(str(values["address"]))}).encode()
            yield b"\n"
        else:
            yield line
