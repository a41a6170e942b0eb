"""Attacks on a real server, beside matches that go on."""
