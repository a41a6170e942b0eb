"""`python -m bench`: the project's standard measurement."""
