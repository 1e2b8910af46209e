"""What every game promises, held against the template."""

from engines.contract.subject import subject_of
from engines.contract.test_golden import *
from engines.contract.test_judges import *
from engines.contract.test_numbers import *
from engines.contract.test_page import *
from engines.contract.test_pictures import *
from engines.contract.test_policies import *
from engines.contract.test_positions import *
from engines.contract.test_promises import *
from engines.contract.test_schema import *
from engines.contract.test_secrets import *
from engines.template import Toy

SUBJECTS = [subject_of(Toy())]
