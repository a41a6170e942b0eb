"""A table's code in letters of five rows, to be read out or seen from afar."""

from typing import Final

from clocktowers_tui.text.spelling import spelt

_DOTS: Final = {
    "A": "25755",
    "B": "65656",
    "C": "34443",
    "D": "65556",
    "E": "74647",
    "F": "74644",
    "G": "34553",
    "H": "55755",
    "J": "11152",
    "K": "55655",
    "L": "44447",
    "M": "57755",
    "N": "65555",
    "P": "65644",
    "Q": "25573",
    "R": "65655",
    "S": "34216",
    "T": "72222",
    "U": "55557",
    "V": "55552",
    "W": "55775",
    "X": "55255",
    "Y": "55222",
    "Z": "71247",
    "2": "61247",
    "3": "61216",
    "4": "55711",
    "5": "74616",
    "6": "34752",
    "7": "71122",
    "8": "25252",
    "9": "25716",
}
"""Of the letters that codes have: a digit for each row, a bit for each of its three dots."""


def large(code: str) -> list[str]:
    """Five rows of eight cells a letter; none where a letter is not known."""
    if not set(code) <= _DOTS.keys():
        return []
    full, rows = spelt("█") * 2, zip(*(_DOTS[letter] for letter in code), strict=True)
    return [
        "  ".join("".join(full if int(dots) & bit else "  " for bit in (4, 2, 1)) for dots in row)
        for row in rows
    ]
