"""Tests of clocktowers_tui/net."""
