"""What every game promises, held against the template."""

from support.contract import *

from engines.contract.subject import subject_of
from engines.template import Toy

SUBJECTS = [subject_of(Toy())]
