"""The searching levels, part by part."""
