"""Is ready without having read a word, and exits with status 5 while the referee still has much to say."""

import os
import time

from manners import say

say({"type": "ready", "protocol": 1})
time.sleep(0.2)
os._exit(5)
