"""The rules of Clocktowers, as its rules page has them."""
