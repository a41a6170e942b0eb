"""Every text of the client, seen on its screen in a language that shows what is wrong with it."""
