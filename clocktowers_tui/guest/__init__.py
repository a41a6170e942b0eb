"""The closed client: for a guest of a server, on a terminal that a door of that server has made,
or line by line where the guest has none."""
