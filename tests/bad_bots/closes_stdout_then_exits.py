"""Closes its stdout instead of answering, and exits a little later with status 5."""

import os
import sys
import time

from manners import second_act

second_act()
os.close(1)
time.sleep(0.05)
sys.exit(5)
