"""The measurements for people and as JSON, beside the project's aims."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct, to_builtins

from bench.load.figures import MEMORY, SQLITE, Figures, LoadFigures, ServerFigures

MAX_RELAY_RATIO: Final = {MEMORY: 2.3, SQLITE: 2.8}
"""By journal: server CPU for a move, by that of the relay, which only passes bytes on."""
MAX_LATENCY_RATIO: Final = {"p50_ms": 2.0, "p99_ms": 2.5}
"""At one match: the server's latency by the relay's."""
MAX_BYTES_PER_MOVE: Final = 400
"""To both seats, answers included: a match over a slow connection still feels immediate."""
MAX_MATCH_BYTES: Final = 20_000
"""Of the server's memory, with both connections; a thousand matches fit a small machine."""
FEW, BUSY, MANY = 1, 100, 1000
"""Matches at once."""

_LINES: Final = (
    ("moves a second", "moves_per_s", 0),
    ("move to opponent's update, ms, half of them within", "p50_ms", 2),
    ("    99 of 100 within", "p99_ms", 2),
    ("CPU a move, microseconds", "cpu_us_per_move", 1),
    ("CPU of the load generator a move", "load_cpu_us_per_move", 1),
    ("bytes a move, to both seats", "bytes_per_move", 1),
    ("memory a match, bytes", "rss_per_match_bytes", 0),
)
_RATIO: Final = "CPU a move by the relay's"
_LATENCY_RATIO: Final = "latency by the relay's, half and 99 of 100"
_VERDICTS: Final = {True: "met", False: "MISSED", None: "not measured"}


class Aim(Struct, frozen=True):
    """Something is to be `most` or less. `value` None: this run has not measured it."""

    what: str
    most: float
    value: float | None

    @property
    def met(self) -> bool | None:
        return None if self.value is None else self.value <= self.most

    def line(self) -> str:
        value = "" if self.value is None else f"{self.value:,.{1 if self.value >= 10 else 2}f} "
        return f"  {_VERDICTS[self.met]:12} {self.what}: {value}(at most {self.most:,g})"


def aims(figures: Figures) -> Iterator[Aim]:
    """Every aim, with this run's figure."""
    loads = {(one.journal, one.server.matches): one for one in figures.server}
    for journal, most in MAX_RELAY_RATIO.items():
        for matches in (BUSY, MANY):
            what = f"server CPU a move by the relay's, {matches} matches, {journal}"
            yield Aim(what, most, _ratio(loads.get((journal, matches))))
    for rate, most in MAX_LATENCY_RATIO.items():
        what = f"latency by the relay's, one match, {rate}"
        yield Aim(what, most, _ratio(loads.get((MEMORY, FEW)), rate))
    sizes = [one.server.rates()["bytes_per_move"] for one in figures.server]
    yield Aim("bytes a move to both seats, whole games", MAX_BYTES_PER_MOVE, max(sizes))
    many = loads.get((MEMORY, MANY))
    memory = many.server.rates()["rss_per_match_bytes"] if many else None
    yield Aim(f"bytes of memory a match, {MANY} matches", MAX_MATCH_BYTES, memory)


def _ratio(load: ServerFigures | None, rate: str = "cpu_us_per_move") -> float | None:
    return load.ratio(rate) if load else None


def as_json(figures: Figures) -> Any:
    """Everything measured, everything computed from it, and the aims."""
    measured: Any = to_builtins(figures)
    for told, load in zip(measured["server"], figures.server, strict=True):
        told["server"] |= load.server.rates()
        told["relay"] |= load.relay.rates()
    return {**measured, "aims": [{**to_builtins(aim), "met": aim.met} for aim in aims(figures)]}


def lines(figures: Figures) -> Iterator[str]:
    """The report in words."""
    yield f"Python {figures.python}, seed {figures.seed}"
    for load in figures.server:
        yield ""
        yield from _server_lines(load)
    if not figures.own_cores:
        yield "note: there is one core only, so the load ran on the server's"
    yield "\naims"
    yield from (aim.line() for aim in aims(figures))


def _server_lines(one: ServerFigures) -> Iterator[str]:
    title = f"{one.server.matches} matches, {one.server.games} games, journal: {one.journal}"
    yield f"{title:52}{'server':>16}{'relay':>16}"
    for words, rate, places in _LINES:
        values = (_cell(load, rate, places) for load in (one.server, one.relay))
        yield f"  {words:50}{''.join(values)}"
    spread = f" ({one.ratios[0]:.1f}-{one.ratios[-1]:.1f})" if len(one.ratios) > 1 else ""
    yield f"  {_RATIO:50}{one.ratio('cpu_us_per_move'):>16.2f}{spread}"
    latency = ", ".join(f"{one.ratio(rate):.2f}" for rate in MAX_LATENCY_RATIO)
    yield f"  {_LATENCY_RATIO:50}{latency:>16}"
    if one.server.matches < BUSY:
        yield "  (so few matches say little of memory: what any server needs once is in it)"


def _cell(load: LoadFigures, rate: str, places: int) -> str:
    return f"{load.rates()[rate]:>16,.{places}f}"
