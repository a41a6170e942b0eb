"""What holds for all tests."""

import gc
import os
import signal
import tempfile
from collections.abc import Generator, Iterator
from typing import Any

import pytest
import structlog
from hypothesis import settings

from protocol.usage import is_compiled
from tests.stage.chance import CHANCE
from tests.stage.late import make_late
from tests.stage.processes import kept_port
from tests.stage.warm import warm_starts

# No absolute times, and the same examples every time: few here, many in `make soak`.
settings.register_profile("short", deadline=None, derandomize=True, max_examples=15)
settings.register_profile("long", deadline=None, derandomize=True, max_examples=400)
settings.load_profile("short")

YOUNG = 50_000
"""Objects made until the collector looks at them: the screens' tests take an eighth less of the
processor's time than with Python's 700."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--chance", type=int, default=0, help="other random numbers in all tests")
    late = "make waits, dials, bots, threads and programs late by at most so many ms"
    parser.addoption("--late", type=float, default=0.0, metavar="MS", help=late)


def pytest_configure(config: pytest.Config) -> None:
    # Of the processes that run the tests, and of all that they start.
    os.environ["PYTHONHASHSEED"] = str(config.getoption("chance"))
    CHANCE.install()
    make_late(config.getoption("late"))
    gc.disable()  # until all is collected: it stays, and looking through it takes a second
    os.environ["LANGUAGE"] = "en"  # whatever the machine speaks
    _log_errors_plainly()
    _let_programs_be_stopped()
    if config.getoption("markexpr") == "soak":
        settings.load_profile("long")


def _let_programs_be_stopped() -> None:
    """A shell tells a run in its background to ignore Ctrl+C, and `nohup` tells it to ignore the
    end of its terminal. Programs that we test would inherit that."""
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: lambda *_: None}
    for number, handler in handlers.items():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


def _log_errors_plainly() -> None:
    """Where no log was opened structlog draws each error with all its variables, which takes
    longer than most tests."""
    *others, _pretty = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*others, plain])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What waits longest begins first, or all would wait for it. `make soak` looks for
    counterexamples as well, with more of them."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/stage/"))
    if config.getoption("markexpr") == "soak":
        for item in items:
            if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
                item.add_marker(pytest.mark.soak)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    _draw_for(item)
    if is_compiled() and (pure := item.get_closest_marker("pure")):
        pytest.skip(pure.args[0])


def _draw_for(node: pytest.Item | pytest.Collector, what: str = "") -> None:
    CHANCE.begin(f"{node.config.getoption('chance')} {node.nodeid}{what}")


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """What several tests share draws the same, whichever of them comes first."""
    if fixturedef.scope == "function":
        return (yield)
    _draw_for(request.node, f" {fixturedef.argname}")
    try:
        return (yield)
    finally:
        _draw_for(request._pyfuncitem)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure names what repeats it."""
    report = yield
    if report.failed:
        options = [f"--chance {item.config.getoption('chance')}"]
        if late_ms := item.config.getoption("late"):
            options.append(f"--late {late_ms:g}")
        args = " ".join((*options, f"'{item.nodeid}'"))
        report.sections.append(("chance", f'make test ARGS="{args}"'))
    return report


@pytest.fixture(autouse=True, scope="session")
def quiet_network() -> None:
    """What a test starts neither tells the machine's real network anything nor asks it."""
    os.environ["CLOCKTOWERS_ANNOUNCE"] = "false"
    os.environ["CLOCKTOWERS_NEARBY"] = "no"


@pytest.fixture(autouse=True, scope="session")
def temporary(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Folders that tests make and leave go with pytest's own, which keeps those of three runs."""
    tempfile.tempdir = str(tmp_path_factory.getbasetemp())


@pytest.fixture
def port() -> Iterator[int]:
    """For a server that is started again at the same place."""
    with kept_port() as port:
        yield port


@pytest.fixture(autouse=True, scope="session")
def data_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A client that dials keeps a secret for its player: not that of the player at the machine."""
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def freeze() -> None:
    """The tests of a module that count our open files (`open_files`) need not walk each time
    through what was there before them."""
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def warm(data_home: None, quiet_network: None) -> Iterator[None]:
    """Programs that tests start do not import everything again."""
    with warm_starts():
        yield


def pytest_collection_finish() -> None:
    """What was imported stays for the whole run: the collector need not walk through it again."""
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
    gc.enable()


def pytest_sessionfinish() -> None:
    """pytest collects five times before it ends, and nobody looks at what that would find."""
    gc.freeze()
