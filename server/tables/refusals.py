"""Refusals as exceptions, so that a handler reads as what happens when all is well."""

from protocol.refusal import Param, Refusal, RefusalCode


class Impossible(Exception):
    """A valid request that cannot be fulfilled now; nothing has changed. The router answers it."""

    def __init__(self, code: RefusalCode, **params: Param) -> None:
        super().__init__(code)
        self.refusal = Refusal(code, params)
