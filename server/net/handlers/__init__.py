"""What the server does with each message: a file a family, a function a message."""
