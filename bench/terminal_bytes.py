"""How many bytes the client sends to a terminal of 80x24: `python -m bench.terminal_bytes`.

The real program runs on a pseudo-terminal with all colours, at a table of four; the deal and the
other players' actions are the same every time.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any, Final, NamedTuple

from bench.shown import row, verdict
from clocktowers_tui.games.architetti_attenti import scene as of_towns
from clocktowers_tui.games.clocktowers import scene
from clocktowers_tui.games.clocktowers.choosing import Selection, Stage, targets
from clocktowers_tui.games.clocktowers.scene import staged
from clocktowers_tui.games.clocktowers.sight import Arrangement
from clocktowers_tui.games.motion import END_S
from clocktowers_tui.games.parts import Given
from clocktowers_tui.games.wild_wild_pattern import scene as of_races
from protocol.games import architetti_attenti as attenti, wild_wild_pattern as pattern
from protocol.games.clocktowers import Discard, Draw, Phase, Play
from protocol.games.wild_wild_pattern.cards import FIRST_COLOUR, Direction, object_of
from tests.stage.pseudo_terminal import ESC, QUIET_S, PseudoTerminal, environment
from tests.stage.staged import CLIENT, OTHERS, OneTable, Staged, at_table

# Budgets -----------------------------------------------------------------------------------------


class Budget(NamedTuple):
    """Bytes for a key, an action or a second: the median and the worst."""

    what: str
    median: int
    worst: int

    def met(self, costs: Sequence[int]) -> bool:
        return bool(costs) and median(costs) <= self.median and max(costs) <= self.worst


TOWER: Final = Budget("choice to another tower", 250, 400)
CARD: Final = Budget("choice to another card", 800, 1_200)
PLAY: Final = Budget("playing a card", 1_000, 2_000)
OPPONENT: Final = Budget("an opponent's action", 500, 1_500)
LINE: Final = Budget("a line of chat arrives", 300, 500)
DIALOG: Final = Budget("a dialog opened or closed", 4_000, 8_000)
CLOCK: Final = Budget("a second of a running clock", 32, 32)
IDLE: Final = Budget("nobody acts", 0, 0)
MOTION: Final = Budget("a motion at a peak", 2_000, 2_000)
BUDGETS: Final = (OPPONENT, LINE, DIALOG, IDLE)
"""For every game."""

MOVE: Final = Budget("a tile moved by a cell", 300, 650)
QUARTER: Final = Budget("a tile turned", 300, 500)
TILE: Final = Budget("another tile taken up", 700, 800)
"""Each floats at its own best place: the one before leaves its cells, too."""
BUY: Final = Budget("buying a tile", 1_000, 2_000)
PLACE: Final = Budget("placing a tile", 1_000, 2_000)
TOWN: Final = Budget("another player's town", 4_000, 8_000)

READY: Final = Budget("ready for a card", 1_100, 1_500)
"""The Wheel of the last declaration, which stays until then, makes way for the new one."""
SHOT: Final = Budget("a shot, or another choice of a place", 1_200, 2_000)
PICK: Final = Budget("a direction or a feature picked", 800, 1_200)
DECLARED: Final = Budget("the last key of a declaration", 1_500, 2_000)

Costs = dict[Budget, list[int]]


# What a player does in a turn of each game, key by key -------------------------------------------

_DIGITS: Final = "1234567890"
_PILES: Final = "fcr"
_LETTERS: Final = "raygwcb"
_MEANT_S: Final = 0.9
"""Within this time after the board has changed, a key does not count for the board before."""
_RIGHT: Final = "\x1b[C"
_MOVES: Final = (_RIGHT, "\x1b[B", "\x1b[D", "\x1b[A")


async def clocktowers(table: OneTable, terminal: PseudoTerminal, costs: Costs) -> None:
    given = Given(table.staged.view(), OTHERS, waiting=False, log=())
    table.scene = staged(given, table.scene, Arrangement.AUTOMATIC)
    view, action = table.scene.view, table.staged.bot_action()
    if view.phase is Phase.DRAW:
        assert isinstance(action, Draw)
        costs[PLAY].append(await terminal.cost(_PILES[action.pile]))
        return
    for _ in view.hand:
        costs[CARD].append(await terminal.cost(_RIGHT))
    card = view.hand.index(action.card)
    costs[CARD].append(await terminal.cost(_DIGITS[card]))
    if isinstance(action, Discard):
        costs[PLAY].append(await terminal.cost("x"))
        return
    assert isinstance(action, Play)
    fits = [*targets(view, Selection(Stage.TOWER, card)).values()]
    for _ in fits[1:]:
        costs[TOWER].append(await terminal.cost(_RIGHT))
    if len(fits) > 1 and fits[-1].action != action:
        key = "n" if action.tower is None else _DIGITS[action.tower]
        costs[TOWER].append(await terminal.cost(key))
    costs[PLAY].append(await terminal.cost("\r"))


async def architetti_attenti(table: OneTable, terminal: PseudoTerminal, costs: Costs) -> None:
    """Take up, move and turn all four tiles. Then buy the tile that the bot wants, and place it
    where it lies: the board has put it where it fits."""
    view, action = table.staged.view(), table.staged.bot_action()
    if isinstance(action, attenti.Buy):
        for position, tile in enumerate(view.row, 1):
            if tile:
                costs[TILE].append(await terminal.cost(str(position)))
                for key in _MOVES:
                    costs[MOVE].append(await terminal.cost(key))
                costs[QUARTER].append(await terminal.cost("r"))
        costs[TILE].append(await terminal.cost(str(action.position)))
        costs[BUY].append(await terminal.cost("\r"))
        return
    for _ in view.boards:
        costs[TOWN].append(await terminal.cost("o"))
    costs[PLACE].append(await terminal.cost("\r"))


async def wild_wild_pattern(table: OneTable, terminal: PseudoTerminal, costs: Costs) -> None:
    """What the bot wants; it keeps Challenge cards."""
    action = table.staged.bot_action()
    match action:
        case pattern.Ready():
            costs[READY].append(await terminal.cost(" "))
        case pattern.Shoot(place=place) | pattern.Take(place=place) | pattern.Lay(place=place):
            await asyncio.sleep(_MEANT_S)
            painted = await terminal.cost(_DIGITS[place])
            # The result, a dialog, comes with the last action.
            costs[DIALOG if table.staged.over else SHOT].append(painted)
        case pattern.Click():
            costs[SHOT].append(await terminal.cost("x"))
        case pattern.Declare(pattern=declared):
            direction = "<>"[declared.direction is Direction.AFTER]
            wheel = table.staged.view().wheel
            for key in (direction, _feature_key(declared.anchor, wheel)):
                costs[PICK].append(await terminal.cost(key))
            costs[DECLARED].append(await terminal.cost(_feature_key(declared.partner, wheel)))
        case _:
            await asyncio.sleep(_MEANT_S)
            await terminal.cost("n")
            if table.my_turn() and table.staged.view().phase is pattern.Phase.DECLARE:
                await terminal.cost("n")


def _feature_key(feature: int, wheel: bytes) -> str:
    """A letter; an object has the digit of a card."""
    if feature >= FIRST_COLOUR:
        return _LETTERS[feature - FIRST_COLOUR]
    return next(_DIGITS[at] for at, card in enumerate(wheel) if object_of(card) == feature)


Turn = Callable[[OneTable, PseudoTerminal, Costs], Awaitable[None]]
TURNS: Final[Mapping[str, tuple[Turn, tuple[Budget, ...], Callable[[Any, Any], Any]]]] = {
    "clocktowers": (clocktowers, (TOWER, CARD, PLAY), scene.peak),
    "wild_wild_pattern": (wild_wild_pattern, (READY, SHOT, PICK, DECLARED), of_races.peak),
    "architetti_attenti": (
        *(architetti_attenti, (TILE, MOVE, QUARTER, BUY, PLACE, TOWN)),
        of_towns.peak,
    ),
}
"""An action of the player, with everything tried before it, the budgets that it needs, and what is
worth a motion."""

# Measuring ---------------------------------------------------------------------------------------

_DEAL: Final = 7
_IDLE_S: Final = 2.0
_DIALOGS: Final = (("?", ESC), ("L", "q"), ("/", ESC), ("q", ESC), ("\x03", ESC))
"""The keys that open and close each."""
_TALK: Final = (
    "so many towers, and not a roof yet: " * 5,
    "nobody wants to finish one, eh? " * 5,
)
"""Lines longer than the terminal is wide."""
_CLOCK_SECONDS: Final = 25
_ONLY_A_CLOCK: Final = """
from textual.widgets import Static
from clocktowers_tui.config.look import Look
from clocktowers_tui.terminal.driver import CellApp, for_terminal
from clocktowers_tui.terminal.guard import Guard
from clocktowers_tui.widgets.banner import Countdown

