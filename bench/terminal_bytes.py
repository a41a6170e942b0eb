"""How many bytes the client sends to a terminal of 80x24: `python -m bench.terminal_bytes`.

The real program runs on a pseudo-terminal with all colours, at a table of four; the deal and the
other players' actions are the same every time. `--stock` measures Textual's own driver instead.
"""

import argparse
import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from statistics import median
from typing import Any, Final

from bench.one_table import CODE, OneTable
from bench.pseudo_terminal import ESC, PseudoTerminal, environment
from bench.staging import Staged
from bench.turns import BUDGETS, CLOCK, DIALOG, IDLE, LINE, MOTION, OPPONENT, TURNS, Costs
from clocktowers_tui.games.architetti_attenti import peaks as of_towns
from clocktowers_tui.games.clocktowers import peaks as of_towers
from clocktowers_tui.games.motion import END_S
from clocktowers_tui.games.wild_wild_pattern import peaks as of_races

NAME: Final = "Zoe\u0331\u0308"
"""Its last letter keeps a combining mark."""
_IDLE_S: Final = 2.0


PEAKS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "clocktowers": of_towers.peak,
    "architetti_attenti": of_towns.peak,
    "wild_wild_pattern": of_races.peak,
}
"""What is worth a motion, by game."""

CLIENT: Final = ("-m", "clocktowers_tui")
STOCK: Final = ("-m", "bench.stock_client")
"""The same client with Textual's own driver."""

_CLOCK_SECONDS: Final = 25
_ONLY_A_CLOCK: Final = """
from textual.app import App
from textual.widgets import Static
from clocktowers_tui.config.look import Look
from clocktowers_tui.terminal.driver import for_terminal
from clocktowers_tui.terminal.guard import Guard
from clocktowers_tui.widgets.countdown import Countdown

class Clock(App):
    now_s = 0.0
    def compose(self):
        yield Static("a board " * 200)
        self.clock = Countdown(lambda: self.now_s)
        self.clock.styles.dock = "bottom"
        yield self.clock
    def on_mount(self):
        self.clock.aim(71.0)
    def key_s(self):
        self.now_s += 1
        self.clock.tick()

Clock(driver_class=for_terminal(Guard(), Look(), titled=False)).run()
"""
"""A key moves the time: `s` by a second."""


class Metered(PseudoTerminal):
    """A terminal for which a key costs microseconds of the program's processor time, not bytes."""

    async def cost(self, keys: str) -> int:
        before_us = self.cpu_us()
        await super().cost(keys)
        return self.cpu_us() - before_us


@asynccontextmanager
async def at_table(
    table: OneTable,
    program: Sequence[str] = CLIENT,
    environ: Mapping[str, str] | None = None,
    flags: Sequence[str] = (),
    terminal: type[PseudoTerminal] = PseudoTerminal,
) -> AsyncIterator[PseudoTerminal]:
    """The client, seated and shown the match."""
    with tempfile.TemporaryDirectory() as home:
        async with table.listening() as address:
            arguments = [*program, *flags, "join", address, "--table", CODE, "--name", NAME]
            async with terminal.run(arguments, environment(home) | dict(environ or {})) as it:
                await it.sees("Chia")
                await it.settles()
                yield it


async def measure(
    number: int,
    plies: int,
    program: Sequence[str] = CLIENT,
    played: int = 0,
    game: str = "clocktowers",
    kind: type[PseudoTerminal] = PseudoTerminal,
) -> Costs:
    """So many actions of a match, with everything a player tries before each action of their
    own; on a `Metered` terminal keys cost microseconds."""
    measured = TURNS[game]
    costs: Costs = {budget: [] for budget in (*measured.budgets, *BUDGETS)}
    table = OneTable(number, played, game)
    async with at_table(table, program, terminal=kind) as terminal:
        for ply in range(plies):
            if table.staged.over:
                break
            if table.my_turn():
                await measured.take(table, terminal, costs)
            else:
                terminal.painted = b""
                table.opponent()
                await terminal.settles()
                # The result, a dialog, comes with the last action.
                costs[DIALOG if table.staged.over else OPPONENT].append(len(terminal.painted))
            if ply % 8 == 0:
                await _talk(table, terminal, costs)
                await _open_dialogs(terminal, costs)
        costs[IDLE].append(await _idle(terminal))
    return costs


async def measure_elsewhere() -> Costs:
    """What does not depend on the game."""
    with tempfile.TemporaryDirectory() as home:
        idle = await _idle_with_a_line_to_type_in(home)
        return {IDLE: [idle], CLOCK: await clock_costs(home)}


async def clock_costs(home: str) -> list[int]:
    """Some seconds of a clock, over a minute's end."""
    async with PseudoTerminal.run(["-c", _ONLY_A_CLOCK], environment(home)) as terminal:
        await terminal.sees("1:11")
        await terminal.settles()
        costs = [await terminal.cost("s") for _ in range(_CLOCK_SECONDS)]
        await terminal.sees("0:46")
        return costs


async def _idle_with_a_line_to_type_in(home: str) -> int:
    async with PseudoTerminal.run(CLIENT, environment(home)) as terminal:
        await terminal.sees("Quit")
        terminal.press("c")
        await terminal.settles()
        return await _idle(terminal)


