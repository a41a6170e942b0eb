"""A new table: what can be chosen for it, and drafts of it."""
