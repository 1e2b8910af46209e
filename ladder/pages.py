"""The name of ladder.web.pages before release 0.6, for scripts that its page told to import it; it warns."""

import sys
import warnings

from ladder.web.pages import environment, frame, viewer

warnings.warn("ladder.pages is now ladder.web.pages", DeprecationWarning, stacklevel=2)
__path__: list[str] = []  # so that `import ladder.pages.viewer` looks for it here, and finds it loaded
for module in (environment, frame, viewer):
    sys.modules[f"{__name__}.{module.__name__.rpartition('.')[2]}"] = module
