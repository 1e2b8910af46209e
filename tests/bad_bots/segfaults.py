"""Ends as by a memory error in C instead of answering."""

import os
import signal

from manners import second_act

second_act()
os.kill(os.getpid(), signal.SIGSEGV)
