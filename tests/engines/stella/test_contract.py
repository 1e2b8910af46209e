"""What every game promises, held against stella."""

from support.contract import *

from engines.contract.subject import subject_of
from engines.stella import Stella

SUBJECTS = [subject_of(Stella())]
