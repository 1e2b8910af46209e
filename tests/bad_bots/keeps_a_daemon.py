"""Plays, with a daemon at its side from the start, and ignores bye, the end of its stdin and all signals."""

from manners import ignore_signals, leave_a_daemon, play_beyond_bye

ignore_signals()
leave_a_daemon()
play_beyond_bye()
