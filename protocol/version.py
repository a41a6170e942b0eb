"""What two programs that have never met need to find and understand each other."""

from typing import Final

DEFAULT_PORT: Final = 7777
"""Where a server listens, and a client dials, unless told otherwise."""

MAGIC: Final = "clocktowers"
"""First field of every `hello`; tells a stray HTTP request from a client."""

PROTOCOL_VERSIONS: Final = (1,)
"""Every protocol version this program speaks, newest first."""
