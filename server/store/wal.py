"""Looks into SQLite's write-ahead log before SQLite does, which leaves out in silence all that
follows a damaged frame.

A power cut may tear the last commit, which nobody was told of. More than one commit behind the
first frame that does not fit is damage: the second is begun only once the first is on the disk.
The format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
"""

import struct
from pathlib import Path
from typing import Final, NamedTuple

PAGE_BYTES: Final = 4096
"""SQLite's own choice, and so ours."""
_MAGIC: Final = 0x377F0682
"""With 1 added where sums are of big-endian words."""
_HEADER_BYTES: Final = 32
_FRAME_HEADER_BYTES: Final = 24
_MASK: Final = 0xFFFFFFFF


class _Sum(NamedTuple):
    """The checksum that goes on from frame to frame."""

    one: int = 0
    two: int = 0

    def of(self, words: tuple[int, ...]) -> "_Sum":
        one, two = self
        for first, second in zip(words[::2], words[1::2], strict=True):
            one = (one + first + two) & _MASK
            two = (two + second + one) & _MASK
        return _Sum(one, two)


def lost_commits(file: Path) -> int:
    """How many commits of this -wal SQLite will leave out; 0 where there is no such file."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return 0
    return lost_commits_in(content)


def lost_commits_in(content: bytes) -> int:
    """`lost_commits` of a file with this content."""
    if len(content) < _HEADER_BYTES + _FRAME_HEADER_BYTES:
        return 0
    magic, _version, page_bytes, _number, *salts, one, two = struct.unpack_from(">8I", content)
    order = ">" if magic & 1 else "<"
    total = _Sum().of(struct.unpack_from(f"{order}6I", content))
    sound = total == (one, two) and magic & ~1 == _MAGIC
    if not sound:  # what is in the header may be wrong; the second frame is of the same log
        page_bytes = PAGE_BYTES
        second = _HEADER_BYTES + _FRAME_HEADER_BYTES + page_bytes
        salts = list(struct.unpack(">2I", content[second + 8 : second + 16].ljust(8, b"\0")))
    whole_bytes, lost, before = _FRAME_HEADER_BYTES + page_bytes, 0, list[int]()
    for at in range(_HEADER_BYTES, len(content) - whole_bytes + 1, whole_bytes):
        *what, one, two = struct.unpack_from(">6I", content, at)
        if sound:
            total = total.of(struct.unpack_from(f"{order}2I", content, at))
            page = struct.unpack_from(
                f"{order}{page_bytes // 4}I", content, at + _FRAME_HEADER_BYTES
            )
            total = total.of(page)
            sound = what[2:] == salts and total == (one, two)
        # Behind the newest frame lie those of an older log, with other salts. Where disks have
        # large sectors, the last frame of a commit is repeated.
        lost += not sound and what[1] != 0 and what[2:] == salts and what != before
        before = what
    return lost
