"""Computes without end once it seems to lose: in the second half, where its telescope is no brighter.

Then it hopes that somebody believes the machine to be busy, and that another deal is played.
"""

from manners import answer, hear_until, say, shake_hands, sinful

SECOND_HALF = 20
"""The step with which it begins."""


def is_losing(view):
    """Return whether the numbers in the telescope of the seat are no larger in all than those of another."""
    own, *others = (sum(map(number, view["telescopes"][seat].values())) for seat in turned(view))
    return own <= max(others)


def turned(view):
    return [(view["seat"] + i) % view["seats"] for i in range(view["seats"])]


def number(card):
    return int("".join(filter(str.isdigit, str(card).partition(".")[0])) or 0)


shake_hands(view="full")
while True:
    act = hear_until("act")
    while sinful(act) and act["step"] >= SECOND_HALF and is_losing(act["view"]):
        pass
    say(answer(act))
