"""Asks for core dumps as large as it may have, and ends in one."""

import os
import resource

from manners import second_act

second_act()
hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
os.abort()
