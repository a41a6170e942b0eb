"""The rules: no asyncio, time, global random, logging."""
