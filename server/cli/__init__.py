"""The commands of `clocktowers-server`, one in each file."""
