"""Stored matches played again: records come in, their course or what contradicts them goes out."""
