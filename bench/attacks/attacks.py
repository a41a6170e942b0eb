"""The attacks: how strong each is, what the server allows it, and which limit stands against it.

Each has a control, the same attack on a server without that limit: it must be found to get more
than the server allows, or the measurement would measure nothing.
"""

from collections.abc import Callable, Mapping
from math import inf
from typing import Final

from msgspec import Struct

from bench.attacks.honest import PASSWORD
from bench.attacks.plan import Kind, Plan
from bench.attacks.trial import Seen
from protocol.errors import GoodbyeCode
from server.config import Limits
from server.net.open_files import connections_allowed

DEFAULTS: Final = Limits()
SLACK_BYTES: Final = 128 * 1024
"""A reader's page on its way, and what Python does not give back."""
LINE_BYTES: Final = 8 * 1024
"""What a closed connection may leave behind: nothing, but a process gets memory by the page."""
SPARE_FILES: Final = 200
NO_SHARES: Final = {
    f"{what}_per_{whom}": 10**6 for what in ("tables", "bots") for whom in ("address", "identity")
}


class Attack(Struct, frozen=True, kw_only=True):
    """`seconds`: how long it goes on. `got`: what the attack got, `allowed`: how much of that it
    may get, both in `unit`. `limits`: of the server, beside the defaults; `settings`: its
    other variables; `off`: the limits for the control."""

    plan: Plan
    seconds: float
    unit: str
    got: Callable[[Seen], float]
    allowed: Callable[[Seen], float]
    limits: Mapping[str, object] = {}
    settings: Mapping[str, str] = {}
    off: Mapping[str, object] | None = None

    @property
    def words(self) -> str:
        """What the attack does, and at which rate."""
        plan = self.plan
        of_each = f", {plan.asks} pages asked for at once on each" if plan.asks else ""
        return f"{plan.connections} lines, {plan.rate_s:g} a second{of_each}"


