"""What the tests of nodes and of the journal have in common."""

import pytest

from tests.stage.postgres import cluster


@pytest.fixture
def url() -> str:
    """Of an empty database."""
    return cluster().fresh()
