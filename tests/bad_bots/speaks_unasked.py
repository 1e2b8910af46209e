"""Says something when its first match has begun, before it is asked."""

from manners import hear_until, say, shake_hands, wait

shake_hands()
hear_until("start")
say(b'{"id":"","move":"good luck"}\n')
wait()
