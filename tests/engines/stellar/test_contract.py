"""What every game promises, held against stellar."""

from support.contract import *

from engines.contract.subject import subject_of
from engines.stellar import Stellar

SUBJECTS = [subject_of(Stellar())]
