"""An invitation as a QR code, for a server's terminal and a client's screen."""

from typing import Final

MOST_ROWS: Final = 21
"""Two dots a row: so it fits a terminal of 80 by 24 with words below."""
_QUIET: Final = (4, 2)
"""Light dots around: what the standard wants, and what cameras take."""
_CELLS: Final = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
"""A dark dot is a blank: a code is read on a light ground, and most terminals are dark."""


def rows_of(text: str) -> list[str]:
    """The code in half blocks; none where it would have more than `MOST_ROWS`. Capitals take less
    room, and an invitation is read in capitals, too."""
    import segno  # seldom used

    code = segno.make(text.upper(), error="l", micro=False)
    for quiet in _QUIET:
        dots = [[*map(bool, row)] for row in code.matrix_iter(border=quiet)]
        if len(dots) <= 2 * MOST_ROWS:
            under = [*dots[1::2], *[[False] * len(dots)] * (len(dots) % 2)]
            pairs = zip(dots[::2], under, strict=True)
            return ["".join(_CELLS[two] for two in zip(*pair, strict=True)) for pair in pairs]
    return []
