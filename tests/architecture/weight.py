"""How heavy the project is, room by room: `python -m tests.architecture.weight`.

Code lines are those that are left without blanks, comments, imports and strings that only explain.
A name is doubled when two files of `server` or `protocol`, games left out, define a class or a type
alias of that name.
"""

import argparse
import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("protocol", "server", "clocktowers_tui", "tests", "bench")
_SILENT: Final = frozenset(
    (
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    )
)
_TYPE_NAME: Final = re.compile(r"[A-Z]\w*[a-z]\w*")


class Weight(NamedTuple):
    """Of a room or of several; `code` and `lines` are numbers of lines."""

    files: int = 0
    lines: int = 0
    code: int = 0

    def with_file(self, text: str) -> "Weight":
        return Weight(self.files + 1, self.lines + len(text.splitlines()), self.code + code(text))


def code(text: str) -> int:
    """The code lines of a module."""
    said: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _SILENT:
            said.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
                said.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(said)


def type_names(text: str) -> Iterator[str]:
    """The public classes and type aliases that a module defines."""
    for node in ast.parse(text).body:
        match node:
            case (
                ast.ClassDef(name=name)
                | ast.Assign(targets=[ast.Name(id=name)])
                | ast.AnnAssign(target=ast.Name(id=name))
            ) if _TYPE_NAME.fullmatch(name):
                yield name


def modules(root: Path, package: str) -> list[Path]:
    """Its files, by their place below the root."""
    found = (file.relative_to(root) for file in (root / package).rglob("*.py"))
    return sorted(file for file in found if "node_modules" not in file.parts)


def room(file: Path) -> str:
    """`server/net` for all below it; each game is a room, and so is a package itself."""
    deepest = 3 if file.parts[1] == "games" else 2
    return "/".join(file.parts[:-1][:deepest])


def by_room(root: Path, packages: Sequence[str] = PACKAGES) -> dict[str, Weight]:
    found: dict[str, Weight] = defaultdict(Weight)
    for package in packages:
        for file in modules(root, package):
            found[room(file)] = found[room(file)].with_file((root / file).read_text("utf-8"))
    return dict(found)


def whole(rooms: Mapping[str, Weight], *packages: str) -> Weight:
    """All rooms of these packages together."""
    inside = [weight for room, weight in rooms.items() if room.split("/")[0] in packages]
    return Weight(*map(sum, zip(*inside, strict=True))) if inside else Weight()


def doubled(root: Path) -> dict[str, list[str]]:
    """The files of each doubled name, by the name."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in modules(root, "server") + modules(root, "protocol"):
        if file.parts[1] != "games":
            for name in sorted({*type_names((root / file).read_text("utf-8"))}):
                found[name].append(str(file.with_suffix("")))
    return {name: files for name, files in sorted(found.items()) if len(files) > 1}


def figures(root: Path = ROOT) -> dict[str, int]:
    """What `test_weight` holds: by its name, for each figure less is better."""
    rooms = by_room(root, ("server", "protocol", "clocktowers_tui", "bench"))
    return {
        "code lines of the server": whole(rooms, "server").code,
        "files of server and protocol": whole(rooms, "server", "protocol").files,
        "code lines of the client": whole(rooms, "clocktowers_tui").code,
        "files of the client": whole(rooms, "clocktowers_tui").files,
        "doubled names of server and protocol": len(doubled(root)),
        "lines of tests": sum(
            len((root / file).read_text("utf-8").splitlines()) for file in modules(root, "tests")
        ),
        "lines of bench": whole(rooms, "bench").lines,
        "lines of bench/README.md": len(
            (root / "bench" / "README.md").read_text("utf-8").splitlines()
        ),
    }


def report(root: Path) -> Iterator[str]:
    rooms = by_room(root)
    row = "{:36} {:>6} {:>8} {:>8}"
    yield row.format("room", "files", "lines", "code")
    for package in PACKAGES:
        for name, weight in rooms.items():
            if name.split("/")[0] == package:
                yield row.format(name, *weight)
        yield row.format(f"all of {package}", *whole(rooms, package))
        yield ""
    for name, files in doubled(root).items():
        yield f"{name}: {', '.join(files)}"
    yield ""
    for name, figure in figures(root).items():
        yield f"{name:40} {figure:>6}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of", type=Path, default=ROOT, metavar="FOLDER", help="another checkout")
    print("\n".join(report(parser.parse_args(arguments).of)))


if __name__ == "__main__":
    main()
