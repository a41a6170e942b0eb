"""A match as an asciinema recording, version 2: a header, then a line for each time something is
seen (https://docs.asciinema.org/manual/asciicast/v2/).
"""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

LEAST_S: Final = 0.8
MOST_S: Final = 3.0
"""A ply takes as long as in the match, but no less and no more than this: to be read."""
_END_S: Final = 3.0
"""The result stays so long, before a player begins again."""
_ENDED: Final = "\x1b[m\x1b[?7h\x1b[?1049l\x1b[?25h"
"""The terminal is as before: no full screen any more, lines wrap, the cursor is seen."""


class Frame(NamedTuple):
    """`at_ms`: match time. `sent`: what a terminal is sent."""

    at_ms: int
    sent: str


def cast(frames: Sequence[Frame], size: tuple[int, int], title: str, ended_at: int) -> str:
    """All its lines. `frames`: at least one."""
    width, height = size
    header = {
        "version": 2,
        "width": width,
        "height": height,
        "timestamp": ended_at,
        "title": title,
        "env": {"TERM": "xterm-256color"},
    }
    times_s = _times_s([frame.at_ms for frame in frames])
    events = [[at_s, "o", frame.sent] for at_s, frame in zip(times_s, frames, strict=True)]
    last = [round(times_s[-1] + _END_S, 3), "o", _ENDED]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in [header, *events, last])


def _times_s(match_times_ms: Sequence[int]) -> list[float]:
    """When each is seen, from 0 on."""
    times_s = [0.0]
    for before_ms, at_ms in pairwise(match_times_ms):
        step_s = min(max((at_ms - before_ms) / 1000, LEAST_S), MOST_S)
        times_s.append(round(times_s[-1] + step_s, 3))
    return times_s
