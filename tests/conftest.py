"""What holds for all tests."""

import signal

from hypothesis import settings

# No absolute times, and the same examples every time.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


def pytest_configure() -> None:
    """A run in a shell's background is told to ignore Ctrl+C, and all that it starts inherits that:
    what is tested must not."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
