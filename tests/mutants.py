"""Are faults still caught? `python -m tests.mutants [ROOM ...]` plants small faults (mutants) into
a copy of the product, one at a time, runs the tests that should fall, and counts the mutants that
made one fall. It prints those that survived, and a table by room; as it goes, which test caught
which mutant.

Cosmic Ray makes the mutants; `OPERATORS` are those of its changes that leave a likely program. The
draw is the same every time: a mutant's lot is a hash of its file, its function and its line, so
neither other files nor lines elsewhere change it. Never planted is what no test should care for:

- what Python cannot compile;
- annotations, signatures without their defaults, unions of types, `if TYPE_CHECKING`;
- decorators, and the options of a class;
- `assert`, `__repr__`, `__str__`, lines of the log, the texts of exceptions;
- numbers in limits and times: constants with a name that says so (`LIMITS`), and what has more than
  two digits (`MOST_DIGITS`);
- what a bot thinks (`THOUGHTS`): another move is no fault.

Where PostgreSQL is missing, its mutants in `server/store` survive.
"""

import argparse
import ast
import difflib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final, NamedTuple

import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

ROOT: Final = Path(__file__).resolve().parents[1]

EACH: Final = 25
"""Mutants for each room."""
LIMIT_S: Final = 600
"""For one command of tests: some wait a minute for what a mutant never does."""
PROCESSOR_S: Final = 90
"""For the same; without a mutant the dearest takes a fifth."""
MEMORY_KB: Final = 6 * 2**20

_SWAPS: Final = {
    "ComparisonOperator": (
        "Eq_NotEq", "NotEq_Eq", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Is_IsNot", "IsNot_Is",
    ),
    "BinaryOperator": (
        "Add_Sub", "Sub_Add", "Mul_FloorDiv", "FloorDiv_Mul", "Mod_FloorDiv",
        "BitOr_BitAnd", "BitAnd_BitOr", "BitXor_BitOr", "LShift_RShift", "RShift_LShift",
    ),
    "UnaryOperator": ("USub_UAdd", "Delete_Not"),
}  # fmt: skip
OPERATORS: Final = (
    *(f"Replace{kind}_{swap}" for kind, swaps in _SWAPS.items() for swap in swaps),
    "AddNot",
    "ExceptionReplacer",
    "NumberReplacer",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "ReplaceFalseWithTrue",
    "ReplaceTrueWithFalse",
    "ZeroIterationForLoop",
)

_OF_GAMES: Final = (
    "tests/games/NAME/oracle tests/games/NAME/server",
    "tests/oracle tests/laws tests/protocol tests/server/recording",
)
ROOMS: Final = {
    "protocol/games": _OF_GAMES,
    "server/games": _OF_GAMES,
    "server/matches": (
        "tests/server/matches",
        "tests/server/tables tests/laws",
        "tests/scenarios/test_[!c]*",
        "tests/server/net tests/server/recording tests/scenarios/test_c*",
    ),
    "server/store": (
        "tests/server/store",
        "tests/server/matches tests/scenarios/test_[!c]*",
        "tests/server/nodes tests/scenarios/test_c*",
    ),
}
"""Room -> tests, a command after the other, the likely and cheap first; NAME is the game. Files are
never named, so that tests may move within their folders; those of whole clusters begin with c."""

THOUGHTS: Final = re.compile(
    r"(protocol|server)/games/((\w+/)?(bots|evaluation|expert|features|judging|learnt|reply|search"
    r"|rewards|timing|weighing)\.py)"
)
LIMITS: Final = re.compile(r"(^|_)(S|MS|US|BYTES|KB|MB|LIMIT|MOST)$|^MOST_|^MAX_")
MOST_DIGITS: Final = 2
_FALLEN: Final = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)

Place = tuple[int, int]
"""Line, from 1, and column, from 0, in bytes."""


class Mutant(NamedTuple):
    lot: str
    file: str
    operator: str
    occurrence: int
    line: int

    @property
    def of_a_number(self) -> bool:
        return self.operator == "NumberReplacer"

    def source(self, whole: str) -> str | None:
        """None for what Cosmic Ray or Python cannot make of it."""
        try:
            mutated = mutate_code(whole, get_operator(f"core/{self.operator}")(), self.occurrence)
            compile(mutated or "=", "mutant", "exec")
        except (AttributeError, SyntaxError):
            return None
        return str(mutated)

    def told(self, root: Path) -> str:
        whole = (root / self.file).read_text("utf-8")
        changes = [
            f"  {line[0]} {line[1:].strip()}"
            for line in difflib.ndiff(whole.split("\n"), (self.source(whole) or "").split("\n"))
            if line[0] in "-+"
        ]
        return "\n".join([f"{self.file}:{self.line}  {self.operator}", *changes])


