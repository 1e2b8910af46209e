"""Computes from its answer to the next request, whoever's turn it is, and notes how long: CPU in ms."""

import select
import sys
import time

from manners import answer, hear_until, say, shake_hands

shake_hands()
stolen = 0
while True:
    say(answer(hear_until("act"), note=str(stolen)))
    began = time.process_time()
    while not select.select([sys.stdin], [], [], 0)[0]:
        pass
    stolen = round(1000 * (time.process_time() - began))
