"""What tests are played on: servers, clients, clocks, terminals. No tests in here."""
