"""The numbers by which two programs find out whether they understand each other."""

from typing import Final

MAGIC: Final = "clocktowers"
"""First field of every `hello`; tells a stray HTTP request from a client."""

PROTOCOL_VERSIONS: Final = (1,)
"""Every protocol version this program speaks, newest first."""
