"""Python functions on their way into worker processes: one process pickles them, the others load them."""

import pickle
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec

from ladder.errors import LadderError, describe
from ladder.process.function import Function
from ladder.process.seat_kinds import SeatKind


def carry(functions: Mapping[str, Function]) -> bytes:
    """Return *functions*, by the ids of their versions, as bytes.  Raises LadderError if that cannot be."""
    # cloudpickle also takes functions of the main module and of notebooks
    pickler = import_module("cloudpickle") if find_spec("cloudpickle") else pickle
    try:
        return bytes(pickler.dumps(dict(functions)))
    except Exception as error:  # an object may raise anything here
        hint = "define the functions in a module, or pip install cloudpickle"
        raise LadderError(f"they cannot be carried into other processes ({describe(error)})", hint) from None


def load_seats(carried: bytes) -> dict[str, SeatKind]:
    """Return the seats of functions that were *carried* here.  Raises LadderError if one cannot be loaded."""
    try:
        found = pickle.loads(carried) if carried else {}  # noqa: S301 - from the process that started this one
    except Exception as error:
        what = f"a worker process cannot load the functions: {describe(error)}"
        raise LadderError(what, "jobs=1, which plays in one process") from None
    return {name: SeatKind.of_function(function) for name, function in found.items()}
