"""Refusals as exceptions, so that a handler reads as what happens when all is well."""

from protocol.refusal import Param, Refusal, RefusalCode


class Impossible(Exception):
    """An honest wish that cannot be fulfilled; nothing has changed. The router answers with it."""

    def __init__(self, code: RefusalCode, **params: Param) -> None:
        super().__init__(code)
        self.refusal = Refusal(code, params)
