"""Ignores bye, the end of its stdin and every signal that can be ignored; otherwise it plays."""

from manners import ignore_signals, play_beyond_bye

ignore_signals()
play_beyond_bye()
