"""How many elements a payload has, counted without building them.

An element is a value of MessagePack: a number, a text, an array, a map, each key and each value in
it. Building one costs hundreds of times as much as its byte, so a reader counts first.
"""

from typing import Final

_ONE_BYTE: Final = 1


def _table() -> tuple[tuple[int, int, int, int], ...]:
    """First byte → (bytes of the header, where in it a length stands: its bytes, elements inside,
    whether the length counts elements: 0 = bytes, 1 = array, 2 = map)."""
    row: list[tuple[int, int, int, int]] = []
    sized = {
        **{0xC4 + power: (1 << power, 0, 0) for power in range(3)},
        **{0xC7 + power: (1 << power, 1, 0) for power in range(3)},
        **{0xD9 + power: (1 << power, 0, 0) for power in range(3)},
        **{0xDC + power: (2 << power, 0, 1) for power in range(2)},
        **{0xDE + power: (2 << power, 0, 2) for power in range(2)},
    }
    fixed = {
        **dict(zip(range(0xCA, 0xD4), (4, 8, 1, 2, 4, 8, 1, 2, 4, 8), strict=True)),
        **{0xD4 + power: 1 + (1 << power) for power in range(5)},
    }
    for first in range(256):
        if 0x80 <= first < 0x90:
            row.append((_ONE_BYTE, 0, 2 * (first & 15), 0))
        elif 0x90 <= first < 0xA0:
            row.append((_ONE_BYTE, 0, first & 15, 0))
        elif 0xA0 <= first < 0xC0:
            row.append((_ONE_BYTE + (first & 31), 0, 0, 0))
        elif first in sized:
            length, extra, kind = sized[first]
            row.append((_ONE_BYTE + length + extra, length, 0, kind))
        else:
            row.append((_ONE_BYTE + fixed.get(first, 0), 0, 0, 0))
    return tuple(row)


_TABLE: Final = _table()


def more_than(payload: bytes, most: int) -> bool:
    """Whether the payload has, or announces, more than `most` elements. Takes time for `most`
    elements at worst, however long the payload is."""
    end = len(payload)
    if end <= most:
        return False  # no element is shorter than a byte
    at, announced, read = 0, 1, 0
    while read < announced <= most and at < end:
        size, length, inside, kind = _TABLE[payload[at]]
        if length:
            count = int.from_bytes(payload[at + 1 : at + 1 + length], "big")
            if kind:
                inside = kind * count
            else:
                size += count
        at += size
        announced += inside
        read += 1
    return announced > most
