"""Match records: written, read, checked; and bot matches without a network."""
