"""An old name, for one release: see engines/named.py."""

from engines.named import old_teller
from engines.stella import Stella

told = old_teller(Stella())
