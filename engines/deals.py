"""Checks that most games need for a deal that comes from outside.

Every function raises ValueError that says what was expected and quotes what came, shortened.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from engines.types import NOTHING, Json


def check_seats(game: str, sizes: range, seats: Json) -> None:
    """Check that the number of *seats* is one of the table *sizes* of *game*."""
    if type(seats) is not int or seats not in sizes:
        known = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else f"{sizes[0]}"
        raise ValueError(f"{game} is played by {known}, got seats: {seats!r:.80}")


def check_keys(deal: Json, keys: Collection[str]) -> None:
    """Check that a deal has these *keys* and no others, except that "options" is optional."""
    if not isinstance(deal, Mapping):
        raise ValueError(f"expected a deal as an object, got: {deal!r:.80}")
    unknown = [key for key in deal if key != "options" and key not in keys]
    missing = [key for key in keys if key not in deal]
    if not unknown and not missing:
        return
    what = f"expected a deal with the keys {', '.join(['options', *keys])}"
    if missing:
        what += f"; missing: {', '.join(missing)}"
    if unknown:
        more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        what += f"; unknown: {unknown[0]!r:.80}{more}"
    raise ValueError(what)


def complete_options(
    game: str,
    known: Mapping[str, Sequence[Json]],
    options: Json,
    custom: Mapping[str, Callable[[Json], Json]] = NOTHING,
) -> dict[str, Json]:
    """Return all options of *game*: the value from *options*, else the first of the *known* values.

    A *custom* option, whose value is the user's own, is included only if given, as its check returns it.
    """
    if not isinstance(options, Mapping):
        raise ValueError(f"expected options as an object, got: {options!r:.80}")
    names = [*known, *custom]
    for name, value in options.items():
        if name not in names:
            expected = f"an option of {names}" if names else f"no options, for {game} has none"
            raise ValueError(f"expected {expected}, got: {name!r:.80}")
        if name in known and not any(type(value) is type(one) and value == one for one in known[name]):
            raise ValueError(f"expected {name} to be one of {[*known[name]]}, got: {value!r:.80}")
    complete = {name: options.get(name, values[0]) for name, values in known.items()}
    return complete | {name: check(options[name]) for name, check in custom.items() if name in options}


def check_first(first: Json, seats: int) -> None:
    if type(first) is not int or first not in range(seats):
        raise ValueError(f"expected first to be a seat from 0 to {seats - 1}, got: {first!r:.80}")


def check_names(what: str, names: Json) -> None:
    """Check that *names* is a list of strings; *what* is its name in the error."""
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"expected {what} as a list of names, got: {names!r:.80}")


def check_order(what: str, names: Json, expected: Sequence[str]) -> None:
    """Check that *names* are the *expected* ones in any order; *what* is their name in the error."""
    if _have_same_names(names, expected):
        return
    check_names(what, names)
    have: Counter[str] = Counter(names)
    need = Counter(expected)
    strangers = sorted(have.keys() - need.keys())
    wrong = strangers[0] if strangers else next(name for name in need if have[name] != need[name])
    raise ValueError(f"expected {what} to hold {need[wrong]} of {wrong!r:.80}, got {have[wrong]}")


def check_orders(what: str, orders: Json, expected: Sequence[str]) -> None:
    """Check that *orders* are one or more lists of the *expected* names in any order."""
    if not isinstance(orders, (list, tuple)) or not orders:
        raise ValueError(f"expected at least one order in {what}, got: {orders!r:.80}")
    for number, order in enumerate(orders):
        check_order(f"{what}[{number}]", order, expected)


def _have_same_names(names: Json, expected: Sequence[str]) -> bool:
    try:
        return isinstance(names, (list, tuple)) and sorted(names) == sorted(expected)
    except TypeError:  # values that cannot be compared
        return False
