"""What the ladder knows of games: their rule options, their rating parameters, and how to begin a new one."""
