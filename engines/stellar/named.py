"""An old name, for one release: see engines/named.py."""

from engines.named import old_teller
from engines.stellar import Stellar

told = old_teller(Stellar())
