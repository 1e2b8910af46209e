"""The messages between a bot and the referee: lines of bytes come in, values go out, and back.

Import only the module you need.  This one stays empty because every Python bot loads it at its start.
"""

VERSION = 1
"""The version of the protocol that hello and ready name."""
