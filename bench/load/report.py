"""The measurements, for people and as JSON."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import to_builtins

from bench.load.aims import Aim, aims
from bench.load.figures import EngineFigures, Figures, LoadFigures, ServerFigures

RATES: Final[dict[str, Callable[[LoadFigures], float]]] = {
    "moves_per_s": lambda load: load.moves_per_s,
    "p50_ms": lambda load: load.p50_ms,
    "p99_ms": lambda load: load.p99_ms,
    "cpu_us_per_move": lambda load: load.cpu_us_per_move,
    "load_cpu_us_per_move": lambda load: load.load_cpu_us_per_move,
    "bytes_per_move": lambda load: load.bytes_per_move,
    "rss_per_match_bytes": lambda load: load.rss_per_match_bytes,
}
"""The figures that a table's lines are computed from; their names in the JSON file."""

_LINES: Final = (
    ("moves a second", "moves_per_s", 0),
    ("move to opponent's update, ms, half of them within", "p50_ms", 2),
    ("    99 of 100 within", "p99_ms", 2),
    ("CPU a move, microseconds", "cpu_us_per_move", 1),
    ("CPU of the load generator a move", "load_cpu_us_per_move", 1),
    ("bytes a move, to both seats", "bytes_per_move", 1),
    ("memory a match, bytes", "rss_per_match_bytes", 0),
)
_RATIO: Final = "CPU a move by the uvloop relay's"
_LATENCY_RATIO: Final = "latency by the uvloop relay's, half and 99 of 100"
_LESS_SYNC: Final = "latency, ms, less what the disk takes by itself"
HONEST_MEMORY_MATCHES: Final = 100
_VERDICTS: Final = {True: "met", False: "MISSED", None: "not measured"}


def as_json(figures: Figures) -> Any:
    """Everything measured, everything computed from it, and the aims."""
    return {
        **to_builtins(figures),
        "engine": [
            {
                **to_builtins(one),
                "games_per_s": one.games_per_s,
                "hand_tuned_share": one.hand_tuned_share,
            }
            for one in figures.engine
        ],
        "server": [
            {
                "server": _with_rates(one.server),
                "relays": {loop: _with_rates(relay) for loop, relay in one.relays.items()},
                "journal": one.journal,
                "ratios": one.ratios,
                "relay_ratio": one.relay_ratio,
                "sync_ms": one.sync_ms,
                "latency_ratios": one.latency_ratios,
            }
            for one in figures.server
        ],
        "aims": [{**to_builtins(aim), "met": aim.met} for aim in aims(figures)],
    }


def _with_rates(load: LoadFigures) -> dict[str, Any]:
    return {**to_builtins(load), **{name: rate(load) for name, rate in RATES.items()}}


def lines(figures: Figures) -> Iterator[str]:
    """The report in words."""
    yield f"Python {figures.python}, seed {figures.seed}"
    if figures.engine:
        yield ""
        yield "engine: whole random games on one core, set-up included"
        yield from map(_engine_line, figures.engine)
    for one in figures.server:
        yield ""
        yield from _server_lines(one)
    if figures.server and not figures.own_cores:
        yield "note: there is one core only, so the load ran on the server's"
    yield ""
    yield "aims"
    yield from map(_aim_line, aims(figures))


def _engine_line(one: EngineFigures) -> str:
    title = f"{one.game}, {one.players} players"
    moves_per_s = one.moves / one.cpu_s
    share = one.hand_tuned_share
    floor = "" if share is None else f"   {share:.2f} of the hand-tuned loop"
    return f"  {title:30}{one.games_per_s:>9,.0f} games/s {moves_per_s:>11,.0f} moves/s{floor}"


def _server_lines(one: ServerFigures) -> Iterator[str]:
    columns = {"server": one.server} | {f"relay, {loop}": it for loop, it in one.relays.items()}
    title = f"{one.server.matches} matches, {one.server.games} games, journal: {one.journal}"
    yield f"{title:52}" + "".join(f"{name:>16}" for name in columns)
    for words, rate, places in _LINES:
        values = (f"{RATES[rate](load):>16,.{places}f}" for load in columns.values())
        yield f"  {words:50}" + "".join(values)
    if one.relay_ratio is not None:
        yield f"  {_RATIO:50}{_ratios(one):>16}"
    if one.sync_ms:
        yield f"  {_LESS_SYNC:50}{_both(one.latencies_ms):>16}"
    if one.latency_ratios is not None:
        yield f"  {_LATENCY_RATIO:50}{_both(one.latency_ratios):>16}"
    if one.server.matches < HONEST_MEMORY_MATCHES:
        yield "  (so few matches say little of memory: what any server needs once is in it)"


def _both(values: Sequence[float]) -> str:
    """Of half the moves, and of 99 of 100."""
    return ", ".join(f"{value:.2f}" for value in values)


def _ratios(one: ServerFigures) -> str:
    """The median, and the range of several rounds."""
    spread = f" ({one.ratios[0]:.1f}-{one.ratios[-1]:.1f})" if len(one.ratios) > 1 else ""
    return f"{one.relay_ratio:.2f}{spread}"


def _aim_line(aim: Aim) -> str:
    value = "" if aim.value is None else f"{aim.value:,.{1 if aim.value >= 10 else 2}f} "
    bound = "at least" if aim.at_least else "at most"
    return f"  {_VERDICTS[aim.met]:12} {aim.what}: {value}({bound} {aim.limit:,g})"
