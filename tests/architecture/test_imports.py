"""The import contracts hold, and a planted violation of each is caught."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("protocol", "server", "clocktowers_tui")

# Module to add (a file in a copy of the tree) → what it imports, which its room forbids.
PLANTED = {
    "protocol.planted": ("server.games", "clocktowers_tui", "asyncio", "textual", "time"),
    "protocol.games.planted": ("protocol.games.clocktowers",),
    "server.planted": ("clocktowers_tui", "textual"),
    "server.games.clocktowers.planted": ("protocol.codec", "server.matches", "time", "logging"),
    "server.games.planted": ("server.games.clocktowers",),
    "server.matches.planted": ("server.net.session", "server.net.listener", "server.net.handlers"),
    "server.net.planted": ("server.guests.ssh", "asyncssh", "aiohttp"),
    "server.tables.planted": ("server.net.session", "server.server"),
    "clocktowers_tui.planted": ("server.games",),
    "clocktowers_tui.state.planted": ("textual", "clocktowers_tui.net"),
    "clocktowers_tui.widgets.planted": ("clocktowers_tui.net",),
    "clocktowers_tui.games.architetti_attenti.planted": ("clocktowers_tui.games.clocktowers",),
    "clocktowers_tui.plain.planted": ("textual", "clocktowers_tui.screens", "clocktowers_tui.app"),
    "clocktowers_tui.deeds.planted": ("textual", "clocktowers_tui.widgets"),
    "clocktowers_tui.games.planted": ("clocktowers_tui.net", "clocktowers_tui.state.store"),
}

# Two modules that import each other, one of them in a function.
CIRCLE = {
    "server.store.planted_egg": "import server.store.planted_hen\n",
    "server.store.planted_hen": "def lay() -> None:\n    import server.store.planted_egg\n",
}


def lint_imports(tree: Path) -> "subprocess.CompletedProcess[str]":
    """Run import-linter on the packages in `tree`, not on those installed."""
    run = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-P", "-c", run, "--no-cache"],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What import-linter says about a copy of the tree with all the planted imports."""
    copy = tmp_path_factory.mktemp("planted")
    shutil.copy(ROOT / ".importlinter", copy)
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    imports = {name: "".join(f"import {x}\n" for x in told) for name, told in PLANTED.items()}
    for module, text in {**imports, **CIRCLE}.items():
        copy.joinpath(*module.split(".")).with_suffix(".py").write_text(text)
    done = lint_imports(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def test_the_contracts_hold() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_planted_import_is_caught(planted: str) -> None:
    every = [f"{module} -> {name} (l." for module in PLANTED for name in PLANTED[module]]
    assert not [one for one in every if one not in planted]


def test_a_planted_circle_is_caught(planted: str) -> None:
    assert "No cycles are allowed in server.store." in planted
    assert ".planted_egg -> .planted_hen" in planted or ".planted_hen -> .planted_egg" in planted


def test_every_contract_can_be_broken(planted: str) -> None:
    lines = (ROOT / ".importlinter").read_text().splitlines()
    contracts = [line[7:] for line in lines if line.startswith("name = ")]
    assert contracts
    assert not [contract for contract in contracts if f"{contract} BROKEN" not in planted]


def global_random(source: str) -> list[int]:
    """The lines that reach for the random module itself; only its class `Random` may be had."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(name.name == "random" for name in node.names):
            lines.append(node.lineno)
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            lines += [node.lineno for name in node.names if name.name != "Random"]
    return lines


def test_games_have_no_randomness_of_their_own() -> None:
    files = sorted((ROOT / "server" / "games").rglob("*.py"))
    found = {str(file): lines for file in files if (lines := global_random(file.read_text()))}
    assert files
    assert not found, "chance comes from the seed, or from the Random that is handed in"
