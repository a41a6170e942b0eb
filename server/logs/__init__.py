"""What a server writes down of itself: its host sees into it, and nothing is harmed by it."""
