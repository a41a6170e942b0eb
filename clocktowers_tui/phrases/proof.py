"""Whether the shuffle of a finished match was the promised one, in words."""

from typing import NamedTuple

from clocktowers_tui.games.face import Face
from clocktowers_tui.state.match import Match
from clocktowers_tui.text.i18n import _


class Proof(NamedTuple):
    words: str
    broken: bool = False

    @property
    def style(self) -> str:
        """What is well is said in a low voice, and last."""
        return "bold $danger" if self.broken else "dim"


def proof_in_words(match: Match, face: Face) -> Proof:
    """Whether the seed is the promised seed and deals what the player saw."""
    sha = match.sha256[:12]
    if not match.proven:
        said = _("The shuffle was NOT fair: its seed is not the promised one ({sha}…).")
        return Proof(said.format(sha=sha), broken=True)
    same = face.same_deal(match.events, match.view, bytes.fromhex(match.seed))
    if same:
        return Proof(_("The shuffle was fair: this program has checked it."))
    if same is None:
        return Proof(_("You did not see the whole match, so the shuffle is not checked."))
    said = _("The shuffle was NOT fair: the promised seed ({sha}…) deals something else.")
    return Proof(said.format(sha=sha), broken=True)
