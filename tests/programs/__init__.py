"""Programs for those who work on the ladder: each is run by its path and says so at its top."""
