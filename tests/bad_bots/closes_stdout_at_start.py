"""Closes its stdout instead of being ready, and lives on."""

import os

from manners import wait

os.close(1)
wait()
