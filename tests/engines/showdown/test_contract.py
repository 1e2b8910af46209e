"""What every game promises, held against a game of one step, which only tests have."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support.short_game import Showdown, State

from engines.contract.known import Known, Match, Past, showing
from engines.contract.subject import Subject
from engines.contract.test_golden import *
from engines.contract.test_judges import *
from engines.contract.test_numbers import *
from engines.contract.test_pictures import *
from engines.contract.test_policies import *
from engines.contract.test_positions import *
from engines.contract.test_promises import *
from engines.contract.test_secrets import *


def past(deal: Mapping[str, Any], match: Match, world: State, seat: int | None) -> Past:
    return {**deal, "cards": [*world.cards]}, [dict(step.moves) for step in match[1:]]


KNOWN = Known(past, leaks={"all cards": showing(Showdown, lambda state: [*state.cards])})
SUBJECTS = [Subject(Showdown(), KNOWN, Path(__file__).parent)]
