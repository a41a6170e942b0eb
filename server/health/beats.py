"""The loop says at even times that it turns, and how late it was."""

import asyncio
from collections.abc import Callable, Sequence


async def beat(every_s: float, told: Sequence[Callable[[float], None]]) -> None:
    """For ever: call each with the seconds by which the loop was late."""
    loop = asyncio.get_running_loop()
    while True:
        due_s = loop.time() + every_s
        await asyncio.sleep(every_s)
        late_s = max(0.0, loop.time() - due_s)
        for tell in told:
            tell(late_s)
