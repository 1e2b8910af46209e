"""Let pyarrow find no pandas, which it would load and no command needs."""

import sys

OURS = ("ladder.", "results.", "pyarrow.")
"""Where modules are whose imports of pandas are pyarrow's; a game of a user may need it."""
_IMPORTERS = (
    *("importlib._bootstrap", "importlib._bootstrap_external"),
    *("_frozen_importlib", "_frozen_importlib_external"),
)
"""The modules of Python that import others.  A module in C is made by the second of each pair."""


def leave_out_pandas() -> None:
    """Let pyarrow find no pandas in this process: it would load it before its first column, in half a second.

    numpy stays: without it, a runner that is out of memory has been seen to wait for ever, not to end.
    """
    sys.meta_path.insert(0, _WithoutPandas())


class _WithoutPandas:
    """An importer that says of pandas that it is missing."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Return None, so that others look for a module *name*.  Raises ModuleNotFoundError for pandas."""
        if name == "pandas" and f"{_importer()}.".startswith(OURS):
            raise ModuleNotFoundError("left out: no command needs it", name=name)


def _importer() -> str:
    """Return the module that asks for an import: the last one in Python, since pyarrow's are in C."""
    frame = sys._getframe(2)
    while frame.f_back and frame.f_globals["__name__"] in _IMPORTERS:
        frame = frame.f_back
    return str(frame.f_globals["__name__"])
