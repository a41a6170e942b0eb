"""Tests of what a server tells the programs that watch it."""
