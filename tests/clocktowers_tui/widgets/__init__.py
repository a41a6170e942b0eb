"""Tests of clocktowers_tui/widgets."""
