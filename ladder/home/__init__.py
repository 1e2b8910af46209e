"""The directory of one ladder: a path and its ladder.toml come in, a home with checked settings goes out."""
