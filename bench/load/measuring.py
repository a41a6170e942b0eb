"""A load on a server with each journal, or on the relay: what is measured has one core, the load
another."""

import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Final

from msgspec import json, structs

from bench.load.figures import MEMORY, POSTGRES, LoadFigures, LoadPlan, ServerFigures
from bench.processes import FIRST, SECOND, Served, listening, on_core, python, serving
from server.net.listener import connections_allowed
from tests.stage.changed_server import changed
from tests.stage.processes import PROGRAM, started

_SPARE: Final = 100
_SEGMENT_MB: Final = 16
"""As PostgreSQL makes them where nobody asks for another size."""


async def measured(journal: str, plan: LoadPlan, rounds: int) -> ServerFigures:
    """Put a load on a server of its own, then on a relay, so many times."""
    found = ServerFigures(journal=journal, server=[], relay=[])
    for _ in range(max(1, rounds)):
        found.server.append(await on_our_server(journal, plan))
        relay = listening(on_core(FIRST, python("bench.load.relay", "serve")))
        found.relay.append(await loaded(relay, python("bench.load.relay", "load"), plan))
    return found


async def on_our_server(
    journal: str, plan: LoadPlan, settings: Mapping[str, str] | None = None
) -> LoadFigures:
    """The plan on a real server with a new journal. `settings`: other variables of its
    environment."""
    served = _server(journal, plan.matches, settings or {})
    return await loaded(served, python("bench.load.load"), plan)


@asynccontextmanager
async def _server(journal: str, matches: int, settings: Mapping[str, str]) -> AsyncIterator[Served]:
    # A pair alone on a server asks for more rematches than any people could.
    limits = {"connections": 2 * matches + _SPARE, "tables": matches + _SPARE, "commands_s": 1e6}
    program = on_core(FIRST, changed("forgetful") if journal == MEMORY else PROGRAM)
    with ExitStack() as stack:
        if journal == POSTGRES:
            from tests.stage.postgres import Cluster, missing

            if why := missing():
                raise SystemExit(why)
            cluster = stack.enter_context(closing(Cluster(segment_mb=_SEGMENT_MB)))
            settings = {**settings, "CLOCKTOWERS_JOURNAL": cluster.fresh()}
        async with serving(limits, settings, program) as served:
            yield served


async def loaded(
    subject: AbstractAsyncContextManager[Served], load: Sequence[str], plan: LoadPlan
) -> LoadFigures:
    """What a load generator finds of a program."""
    connections_allowed()  # as many as this machine grants; children inherit it
    async with subject as served:
        given = json.encode(structs.replace(plan, port=served.port, pid=served.pid)).decode()
        with tempfile.TemporaryDirectory() as home:
            generator = on_core(SECOND, load)
            async with started(Path(home), given, program=generator, stderr=2) as process:
                told, _ = await process.process.communicate()
    if not told:
        raise SystemExit("the load generator ended before its time; see above")
    return json.decode(told, type=LoadFigures)
