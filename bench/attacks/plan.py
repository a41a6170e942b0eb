"""What the attacking process is told, and what it reports."""

from enum import StrEnum

from msgspec import Struct


class Kind(StrEnum):
    """How a connection of the attack behaves."""

    READERS = "readers"
    """Makes a table, asks for pages of the lobby, and reads none of them."""
    SILENT = "silent"
    """Says nothing at all."""
    CROWD = "crowd"
    """Says hello, and stays: one of many from the same address."""
    COMMANDS = "commands"
    """Asks for pages of the lobby without end, so many at once, and reads them."""
    TRICKLE = "trickle"
    """Begins a frame after its hello and sends a byte of it each second."""
    GARBAGE = "garbage"
    """Says hello and then something that is no message; after the server throws it out, the next
    comes."""
    HELLOS = "hellos"
    """Comes, says hello, goes when the server welcomes it; then the next comes."""
    TABLES = "tables"
    """Makes a table with a bot, begins, and cuts the line; then the next comes."""
    FILLING = "filling"
    """The same, from an address that does not count, on a server with few tables."""
    BOTS = "bots"
    """Makes a table with three strong bots, begins, leaves; again and again."""
    SEATED = "seated"
    """Makes a table with three strong bots, stays and acts at once, so that they never rest."""
    ARRAYS = "arrays"
    """Asks for a table with options of 62 kB of empty arrays; then the next comes."""
    MARKS = "marks"
    """Makes a table and says lines of 2000 marks there without end."""
    NEWS = "news"
    """One of ten reads the list of tables, each with a filter of its own; the others make a table
    there and change it every second."""
    WATCHERS = "watchers"
    """Watches a table, leaves, watches again; the first has made that table and counts notices."""
    NAMESAKES = "namesakes"
    """Says hello, all with one name, and stays."""
    PASSWORDS = "passwords"
    """Says hello with a wrong password; after the server throws it out, the next comes."""
    HANDSHAKES = "handshakes"
    """Says the first words of TLS, hears the server's, and cuts the line; then the next comes."""
    REKEYING = "rekeying"
    """Asks inside TLS for new keys (KeyUpdate), so many times at once, until it is hung up on; then
    the next comes."""
    UPGRADES = "upgrades"
    """Asks for a page's terminal, as a new guest with a browser, and cuts the line when it has one;
    then the next comes."""


class Plan(Struct, frozen=True):
    """`rate_s`: connections opened a second, at most `connections` at a time. `asks`: pages asked
    for at once on each. `source`: the address that they come from."""

    kind: Kind
    port: int = 0
    connections: int = 1
    rate_s: float = 1.0
    asks: int = 0
    source: str = "127.0.0.1"


class Report(Struct, kw_only=True):
    """`opened`: connections that stood; `open`: how many still do; `served`: how many heard of the
    server. `asked`: steps of scripts that were said. `answers`: pages that came. `made`: matches
    that began; `refused`: that did not. `notices`: that came to all of them. `goodbyes`: of the
    server, by code."""

    opened: int = 0
    failed: int = 0
    open: int = 0
    served: int = 0
    asked: int = 0
    answers: int = 0
    made: int = 0
    refused: int = 0
    notices: int = 0
    goodbyes: dict[str, int] = {}
