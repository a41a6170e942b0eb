"""What client and server may say to each other: no asyncio, no Textual, no clock."""
