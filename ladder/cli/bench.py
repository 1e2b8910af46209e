"""`ladder bench`."""


def bench() -> None:
    """Measure.

    Example: ladder bench
    """
