"""The command lines of `clocktowers`."""
