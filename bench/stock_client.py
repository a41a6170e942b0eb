"""The client with Textual's own driver: `python -m bench.stock_client [ARGUMENTS]`."""

import sys
from typing import Any

from textual.drivers.linux_driver import LinuxDriver

from clocktowers_tui import start
from clocktowers_tui.__main__ import main


def stock(*_given: Any, **_more: Any) -> type[LinuxDriver]:
    return LinuxDriver


if __name__ == "__main__":
    setattr(start, "for_terminal", stock)  # noqa: B010
    sys.exit(main())
