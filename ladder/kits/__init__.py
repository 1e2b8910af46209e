"""Folders to start a bot from: a kit for each language, and types made from the schema of a game."""
