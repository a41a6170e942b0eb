"""The tests: a tree that mirrors the packages, file for file."""
