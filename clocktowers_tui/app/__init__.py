"""The running program: the app, the open line, which screen is shown, in which look."""