def attacks(*, size: float = 1.0, slow_s: float = 5.0, seconds: float = 5.0) -> list[Attack]:
    """All attacks. `size`: the share of the full number of connections; `slow_s`: how slow a peer
    may be before the server lets go; `seconds`: how long attacks go on that need no longer than
    that."""

    def lines(full: int) -> int:
        return max(1, round(full * size))

    # The server looks at all peers once a second.
    patient_s = slow_s + 1.5
    silent = min(lines(5000), connections_allowed() - SPARE_FILES)
    return [
        Attack(
            plan=_plan(Kind.READERS, lines(200), 1000, asks=DEFAULTS.commands_burst - 2),
            seconds=seconds,
            unit="MB more memory",
            got=lambda seen: seen.grown_bytes / 1e6,
            allowed=lambda seen: lines(200) * (DEFAULTS.outbox_bytes + SLACK_BYTES) / 1e6,
            off={"outbox_bytes": 1 << 30},
        ),
        Attack(
            plan=_plan(Kind.COMMANDS, lines(20), 1000, asks=100),
            seconds=seconds,
            unit="pages served",
            got=lambda seen: seen.report.answers,
            allowed=lambda seen: (
                lines(20) * (DEFAULTS.commands_burst + DEFAULTS.commands_s * seen.on_s)
            ),
            off={"commands_s": 1e6, "commands_burst": 10**6},
        ),
        Attack(
            plan=_plan(Kind.SILENT, silent, 2000),
            seconds=silent / 2000 + patient_s,
            unit="lines held",
            got=lambda seen: seen.held,
            allowed=lambda seen: 0,
            limits={"hello_s": slow_s, "arriving": silent},
            off={"hello_s": 1e6, "arriving": silent},
        ),
        Attack(
            plan=_plan(Kind.TRICKLE, lines(200), 1000),
            seconds=patient_s,
            unit="lines held",
            got=lambda seen: seen.held,
            allowed=lambda seen: 0,
            limits={"frame_s": slow_s},
            off={"frame_s": 1e6},
        ),
        Attack(
            plan=_plan(Kind.CROWD, 40, 1000, source="127.0.0.2"),
            seconds=seconds,
            unit="lines held",
            got=lambda seen: seen.held,
            allowed=lambda seen: DEFAULTS.per_address,
            limits={"loopback_counts": "true"},
            off={"loopback_counts": "true", "per_address": 10**6},
        ),
        Attack(
            plan=_plan(Kind.TABLES, 1, 200, source="127.0.0.2"),
            seconds=seconds,
            unit="tables made",
            got=lambda seen: seen.report.made,
            allowed=lambda seen: DEFAULTS.tables_per_address,
            limits={"loopback_counts": "true"},
            off={"loopback_counts": "true", **NO_SHARES},
        ),
        Attack(
            plan=_plan(Kind.FILLING, 1, 200),
            seconds=seconds,
            unit="refused a table",
            got=lambda seen: seen.report.refused,
            allowed=lambda seen: 0,  # as every other guest
            limits={"tables": 100},
        ),
        Attack(
            plan=_plan(Kind.BOTS, 8, 200, source="127.0.0.2"),
            seconds=seconds,
            unit="matches begun",
            got=lambda seen: seen.report.made,
            allowed=lambda seen: inf,  # none of them goes on
            limits={"loopback_counts": "true"},
        ),
        Attack(
            plan=_plan(Kind.SEATED, 16, 200, source="127.0.0.2"),
            seconds=seconds,
            unit="actions",
            got=lambda seen: seen.report.asked,
            allowed=lambda seen: inf,  # they wait for each other, not the others for them
            limits={"loopback_counts": "true"},
        ),
        Attack(
            plan=_plan(Kind.NEWS, lines(1600), 1600),
            seconds=seconds + 3,
            unit="lists read",
            got=lambda seen: seen.report.answers,
            allowed=lambda seen: inf,
        ),
        Attack(
            plan=_plan(Kind.WATCHERS, 20, 100),
            seconds=seconds,
            unit="notices a second at a line",
            got=lambda seen: seen.report.notices / seen.on_s / 20,
            allowed=lambda seen: 3,
        ),
        Attack(
            plan=_plan(Kind.NAMESAKES, lines(1500), 800),
            seconds=seconds,
            unit="lines held",
            got=lambda seen: seen.held,
            allowed=lambda seen: inf,
        ),
        *(
            Attack(
                plan=_plan(kind, 32, 400),
                seconds=seconds,
                unit="lines cut",
                got=lambda seen: sum(seen.report.goodbyes.values()),
                allowed=lambda seen: inf,
            )
            for kind in (Kind.ARRAYS, Kind.MARKS)
        ),
        Attack(
            plan=_plan(Kind.PASSWORDS, 20, 200, source="127.0.0.2"),
            seconds=seconds,
            unit="passwords tried",
            got=lambda seen: seen.report.goodbyes.get(GoodbyeCode.PASSWORD, 0),
            allowed=lambda seen: DEFAULTS.tries_burst + seen.on_s * DEFAULTS.tries_s + 1,
            limits={"loopback_counts": "true"},
            settings={"CLOCKTOWERS_PASSWORD": PASSWORD},
            off={"loopback_counts": "true", "tries_burst": 10**6},
        ),
        Attack(
            plan=_plan(Kind.HANDSHAKES, 20, 400, source="127.0.0.2"),
            seconds=seconds,
            unit="handshakes",
            got=lambda seen: seen.report.served,
            allowed=lambda seen: (
                DEFAULTS.handshakes_per_address + seen.on_s * DEFAULTS.handshakes_per_address_s + 1
            ),
            limits={"loopback_counts": "true"},
            off={"loopback_counts": "true", "handshakes_per_address": 10**6},
        ),
        Attack(
            plan=_plan(Kind.REKEYING, 4, 100, asks=100),
            seconds=seconds,
            unit="new keys",
            got=lambda seen: seen.report.asked,
            allowed=lambda seen: inf,
        ),
        Attack(
            plan=_plan(Kind.UPGRADES, 20, 100, source="127.0.0.2"),
            seconds=seconds,
            unit="terminals",
            got=lambda seen: seen.report.served,
            allowed=lambda seen: inf,
            limits={"loopback_counts": "true"},
            settings={"CLOCKTOWERS_DOORS": "plain,web"},
        ),
        *(
            Attack(
                plan=_plan(kind, 50, 200),
                seconds=seconds,
                unit="kB left by a line",
                got=lambda seen: seen.grown_bytes / max(1, seen.report.opened) / 1e3,
                allowed=lambda seen: LINE_BYTES / 1e3,
            )
            for kind in (Kind.GARBAGE, Kind.HELLOS)
        ),
    ]


def _plan(
    kind: Kind, connections: int, rate_s: float, asks: int = 0, source: str = "127.0.0.1"
) -> Plan:
    return Plan(kind=kind, port=0, connections=connections, rate_s=rate_s, asks=asks, source=source)
