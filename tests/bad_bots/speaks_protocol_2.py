"""Is ready for another protocol."""

from manners import hear, say, wait

hear()
say({"type": "ready", "protocol": 2})
wait()
