"""The face of Wild Wild Pattern: the Wheel, its keys and the words for what happens."""
