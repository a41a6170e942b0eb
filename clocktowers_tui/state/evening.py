"""Who has won how many matches at a table, as far as this client has been there."""

from collections import Counter
from typing import NamedTuple

from clocktowers_tui.state.match import Match


class Evening(NamedTuple):
    """`matches`: how many have ended, those that were broken off, too. `won`: by name, of everybody
    who has played one to its end, the most first."""

    matches: int = 0
    won: tuple[tuple[str, int], ...] = ()

    def after(self, match: Match) -> "Evening":
        """And this match, which nobody here has won if a bot won it in the player's place."""
        if match.aborted:
            return self._replace(matches=self.matches + 1)
        won = Counter(dict(self.won))
        won.update(dict.fromkeys(match.names, 0))
        mine = match.view.seat if match.played_for else None
        winners = [seat for seat in match.outcome.winners if seat != mine]
        won.update(match.names[seat] for seat in winners if seat < len(match.names))
        return Evening(self.matches + 1, tuple(won.most_common()))
