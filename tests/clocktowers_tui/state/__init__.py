"""Tests of clocktowers_tui/state."""
