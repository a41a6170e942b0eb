"""Tests in several processes that share one collection: `pytest --forks 3`.

Each worker of xdist imports and collects all tests for itself, and tells of each step of each test.
Here workers are forked when everything is collected. A worker runs whole files, one after another;
those that took longest the last time come first, so that no worker has to wait for another's at the
end.
"""

import multiprocessing
from collections import defaultdict, deque
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeAlias

import pytest

File: TypeAlias = list[int]
"""The numbers of its tests in the session."""
_SECONDS: Final = "forks/seconds"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--forks", type=int, default=0, help="processes that run the tests")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """In the place of pytest's own, unless there is nothing to share."""
    option = session.config.option
    spread = option.forks and getattr(option, "numprocesses", None) is None and not option.usepdb
    if not spread or option.collectonly or session.testsfailed or not session.items:
        return None
    Forks(session).run(option.forks)
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)
    return True


class Worker(NamedTuple):
    process: Any
    line: Connection
    given: deque[int]
    """Tests that it has been given and has not ended."""


class Forks:
    """The process that collected: hands out files and hears reports."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session
        self._config = session.config
        files: defaultdict[str, File] = defaultdict(list)
        for number, item in enumerate(session.items):
            files[item.nodeid.partition("::")[0]].append(number)
        self._took: dict[str, float] = _remembered(session.config)
        longest = sorted(files, key=lambda file: -self._took.get(file, len(files[file])))
        self._files: Final = deque(files[file] for file in longest)
        self._began: dict[str, float] = {}

    def run(self, count: int) -> None:
        self._config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        workers = [self._start(number) for number in range(min(count, len(self._files)))]
        try:
            self._serve({worker.line: worker for worker in workers})
        finally:
            for worker in workers:
                if not worker.line.closed:
                    worker.process.terminate()
                worker.process.join()
        cache = getattr(self._config, "cache", None)
        if cache is not None:
            cache.set(_SECONDS, self._took)

    def _start(self, number: int) -> Worker:
        ours, its = multiprocessing.Pipe()
        process = multiprocessing.get_context("fork").Process(
            target=_work, args=(self._session, its, number)
        )
        process.start()
        its.close()
        return Worker(process, ours, deque())

    def _serve(self, workers: dict[Connection, Worker]) -> None:
        while workers:
            for line in wait([*workers]):
                assert isinstance(line, Connection)
                worker = workers[line]
                try:
                    hook, told = line.recv()
                except EOFError:
                    line.close()
                    del workers[line]
                    self._lost(worker)
                else:
                    self._hear(worker, hook, told)
        for file in [] if self._stops() else self._files:
            self._fail(file, "no process was left to run it")

    def _stops(self) -> bool:
        return bool(self._session.shouldfail or self._session.shouldstop)

    def _hear(self, worker: Worker, hook: str, told: Any) -> None:
        if hook == "next":
            file = self._files.popleft() if self._files and not self._stops() else []
            worker.given.extend(file)
            worker.line.send(file)
        elif hook == "warning":
            self._config.hook.pytest_warning_recorded.call_historic(kwargs=told)
        else:
            self._report(worker, told)

    def _report(self, worker: Worker, told: dict[str, Any]) -> None:
        hooks = self._config.hook
        report = hooks.pytest_report_from_serializable(config=self._config, data=told)
        about = {"nodeid": report.nodeid, "location": report.location}
        if report.when == "setup":
            hooks.pytest_runtest_logstart(**about)
            self._began.setdefault(report.nodeid.partition("::")[0], perf_counter())
        hooks.pytest_runtest_logreport(report=report)
        if report.when == "teardown":
            worker.given.popleft()
            hooks.pytest_runtest_logfinish(**about)
            file = report.nodeid.partition("::")[0]
            self._took[file] = round(perf_counter() - self._began[file], 1)

    def _lost(self, worker: Worker) -> None:
        worker.process.join()
        if not self._stops():
            self._fail(worker.given, f"its process ended with {worker.process.exitcode}")

    def _fail(self, tests: Any, why: str) -> None:
        for number in tests:
            item = self._session.items[number]
            lost = pytest.TestReport(item.nodeid, item.location, {}, "failed", why, "call")
            self._config.hook.pytest_runtest_logreport(report=lost)


def _remembered(config: pytest.Config) -> dict[str, float]:
    """Seconds of each file in the last runs."""
    cache = getattr(config, "cache", None)
    return {} if cache is None else dict(cache.get(_SECONDS, {}))


# In a worker -------------------------------------------------------------------------------------


def _work(session: pytest.Session, line: Connection, number: int) -> None:
    config = session.config
    _part_from_others(config, number)
    telling = _Telling(config, line)
    config.pluginmanager.register(telling)
    telling.of_warnings = True  # from here on: those so far have just come once more
    for item, following in _items(session, line):
        config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail or session.shouldstop:
            session._setupstate.teardown_exact(None)
            return


def _items(
    session: pytest.Session, line: Connection
) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    """Each with the one after it, which pytest wants to know: fixtures that both use stay."""

    def asked() -> list[pytest.Item]:
        line.send(("next", None))
        return [session.items[number] for number in line.recv()]

    todo = deque(asked())
    while todo:
        item = todo.popleft()
        if not todo:
            todo.extend(asked())
        yield item, todo[0] if todo else None


def _part_from_others(config: pytest.Config, number: int) -> None:
    """What forked processes would share and must not: captured output, folders, the screen."""
    capturing = config.pluginmanager.getplugin("capturemanager")
    capturing.stop_global_capturing()
    capturing.start_global_capturing()
    capturing.suspend_global_capture()
    folders: Any = config._tmp_path_factory  # type: ignore[attr-defined]
    folders._basetemp = folders.getbasetemp() / f"worker{number}"
    folders._basetemp.mkdir()
    config.pluginmanager.unregister(name="terminalreporter")


class _Telling:
    """Sends what the other process has to know."""

    def __init__(self, config: pytest.Config, line: Connection) -> None:
        self._config = config
        self._line = line
        self.of_warnings = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        hooks = self._config.hook
        told = hooks.pytest_report_to_serializable(config=self._config, report=report)
        self._line.send(("report", told))

    def pytest_warning_recorded(
        self, warning_message: Any, when: Any, nodeid: str, location: Any
    ) -> None:
        if not self.of_warnings:
            return
        told = {"when": when, "nodeid": nodeid, "location": location}
        # A warning's own class may not be known to the other process.
        warning_message.message = UserWarning(str(warning_message.message))
        warning_message.category = UserWarning
        warning_message.source = None
        self._line.send(("warning", {**told, "warning_message": warning_message}))
