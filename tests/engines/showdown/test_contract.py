"""What every game promises, held against a game of one step, which only tests have."""

from pathlib import Path

from support.short_game import Showdown

from engines.contract.known import Known, showing
from engines.contract.subject import Subject
from engines.contract.test_golden import *
from engines.contract.test_judges import *
from engines.contract.test_numbers import *
from engines.contract.test_pictures import *
from engines.contract.test_policies import *
from engines.contract.test_positions import *
from engines.contract.test_promises import *
from engines.contract.test_secrets import *


def past(deal, match, world, seat):
    return {**deal, "cards": [*world.cards]}, [dict(step.moves) for step in match[1:]]


KNOWN = Known(past, leaks={"all cards": showing(Showdown, lambda state: [*state.cards])})
SUBJECTS = [Subject(Showdown(), KNOWN, Path(__file__).parent)]
