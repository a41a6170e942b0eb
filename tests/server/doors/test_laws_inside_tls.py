"""What holds for a peer in clear holds inside TLS, bans too."""

import pytest

from tests.server.net import laws
from tests.server.operating import test_banning_and_inviting as banning
from tests.stage import house

globals().update(laws.BY_NAME)
test_a_banned_person = banning.test_a_banned_person_is_told_and_comes_in_by_no_name
test_a_banned_address = banning.test_an_address_is_banned_with_all_who_are_there


@pytest.fixture(autouse=True)
def through_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "INSIDE_TLS", True)
