"""The stage on which tests play: servers, clients, clocks, terminals. It holds no tests."""
