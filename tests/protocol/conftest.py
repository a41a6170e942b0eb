"""Hypothesis as all of these tests want it: no absolute times, the same examples every time."""

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")
