"""The full-screen client: draws what the server says, sends what the keyboard says."""
