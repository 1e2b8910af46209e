"""Is ready without having read a word, and never reads one."""

from manners import say, wait

say({"type": "ready", "protocol": 1})
wait()
