"""Makes config["files"] empty files, or 2,000, wherever everybody may, and plays on."""

import contextlib
import os
import sys

from manners import answer, config, play_on, say, second_act

act = second_act()
for place in ("/tmp", "/var/tmp", "/dev/shm", os.getcwd()):
    with contextlib.suppress(OSError):
        for number in range(config.get("files", 2000)):
            os.close(os.open(f"{place}/{sys.argv[-1]}-{number}", os.O_CREAT | os.O_WRONLY))
say(answer(act))
play_on()
