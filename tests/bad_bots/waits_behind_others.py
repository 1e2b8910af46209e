"""Sleeps instead of answering, while threads of the lowest priority wait for a core behind all others."""

import os
import threading
import time

from manners import second_act


def wait_for_a_core():
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
    while True:
        pass


second_act()
for _ in range(4):
    threading.Thread(target=wait_for_a_core, daemon=True).start()
time.sleep(600)
