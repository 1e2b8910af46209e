"""An old name, for one release: see engines/named.py."""

from engines.named import old_teller
from engines.starry_sky import StarrySky

told = old_teller(StarrySky())
