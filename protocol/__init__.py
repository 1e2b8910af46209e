"""The words a bot and the referee exchange, and nothing else.

Import the module that you need; this one stays empty, for every Python bot pays for what it loads.
"""

__all__ = ["VERSION"]

VERSION = 1
"""The version of the protocol that hello and ready name."""