async def _idle(terminal: PseudoTerminal) -> int:
    terminal.painted = b""
    await asyncio.sleep(_IDLE_S)
    return len(terminal.painted)


async def _open_dialogs(terminal: PseudoTerminal, costs: Costs) -> None:
    for opening, closing in (("?", ESC), ("L", "q"), ("/", ESC), ("q", ESC), ("\x03", ESC)):
        costs[DIALOG].append(await terminal.cost(opening))
        costs[DIALOG].append(await terminal.cost(closing))


async def _talk(table: OneTable, terminal: PseudoTerminal, costs: Costs) -> None:
    """Lines longer than the terminal is wide, each with other words; they stay unread till then."""
    for text in ("so many towers, and not a roof yet: ", "nobody wants to finish one, eh? "):
        terminal.painted = b""
        table.talk(text * 5)
        await terminal.settles()
        costs[LINE].append(len(terminal.painted))


async def cpu_ms_a_key(program: Sequence[str]) -> float:
    """The client's processor time for each key of a match."""
    table, keys = OneTable(7, 40), 0
    async with at_table(table, program) as terminal:
        before_s = terminal.cpu_s()
        for key in (*("\x1b[C", "1", ESC) * 30, *("?", ESC) * 10):
            await terminal.cost(key)
            keys += 1
        return 1000 * (terminal.cpu_s() - before_s) / keys


async def motion_costs(number: int, each: int, games: Iterable[str] = PEAKS) -> list[int]:
    """What the first motions of these games cost, over the same moments without."""
    costs = []
    for game in games:
        for played in _peaks(game, PEAKS[game], number)[:each]:
            moving, still = [
                await _somebody_acts(number, played, game, {"TEXTUAL_ANIMATIONS": level})
                for level in ("full", "none")
            ]
            costs.append(moving - still)
    return costs


def _peaks(game: str, peak: Callable[[Any, Any], Any], number: int) -> list[int]:
    """How many actions lie before each, while the match goes on."""
    staged, found = Staged(4, number, game=game), []
    while not staged.over:
        before, played = staged.view(), staged.plies
        staged.play_one()
        if peak(before, staged.view()) is not None and not staged.over:
            found.append(played)
    return found


async def _somebody_acts(number: int, played: int, game: str, environ: Mapping[str, str]) -> int:
    table = OneTable(number, played, game)
    async with at_table(table, environ=environ) as terminal:
        terminal.painted = b""
        table.opponent()
        await terminal.settles(END_S)
        return len(terminal.painted)


def report_cpu(costs: Costs) -> list[str]:
    """A table of milliseconds, for the keys of a turn."""
    row = "{:40} {:>6} {:>7} {:>7}"
    keys = {budget: these for budget, these in costs.items() if budget not in BUDGETS and these}
    return [row.format("ms of the processor's time", "times", "median", "worst")] + [
        row.format(of.what, len(these), f"{median(these) / 1000:.1f}", f"{max(these) / 1000:.1f}")
        for of, these in keys.items()
    ]


def report(costs: Costs) -> list[str]:
    """A table, the budget beside each figure."""
    row = "{:28} {:>7} {:>7} {:>8} {:>7} {:>8}  {}"
    lines = [row.format("bytes", "times", "median", "budget", "worst", "budget", "")]
    for budget, these in costs.items():
        if these:
            figures: list[Any] = [len(these), round(median(these)), budget.median]
            met = "met" if budget.met(these) else "MISSED"
            lines.append(row.format(budget.what, *figures, max(these), budget.worst, met))
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.terminal_bytes", description=__doc__)
    parser.add_argument("--deal", type=int, default=7, help="which match (7)")
    parser.add_argument("--game", choices=TURNS, help="which one (all)")
    parser.add_argument("--plies", type=int, default=1000, help="at most so many actions (all)")
    parser.add_argument("--stock", action="store_true", help="with Textual's own driver")
    parser.add_argument("--cpu", action="store_true", help="compare the processor's time instead")
    parser.add_argument("--keys", action="store_true", help="the processor's time of each key")
    given = parser.parse_args()
    if given.keys:
        for game in [given.game] if given.game else TURNS:
            taken = measure(given.deal, given.plies, game=game, kind=Metered)
            print(game, *report_cpu(asyncio.run(taken)), sep="\n")
        return 0
    if given.cpu:
        ours, stock = (asyncio.run(cpu_ms_a_key(program)) for program in (CLIENT, STOCK))
        print(f"{ours:.1f} ms a key, with Textual's own driver {stock:.1f}: {ours / stock:.2f}")
        return 0
    program = STOCK if given.stock else CLIENT
    found = {
        game: asyncio.run(measure(given.deal, given.plies, program, game=game))
        for game in ([given.game] if given.game else TURNS)
    }
    found["elsewhere"] = asyncio.run(measure_elsewhere())
    found["motion"] = {MOTION: asyncio.run(motion_costs(given.deal, 2))}
    for where, costs in found.items():
        print("\n".join([where, *report(costs)]))
    met = (budget.met(these) for costs in found.values() for budget, these in costs.items())
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