def spared(tree: ast.Module) -> Iterator[tuple[Place, Place]]:
    """From where to where nothing is planted."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name="__repr__" | "__str__") | ast.Assert():
                yield _span(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from map(_span, node.decorator_list)
                yield from _signature(node)
            case ast.ClassDef():
                yield from map(_span, node.decorator_list)
                yield from map(_span, node.keywords)
            case ast.AnnAssign():
                yield _span(node.annotation)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "_log"))):
                yield _span(node)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield _span(node)
            case ast.Raise():
                yield from (
                    _span(text) for text in ast.walk(node) if isinstance(text, ast.JoinedStr)
                )


def _signature(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[Place, Place]]:
    """Its parts between the defaults."""
    given = [*function.args.defaults, *filter(None, function.args.kw_defaults)]
    begin = (function.lineno, function.col_offset)
    for default in sorted(map(_span, given)):
        yield begin, default[0]
        begin = default[1]
    yield begin, _span(function.body[0])[0]


def _span(node: ast.expr | ast.stmt | ast.keyword) -> tuple[Place, Place]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def limits(tree: ast.Module) -> Iterator[tuple[Place, Place]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            if any(LIMITS.search(name.upper()) for name in names):
                yield _span(node.value)


def unions(tree: ast.Module) -> Iterator[tuple[Place, Place]]:
    """Of types: what is joined by `|` outside functions."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            yield _span(statement)


def mutants(root: Path, file: str) -> Iterator[Mutant]:
    """All that could be planted in one file."""
    source = (root / file).read_text("utf-8")
    tree, lines = ast.parse(source), source.split("\n")
    nowhere = [*spared(tree)]
    nodes = [*ast_nodes(get_ast(source))]
    alike: Counter[str] = Counter()
    for name in OPERATORS:
        operator = get_operator(f"core/{name}")()
        places = (place for node in nodes for place in operator.mutation_positions(node))
        for occurrence, ((line, column), (_, end)) in enumerate(places):
            text = lines[line - 1]
            key = f"{file} {name} {_function(tree, line)} {text.strip()}"
            alike[key] += 1
            lot = hashlib.sha256(f"{key} {alike[key]}".encode()).hexdigest()
            mutant = Mutant(lot, file, name, occurrence, line)
            apart = [*nowhere]
            if mutant.of_a_number:
                apart += limits(tree)
            if name == "ReplaceBinaryOperator_BitOr_BitAnd":
                apart += unions(tree)
            place = line, len(text[:column].encode())
            large = mutant.of_a_number and end - column > MOST_DIGITS
            if not large and not any(start <= place < stop for start, stop in apart):
                yield mutant


def _function(tree: ast.Module, line: int) -> str:
    """The innermost that has this line."""
    found = ""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            begin, end = _span(node)
            if begin[0] <= line <= end[0]:
                found = node.name
    return found


def drawn(root: Path, room: str, each: int = EACH) -> list[Mutant]:
    """One for each line at most, a third of numbers at most."""
    names = [file.relative_to(root).as_posix() for file in (root / room).rglob("*.py")]
    files = [name for name in names if not THOUGHTS.match(name)]
    found: list[Mutant] = []
    lines: set[tuple[str, int]] = set()
    numbers = each // 3
    for mutant in sorted(mutant for name in files for mutant in mutants(root, name)):
        if (mutant.file, mutant.line) in lines or (mutant.of_a_number and not numbers):
            continue
        if mutant.source((root / mutant.file).read_text("utf-8")) is None:
            continue
        found.append(mutant)
        lines.add((mutant.file, mutant.line))
        numbers -= mutant.of_a_number
        if len(found) == each:
            break
    return found


def game_of(file: str) -> str:
    """`*` for what all games share."""
    found = re.match(r"\w+/games/(\w+)/", file)
    return found[1] if found else "*"


def commands(root: Path, room: str, game: str, near: bool) -> Iterator[list[str]]:
    """The tests for pytest, one command after the other; `near`: without the scenarios."""
    for command in ROOMS[room]:
        patterns = command.replace("NAME", game).split()
        if near:
            patterns = [pattern for pattern in patterns if "/scenarios" not in pattern]
        if not patterns:
            continue
        found = [path for pattern in patterns for path in sorted(root.glob(pattern))]
        if not found:
            raise SystemExit(f"there is none of {command}: mend ROOMS in {Path(__file__).name}")
        yield [path.relative_to(root).as_posix() for path in found]


