"""What holds for all tests."""

import os
import signal

import pytest
from hypothesis import settings

# No absolute times, and the same examples every time.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


def pytest_configure() -> None:
    """A run in a shell's background is told to ignore Ctrl+C, and all that it starts inherits that:
    what is tested must not."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def data_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A client that dials keeps a secret for its player: not that of the player at the machine."""
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))
