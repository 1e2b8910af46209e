"""Makes 2,000 empty files wherever everybody may, and plays on."""

import contextlib
import os
import sys

from manners import answer, play_on, say, second_act

act = second_act()
for place in ("/tmp", "/var/tmp", "/dev/shm", os.getcwd()):
    with contextlib.suppress(OSError):
        for number in range(2000):
            os.close(os.open(f"{place}/{sys.argv[-1]}-{number}", os.O_CREAT | os.O_WRONLY))
say(answer(act))
play_on()
