"""Reads nothing once it is ready, and asks for the smallest pipe there is."""

import fcntl

from manners import shake_hands, wait

if hasattr(fcntl, "F_SETPIPE_SZ"):
    fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
shake_hands()
wait()
