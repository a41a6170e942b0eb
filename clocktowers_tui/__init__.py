"""The full-screen client: what the server says, drawn; what the keyboard says, sent."""
