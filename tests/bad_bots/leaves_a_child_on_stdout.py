"""Exits instead of answering and leaves a child behind that holds its stdout open.

The child's process id is on stderr.
"""

import os
import sys

from manners import second_act, wait

second_act()
child = os.fork()
if not child:
    wait()
print(child, file=sys.stderr, flush=True)
os._exit(0)
