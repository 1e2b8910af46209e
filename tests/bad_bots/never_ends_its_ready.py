"""Is ready in a line that is longer than lines may be."""

from manners import hear, say, wait

hear()
say(b'{"type":"ready","protocol":1,"name":"' + b"x" * 70_000 + b'"}\n')
wait()
