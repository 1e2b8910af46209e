"""Exits instead of answering, and leaves a daemon behind: a session of its own, none of the pipes."""

import os

from manners import leave_a_daemon, second_act

second_act()
leave_a_daemon()
os._exit(0)
