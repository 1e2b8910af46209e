"""Closes its stdout instead of answering, and lives on."""

import os

from manners import second_act, wait

second_act()
os.close(1)
wait()
