"""What holds for all tests."""

import gc
import os
import signal

import pytest
from hypothesis import settings

# No absolute times, and the same examples every time.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")

YOUNG = 50_000
"""Objects made until the collector looks at them: the screens' tests take an eighth less of the
processor's time than with Python's 700."""


def pytest_configure() -> None:
    """A run in a shell's background is told to ignore Ctrl+C, and all that it starts inherits that:
    what is tested must not."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def data_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A client that dials keeps a secret for its player: not that of the player at the machine."""
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))


def pytest_collection_finish() -> None:
    """What was imported stays for the whole run: the collector need not walk through it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