class Clock(CellApp):
    now_s = 0.0
    def compose(self):
        yield Static("a board " * 200)
        self.clock = Countdown(lambda: self.now_s)
        self.clock.styles.dock = "bottom"
        yield self.clock
    def on_mount(self):
        self.clock.show(71.0)
    def key_s(self):
        self.now_s += 1
        self.clock.tick()

Clock(driver_class=for_terminal(Guard(), Look())).run()
"""
"""A key moves the time: `s` by a second."""


async def measure(number: int, game: str, plies: int = 1000, played: int = 0) -> Costs:
    """So many actions of a match, with everything a player tries before each action of their
    own. `played`: actions before the client comes."""
    turn, budgets, _ = TURNS[game]
    costs: Costs = {budget: [] for budget in (*budgets, *BUDGETS)}
    table = OneTable(number, played, game)
    async with at_table(table) as terminal:
        for ply in range(plies):
            if table.staged.over:
                break
            if table.my_turn():
                await turn(table, terminal, costs)
            else:
                painted = await _painted(terminal, table.opponent)
                # The result, a dialog, comes with the last action.
                costs[DIALOG if table.staged.over else OPPONENT].append(painted)
            if ply % 8 == 0:
                for text in _TALK:
                    costs[LINE].append(await _painted(terminal, partial(table.talk, text)))
                for key in (key for opened in _DIALOGS for key in opened):
                    costs[DIALOG].append(await terminal.cost(key))
        costs[IDLE].append(await _idle(terminal))
    return costs


async def _painted(
    terminal: PseudoTerminal, happens: Callable[[], None], quiet_s: float = QUIET_S
) -> int:
    """The bytes that come because something happens at the table."""
    terminal.painted = b""
    happens()
    await terminal.settles(quiet_s)
    return len(terminal.painted)


async def _idle(terminal: PseudoTerminal) -> int:
    terminal.painted = b""
    await asyncio.sleep(_IDLE_S)
    return len(terminal.painted)


async def measure_elsewhere() -> Costs:
    """What does not depend on the game: a line to type in, and a clock over a minute's end."""
    with tempfile.TemporaryDirectory() as home:
        async with PseudoTerminal.run(CLIENT, environment(home)) as terminal:
            await terminal.sees("Quit")
            terminal.press("c")
            await terminal.settles()
            idle = await _idle(terminal)
        async with PseudoTerminal.run(["-c", _ONLY_A_CLOCK], environment(home)) as terminal:
            await terminal.sees("1:11")
            await terminal.settles()
            seconds = [await terminal.cost("s") for _ in range(_CLOCK_SECONDS)]
            await terminal.sees("0:46")
    return {IDLE: [idle], CLOCK: seconds}


