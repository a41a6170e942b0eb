"""Clocktowers, rule by rule."""
