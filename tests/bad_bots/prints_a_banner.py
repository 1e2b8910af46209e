"""Prints a banner before it is ready."""

from manners import say, shake_hands, wait

say(b"Bot 3000 (c) 1999\n")
shake_hands()
wait()
