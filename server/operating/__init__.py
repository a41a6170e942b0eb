"""What a server's operator may ask of it while it runs, through a door that nobody else can use."""
