"""Each game's vocabulary: options, actions, events, views. Values, no behaviour."""
