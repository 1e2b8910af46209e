"""Closes its stdin and answers blindly from then on, with one number after the other as the id."""

import os

from manners import answer, say, second_act, wait

act = second_act()
os.close(0)
for number in range(100):
    say(answer(act, id=f"{int(act['id'], 16) + number:016x}"))
wait()