async def motion_costs(number: int, each: int, games: Iterable[str] = TURNS) -> list[int]:
    """What the first motions of these games cost, over the same moments without."""
    costs = []
    for game in games:
        for played in _peaks(game, number)[:each]:
            moving, still = [
                await _somebody_acts(number, played, game, {"TEXTUAL_ANIMATIONS": level})
                for level in ("full", "none")
            ]
            costs.append(moving - still)
    return costs


def _peaks(game: str, number: int) -> list[int]:
    """How many actions lie before each, while the match goes on."""
    staged, found, (*_, peak) = Staged(4, number, game=game), [], TURNS[game]
    while not staged.over:
        before, played = staged.view(), staged.plies
        staged.play_one()
        if peak(before, staged.view()) is not None and not staged.over:
            found.append(played)
    return found


async def _somebody_acts(number: int, played: int, game: str, environ: Mapping[str, str]) -> int:
    table = OneTable(number, played, game)
    async with at_table(table, environ=environ) as terminal:
        return await _painted(terminal, table.opponent, END_S)


def report(costs: Costs) -> Iterator[str]:
    """A table, the budget beside each figure."""
    yield row("bytes", "times", "median, at most", "worst, at most", "")
    for budget, these in costs.items():
        if these:
            middle = f"{median(these):.0f}, {budget.median}"
            worst = f"{max(these)}, {budget.worst}"
            yield row(budget.what, len(these), middle, worst, verdict(met=budget.met(these)))


def main() -> int:
    """0: all budgets are met; 1: not."""
    parser = argparse.ArgumentParser(prog="python -m bench.terminal_bytes", description=__doc__)
    parser.add_argument("--game", choices=TURNS, help="which one (all)")
    given = parser.parse_args()
    games = [given.game] if given.game else TURNS
    found = {game: asyncio.run(measure(_DEAL, game)) for game in games}
    found["elsewhere"] = asyncio.run(measure_elsewhere())
    found["motion"] = {MOTION: asyncio.run(motion_costs(_DEAL, 2))}
    for where, costs in found.items():
        print(f"\n{where}", *report(costs), sep="\n")
    met = (budget.met(these) for costs in found.values() for budget, these in costs.items())
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
