"""Does the wheel work where the checkout is not? Build it, install it, play a match with it.

Run by `make wheel-check`. Everything happens in a temporary folder with a home of its own; each
step has a time limit and one sentence for its failure.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("clocktowers_tui", "server", "protocol")
MUST_HOLD: Final = (
    "protocol/PROTOCOL.md",
    "clocktowers_tui/**/*.tcss",
    "clocktowers_tui/locale/*.pot",
    "clocktowers_tui/locale/*/LC_MESSAGES/*.mo",
    "packaging/share/man/man1/*.1",
    *(f"{package}/py.typed" for package in PACKAGES),
)
SHARED: Final = re.compile(r"^[^/]+\.data/data/")
"""Before the names of what an installation puts beside the packages, below its prefix."""
OURS_COMPILED: Final = re.compile(r"^clocktowers__mypyc\.[^/]+$")
"""All that is compiled, which each compiled module leads to."""
PURE: Final = "pure"
COMPILED: Final = "compiled"
"""The two kinds of wheel, and the words by which the programs tell which one they are."""
SIMULATE: Final = (
    "simulate --game clocktowers --players 2 --games 1 --seed 7 --bots random,random"
    " --records out.jsonl"
)
# Generous: a loaded machine with two cores must not fail here, a hang must.
BUILD_S: Final = 180
COMPILE_S: Final = 3600
INSTALL_S: Final = 300
MATCH_S: Final = 120
START_S: Final = 30
POLL_S: Final = 0.05


class OtherFolder(NamedTuple):
    """A folder that is not the checkout, and an environment that knows nothing of it."""

    folder: Path
    environment: Mapping[str, str]

    def step(self, what: str, limit_s: float, *command: str | Path) -> str:
        """Run a command, return what it printed; end the check if it fails or takes too long."""
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            fail(f"{what}: not done after {limit_s:g} s")
        except OSError as problem:
            fail(f"{what}: {problem}")
        if done.returncode != 0:
            fail(f"{what}: exit code {done.returncode}; it said\n{done.stdout}")
        say(what)
        return done.stdout


def main() -> None:
    """Exit 0 when all steps pass, else 1 with the reason on stderr."""
    with another_folder() as elsewhere:
        check(build(elsewhere), elsewhere)


@contextmanager
def another_folder() -> Iterator[OtherFolder]:
    # The space is on purpose: a folder's name may hold one.
    with tempfile.TemporaryDirectory(prefix="wheel check ") as folder:
        yield OtherFolder(Path(folder), environment(Path(folder)))


def check(wheel: Path, elsewhere: OtherFolder) -> None:
    look_inside(wheel)
    programs = install(wheel, elsewhere)
    show_help(programs, elsewhere)
    show_version(programs, elsewhere, PURE if wheel.stem.endswith("none-any") else COMPILED)
    simulate_and_verify(programs, elsewhere)
    play_over_tcp(programs, elsewhere)
    say("the wheel works away from its checkout")


def environment(folder: Path) -> Mapping[str, str]:
    """Ours, with another home and without what could lead back to the checkout."""
    foreign = ("PYTHON", "XDG_", "VIRTUAL_ENV", "CLOCKTOWERS")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    home = folder / "home"
    home.mkdir()
    # pip's cache alone stays where it is: to fetch everything again would prove nothing.
    return {"PIP_CACHE_DIR": pip_cache(), **kept, "HOME": str(home)}


def pip_cache() -> str:
    command = (sys.executable, "-I", "-m", "pip", "cache", "dir")
    answer = subprocess.run(command, capture_output=True, text=True, timeout=START_S, check=False)
    return answer.stdout.strip()


def build(elsewhere: OtherFolder, source: Path = ROOT, out: str = PURE) -> Path:
    """Return the wheel, beside which the sdist lies. It is made from the sdist, which so is seen to
    be complete too, and from which nothing that the compiler leaves comes into the checkout. The
    name `out` begins with the kind of wheel."""
    into = elsewhere.folder / out
    compiles = out.startswith(COMPILED)
    hook = ("env", f"HATCH_BUILD_HOOK_ENABLE_MYPYC={str(compiles).lower()}")
    build_it = (sys.executable, "-P", "-m", "build", "--no-isolation", "--outdir", into, source)
    what, limit_s = ("compile the wheel", COMPILE_S) if compiles else ("build the wheel", BUILD_S)
    elsewhere.step(what, limit_s, *hook, *build_it)
    wheels = sorted(into.glob("*.whl"))
    if len(wheels) != 1:
        fail(f"build the wheel: one .whl was expected, there are {len(wheels)}")
    return wheels[0]


def look_inside(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    held = {SHARED.sub("packaging/", name) for name in names}
    strangers = {name.split("/")[0] for name in held if not OURS_COMPILED.match(name)}
    strangers -= {*PACKAGES, "packaging"}
    if strangers:
        fail(f"look inside the wheel: it also installs {', '.join(sorted(strangers))}")
    missing = sorted(set(files_to_ship()) - held)
    if missing:
        fail(f"look inside the wheel: missing are {', '.join(missing)}")
    for pattern in MUST_HOLD:
        if not any(path.relative_to(ROOT).as_posix() in held for path in ROOT.glob(pattern)):
            fail(f"look inside the wheel: it holds no {pattern}")
    say("look inside the wheel: all files are there")


def files_to_ship() -> Iterator[str]:
    for package in (*PACKAGES, "packaging/share"):
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT).as_posix()


def install(wheel: Path, elsewhere: OtherFolder) -> Path:
    """The folder of the programs in a fresh environment that holds nothing but the wheel."""
    venv = elsewhere.folder / f"venv of {wheel.stem}"
    elsewhere.step("make a fresh venv", INSTALL_S, sys.executable, "-I", "-m", "venv", venv)
    programs = venv / "bin"
    elsewhere.step("install the wheel", INSTALL_S, *installing(programs), wheel)
    return programs


def installing(programs: Path) -> tuple[Path | str, ...]:
    """What comes before the name of a package."""
    return (programs / "python", "-I", "-m", "pip", "install", "--quiet", "--no-input")


def show_help(programs: Path, elsewhere: OtherFolder) -> None:
    for program in ("clocktowers", "clocktowers-server"):
        elsewhere.step(f"{program} --help", START_S, programs / program, "--help")


def show_version(programs: Path, elsewhere: OtherFolder, kind: str) -> None:
    for program in ("clocktowers", "clocktowers-server"):
        what = f"{program} --version"
        if f"({kind}" not in elsewhere.step(what, START_S, programs / program, "--version"):
            fail(f"{what}: it should say that it is the {kind} build")


def simulate_and_verify(programs: Path, elsewhere: OtherFolder) -> None:
    server = programs / "clocktowers-server"
    elsewhere.step("simulate a match", MATCH_S, server, *SIMULATE.split())
    answer = elsewhere.step("verify its record", MATCH_S, server, "verify", "out.jsonl")
    last = answer.strip().rpartition("\n")[2]
    if not last.startswith("1 right: "):
        fail(f"verify its record: the last line should say '1 right' and is {last!r}")


def play_over_tcp(programs: Path, elsewhere: OtherFolder) -> None:
    needs = (*installing(programs), "msgpack>=1.1,<2")
    elsewhere.step("install what another client needs", INSTALL_S, *needs)
    client = (programs / "python", "-P", ROOT / "tests" / "stage" / "minimal_client.py")
    with serving(programs, elsewhere) as port:
        what = "play a match over TCP"
        answer = elsewhere.step(what, MATCH_S, *client, "127.0.0.1", str(port))
    if not answer.strip():
        fail(f"{what}: the client printed no outcome")


@contextmanager
def serving(programs: Path, elsewhere: OtherFolder) -> Iterator[int]:
    """A server on a free port; it has to stop in good order when asked to."""
    log = elsewhere.folder / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            (programs / "clocktowers-server", "serve", "--port", "0", "--bot-pace-s", "0"),
            cwd=elsewhere.folder,
            env=elsewhere.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        yield port_of(server, log)
        stop(server, log)
    finally:
        server.kill()
        server.wait()


def port_of(server: "subprocess.Popen[bytes]", log: Path) -> int:
    end_at = time.monotonic() + START_S
    while not (found := re.search(r"^listening on \S+:(\d+)\n", log.read_text(), re.M)):
        if server.poll() is not None or time.monotonic() > end_at:
            fail(f"serve: no line tells the port it listens on; it said\n{log.read_text()}")
        time.sleep(POLL_S)
    return int(found[1])


def stop(server: "subprocess.Popen[bytes]", log: Path) -> None:
    server.terminate()
    try:
        code = server.wait(START_S)
    except subprocess.TimeoutExpired:
        fail(f"serve: it did not stop within {START_S} s of being asked to")
    if code != 0:
        fail(f"serve: asked to stop, it ended with exit code {code}; it said\n{log.read_text()}")


def say(what: str) -> None:
    print(f"wheel check: {what}", flush=True)


def fail(why: str) -> NoReturn:
    sys.exit(f"wheel check failed: {why}")


if __name__ == "__main__":
    main()
