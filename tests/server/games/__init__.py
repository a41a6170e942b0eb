"""The rules' files, one test module each."""
