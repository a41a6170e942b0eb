"""The level `hard`, part by part."""
