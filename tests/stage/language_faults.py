"""The faults that the walk finds in the spoken language, and the screens it has seen."""

from typing import NamedTuple, TypeAlias

import pytest

from tests.stage.language_walk import KNOWN, walk
from tests.stage.marked_language import clipped, untranslated
from tests.stage.pilot import playing, seen_on_top

Found: TypeAlias = dict[str, str]
"""The fault → the stage at which it was seen first."""


class Walked(NamedTuple):
    clipped: Found
    untranslated: Found
    screens: set[str]


async def walked() -> Walked:
    result = Walked({}, {}, set())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", "/0")  # the settings show it: no words, one line
        await _walk(result)
    return result


async def _walk(result: Walked) -> None:
    async with playing() as player:
        async for stage in walk(player):
            screen = seen_on_top(player[0])
            result.screens.add(type(player[0].screen).__name__)
            for found, wrong in (
                (result.clipped, clipped(screen)),
                (result.untranslated, untranslated(screen, KNOWN)),
            ):
                for fault in wrong:
                    found.setdefault(fault, stage)


def in_lines(found: Found) -> str:
    return "\n" + "\n".join(f"{stage:30} {fault}" for fault, stage in found.items())
