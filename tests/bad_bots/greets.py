"""Answers hello with the line in config["greeting"]: parts, each a text in Latin-1 and how often it comes."""

from manners import config, hear, play_on, say

hear()
for text, times in config["greeting"]:
    say(text.encode("latin-1") * times)
play_on()
