"""Aborts instead of answering."""

import os

from manners import second_act

second_act()
os.abort()
