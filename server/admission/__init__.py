"""Who may come in: what a caller shows, and how often they may be wrong."""
