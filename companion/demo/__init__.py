"""The demo table: a game as a script, a player who makes up such scripts, and the hands that carry them out."""
