"""What every game promises, held against starry-sky."""

from support.contract import *

from engines.contract.subject import subject_of
from engines.starry_sky import StarrySky

SUBJECTS = [subject_of(StarrySky())]
