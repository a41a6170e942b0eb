"""The commands of `clocktowers-server`, one a file."""
