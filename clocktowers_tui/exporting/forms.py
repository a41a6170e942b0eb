"""The ways to write a match that is over."""

from enum import StrEnum


class Form(StrEnum):
    """`json`: a record; `notation`: one line a move."""

    JSON = "json"
    NOTATION = "notation"
