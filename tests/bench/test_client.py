"""What is measured of the client: the budgets of bytes and calls hold, it starts about as quickly
as an empty Textual app, and its pictures in the documents are what it shows."""

import asyncio
import re
from pathlib import Path

import pytest

from bench import startup
from bench.pictures import FOLDER, KEPT, taken
from bench.startup import HELD
from bench.terminal_bytes import MOTION, TURNS, measure, measure_elsewhere, motion_costs, report
from clocktowers_tui.games.registry import FACES
from tests.bench import keys
from tests.stage.pseudo_terminal import PseudoTerminal, environment

# Bytes --------------------------------------------------------------------------------------------

DEAL = 7
PARTS = {"clocktowers": (44, 5), "architetti_attenti": (40, 4), "wild_wild_pattern": (24, 9)}
"""Game -> actions that lie behind, and those that are measured: there has to be something on the
table, and the player's own turn among them. The race ends with one, for then nothing is due. `make
bench-terminal` measures whole matches."""


def test_every_game_has_budgets() -> None:
    assert set(PARTS) == set(TURNS) == set(FACES)


@pytest.mark.parametrize("game", PARTS)
async def test_the_budgets_hold_in_a_part_of_a_match(game: str) -> None:
    played, plies = PARTS[game]
    costs = await measure(DEAL, game, plies, played)
    assert all(these for these in costs.values()), "something was not measured"
    missed = [budget.what for budget, these in costs.items() if not budget.met(these)]
    assert not missed, "\n".join(report(costs))


async def test_they_hold_elsewhere() -> None:
    for budget, these in (await measure_elsewhere()).items():
        assert budget.met(these), report({budget: these})


@pytest.mark.parametrize(
    "games", [["clocktowers"], pytest.param([*FACES], marks=pytest.mark.soak)], ids=len
)
async def test_a_motion_is_cheap(games: list[str]) -> None:
    costs = await motion_costs(DEAL, 1, games)
    assert MOTION.met(costs) and min(costs) > 0, report({MOTION: costs})


# Calls --------------------------------------------------------------------------------------------


async def test_a_key_takes_no_longer_way() -> None:
    counts = await keys.calls()
    assert counts.keys() == keys.MOST.keys()
    assert not {what: count for what, count in counts.items() if count > keys.MOST[what]}


# Starts -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compiled(request: pytest.FixtureRequest) -> Path:
    """Kept from run to run, since to compile costs more than all starts. Python itself finds out
    what has changed since: then the first start is slow, and the next is not."""
    cache = request.config.cache
    assert cache is not None
    return cache.mkdir("startup") / "compiled"


async def test_the_client_starts_about_as_quickly_as_an_empty_app(compiled: Path) -> None:
    """Other work on the machine stretches one start and not the next: one good run says enough."""
    ratios: list[float] = []
    while len(ratios) < 7 and min(ratios, default=HELD + 1) > HELD:
        ratios.append((await startup.measure(3, compiled)).ratio)
    assert min(ratios) <= HELD, ratios


async def test_the_first_picture_waits_for_few_of_our_modules(tmp_path: Path) -> None:
    ours = "(one for name, one in modules.items() if name.startswith(('clocktowers', 'protocol')))"
    count = (
        "import os; from sys import modules; import clocktowers_tui.app as app;"
        f"app.read_all = lambda: os._exit(sum(type(one) is type(os) for one in {ours}));"
    )
    run = ["-c", count + startup.CLIENT[0]]
    async with PseudoTerminal.run(run, environment(str(tmp_path))) as terminal:
        assert 50 < await terminal.ends() <= startup.MOST_MODULES


# Pictures -----------------------------------------------------------------------------------------

_ROOT = Path(__file__).parents[2]
_DOCUMENTS = "".join(
    file.read_text("utf-8") for file in (_ROOT / "README.md", *(_ROOT / "docs").glob("*.md"))
)


def words(svg: str) -> str:
    """What stands in a picture; ids and colours may be others in another version of Textual."""
    return re.sub(r"\s+", " ", " ".join(re.findall(r">([^<]+)</text>", svg)))


@pytest.mark.parametrize("name", KEPT)
def test_a_picture_in_a_document_shows_what_the_client_shows(name: str) -> None:
    assert f"bench/pictures/{name}.svg" in _DOCUMENTS
    kept = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert words(kept) == words(asyncio.run(taken(KEPT[name])))


def test_no_other_picture_lies_about_and_none_asks_for_fonts() -> None:
    files = [*FOLDER.glob("*.svg")]
    assert {file.stem for file in files} == set(KEPT)
    assert not [file for file in files if "@font-face" in file.read_text("utf-8")]
