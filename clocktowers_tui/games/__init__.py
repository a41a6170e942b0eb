"""A face per game: how its views are drawn, its events told, its actions chosen."""
