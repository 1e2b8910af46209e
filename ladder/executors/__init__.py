"""Where workers live: chunks of blocks come in, what became of them goes out, in whatever order."""
