"""An old name, for one release: see engines/named.py."""

from engines.named import old_teller
from engines.stella_quest import StellaQuest

__all__ = ["told"]

told = old_teller(StellaQuest())
