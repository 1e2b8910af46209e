"""What every game promises, held against stella-quest."""

from support.contract import *

from engines.contract.subject import subject_of
from engines.stella_quest import StellaQuest

SUBJECTS = [subject_of(StellaQuest())]
