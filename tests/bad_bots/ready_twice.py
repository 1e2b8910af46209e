"""Says ready twice in one write."""

from manners import hear, say, wait

hear()
say(b'{"type":"ready","protocol":1}\n{"type":"ready","protocol":1}\n')
wait()
