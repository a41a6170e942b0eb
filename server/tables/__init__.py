"""The lobby, its tables and the people at them."""
