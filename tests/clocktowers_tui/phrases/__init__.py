"""Tests of clocktowers_tui/phrases."""
