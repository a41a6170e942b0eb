"""Every test has a home of its own, and a server if it asks for one."""

from tests.stage.client_fixtures import address, home, loud_boards, settling, styles

__all__ = ["address", "home", "loud_boards", "settling", "styles"]
