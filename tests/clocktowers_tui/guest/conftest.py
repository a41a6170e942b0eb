import resource
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def own_time() -> Iterator[None]:
    """A guest's client bounds the time of the process that it runs in, which is ours here: without
    this the system ends the run of tests half a minute of work later."""
    before = resource.getrlimit(resource.RLIMIT_CPU)
    yield
    resource.setrlimit(resource.RLIMIT_CPU, before)
