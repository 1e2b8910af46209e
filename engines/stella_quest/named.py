"""An old name, for one release: see engines/named.py."""

from engines.named import old_teller
from engines.stella_quest import StellaQuest

told = old_teller(StellaQuest())
