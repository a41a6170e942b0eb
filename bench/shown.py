"""How the programs print their figures: a row for each, and whether an aim is met."""

from collections.abc import Sequence
from statistics import median


def row(what: object, *figures: object) -> str:
    """A line of a table; all tables have these columns."""
    return f"{what:<46}{''.join(f' {one:>21}' for one in figures)}"


def spread(values: Sequence[float], places: int) -> str:
    """The median, and of several values the least and the most."""
    least, middle, most = (
        f"{one:,.{places}f}" for one in (min(values), median(values), max(values))
    )
    return middle if len(values) == 1 else f"{middle} ({least}-{most})"


def verdict(*, met: bool) -> str:
    return "met" if met else "MISSED"
