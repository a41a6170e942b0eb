"""Bots: brains in processes of their own, and the driver that sits one on a seat."""
