"""Exits with status 3 instead of answering."""

import sys

from manners import second_act

second_act()
sys.exit(3)
