"""What a player might call themselves to harm others' terminals or eyes."""

from typing import Final

HOSTILE: Final = {
    "clears the screen": "\x1b[2JAnn",
    "sets the title": "\x1b]0;pwned\x07Ann",
    "makes a link": "\x1b]8;;http://evil.example\x1b\\Ann",
    "writes the clipboard": "\x1b]52;c;cHduZWQ=\x07Ann",
    "C1 control": "\x9b31mAnn",
    "turns the line around": "Ann\u202egnp",
    "a link that acts": "[@click=app.quit]Ann[/]",
    "breaks markup": "[/nope]Ann",
    "a pile of marks": "A" + "\u0301" * 50 + "nn",
    "a new line": "Ann\r\nBob",
    "wide": "鐘楼鐘楼鐘楼鐘楼鐘楼鐘楼",
}
"""The harm it does → the name."""


def harmless(text: str) -> bool:
    """Whether nothing in the text can act on a terminal."""
    return text.replace("\n", "").isprintable()