def catch(root: Path, room: str, mutant: Mutant, near: bool) -> str:
    """The test that falls for this mutant; "" for none. A test that never ends has no name, so it
    is `time`."""
    for tests in commands(root, room, game_of(mutant.file), near):
        if (fallen := falls(root, tests)) is not None:
            return fallen or "time"
    return ""


def falls(root: Path, tests: Sequence[str]) -> str | None:
    """The first of these tests to fail, "" where pytest cannot name it; None: all pass."""
    limits = f'ulimit -t {PROCESSOR_S}; ulimit -v {MEMORY_KB}; exec "$@"'
    command = ["sh", "-c", limits, "sh", sys.executable, "-P", "-m", "pytest"]
    command += ["-n", "0", "-x", "-p", "no:cacheprovider"]
    with TemporaryFile() as said:
        process = subprocess.Popen(
            [*command, *tests],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            return ""
        finally:
            _end(process)
        said.seek(0)
        text = said.read().decode(errors="replace")
    if code == pytest.ExitCode.NO_TESTS_COLLECTED:
        raise SystemExit(f"there are no tests in {' '.join(tests)}:\n{text}")
    found = _FALLEN.search(text)
    return None if code == 0 else found[1] if found else ""


def _end(process: subprocess.Popen[bytes]) -> None:
    """With all that it has started; it may stop its own programs first."""
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def planted(root: Path, mutant: Mutant, age_s: int) -> Iterator[None]:
    """`age_s`: another one for each mutant, or Python would take the bytecode of the one before."""
    path = root / mutant.file
    whole, at = path.read_bytes(), path.stat()
    path.write_text(mutant.source(whole.decode()) or "", "utf-8", newline="")
    os.utime(path, (at.st_atime, at.st_mtime + age_s))
    try:
        yield
    finally:
        path.write_bytes(whole)
        os.utime(path, (at.st_atime, at.st_mtime))


def measured(
    checkout: Path, asked: Sequence[tuple[str, Mutant]], jobs: int, near: bool
) -> list[str]:
    """For each mutant the test that caught it, or ""."""
    free: SimpleQueue[Path] = SimpleQueue()
    apart = shutil.ignore_patterns(".git", ".venv*", ".*_cache", ".hypothesis", "dist", "build")

    def run(number: int) -> str:
        room, mutant = asked[number]
        root = free.get()
        try:
            with planted(root, mutant, number + 1):
                test = catch(root, room, mutant, near)
        finally:
            free.put(root)
        print(f"{number}: {mutant.file}:{mutant.line}, {test}", file=sys.stderr, flush=True)
        if not test:
            print(f"survived: {mutant.told(checkout)}", flush=True)
        return test

    with TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(jobs) as pool:
        for job in range(jobs):
            copy = Path(folder) / str(job)
            free.put(shutil.copytree(checkout, copy, ignore=apart, symlinks=True))
        return [*pool.map(run, range(len(asked)))]


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.mutants", description="Are faults still caught?")
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}")
    parser.add_argument("--of", type=Path, default=ROOT, help="another checkout")
    parser.add_argument("--each", type=int, default=EACH, help="mutants for each room")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time")
    parser.add_argument(
        "--near", action="store_true", help="without the scenarios, for a quick look"
    )
    parser.add_argument("--list", action="store_true", help="only show what would be planted")
    args = parser.parse_args()
    if unknown := {*args.rooms} - {*ROOMS}:
        parser.error(f"no such room: {', '.join(sorted(unknown))}")
    rooms, checkout = args.rooms or [*ROOMS], args.of.resolve()
    if args.list:
        for room in rooms:
            print(*(mutant.told(checkout) for mutant in drawn(checkout, room, args.each)), sep="\n")
        return 0
    os.nice(10)
    asked = [(room, mutant) for room in rooms for mutant in drawn(checkout, room, args.each)]
    tests = measured(checkout, asked, args.jobs, args.near)
    for room in rooms:
        print(_line(room, [test for one, test in zip(asked, tests, strict=True) if one[0] == room]))
    print(_line("all", tests))
    return 0


def _line(room: str, tests: Sequence[str]) -> str:
    caught = sum(map(bool, tests))
    return f"{room:16} {caught:3} of {len(tests):3} caught, {caught / max(len(tests), 1):.0%}"


if __name__ == "__main__":
    sys.exit(main())
