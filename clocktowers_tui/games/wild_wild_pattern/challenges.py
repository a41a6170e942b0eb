"""What Challenge cards are called, and what they do."""

from clocktowers_tui.text.i18n import _, pgettext
from protocol.games.wild_wild_pattern.cards import Challenge


def challenge_words(card: int) -> str:
    """The title of a Challenge card."""
    return {
        Challenge.ONE_CARD: _("Take a card"),
        Challenge.PIANO_PLAYER: _("Do not shoot the piano player"),
        Challenge.HANDS_UP: _("Hands up!"),
        Challenge.TRADE: _("Trade a card"),
        Challenge.ONE_DOLLAR: _("1 dollar"),
        Challenge.FIFTY_CENTS: _("50 cents"),
        Challenge.TEN_CENTS: _("10 cents"),
    }.get(Challenge(card), "")


def challenge_does(card: int) -> str:
    """What it does, in one line."""
    return {
        Challenge.ONE_CARD: _("from the Wheel or from an opponent"),
        Challenge.PIANO_PLAYER: _("an opponent's card with bullets leaves the game"),
        Challenge.HANDS_UP: _("an opponent's card with a coin leaves the game"),
        Challenge.TRADE: _("swap a card of yours for an opponent's"),
        Challenge.ONE_DOLLAR: _("the Bank pays it when it is played"),
        Challenge.FIFTY_CENTS: _("the Bank pays it when it is played"),
        Challenge.TEN_CENTS: _("the Bank pays it when it is played"),
    }[Challenge(card)]


def challenge_name(card: int) -> str:
    """Its title among other cards, in 14 cells."""
    if card == Challenge.PIANO_PLAYER:
        return pgettext("the piano player's card, 14 cells", "Piano player")
    return challenge_words(card)


def challenge_code(card: int) -> str:
    """A Challenge card in two cells."""
    return {
        Challenge.ONE_CARD: pgettext("the Challenge card Take a card, 2 cells", "TA"),
        Challenge.PIANO_PLAYER: pgettext("the piano player's card, 2 cells", "PP"),
        Challenge.HANDS_UP: pgettext("the Challenge card Hands up!, 2 cells", "HU"),
        Challenge.TRADE: pgettext("the Challenge card Trade, 2 cells", "TR"),
        Challenge.ONE_DOLLAR: "$1",
        Challenge.FIFTY_CENTS: "50",
        Challenge.TEN_CENTS: "10",
    }[Challenge(card)]
