"""What every game promises: all tests of `engines.contract`, for a file that says which `SUBJECTS`."""

# ruff: noqa: F403  # the tests of all games, over one

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
