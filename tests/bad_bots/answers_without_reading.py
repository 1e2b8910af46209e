"""Answers its third request unread, with the next number after the last id."""

import select
import sys

from manners import answer, say, second_act, wait

act = second_act()
say(answer(act))
select.select([sys.stdin], [], [])
say(answer(act, id=f"{int(act['id'], 16) + 1:016x}"))
wait()
