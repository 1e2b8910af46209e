"""`ladder home compact`: join the small files of long runs."""

from ladder.cli.options import HomeOption, existing_home, nothing_yet, store_of


def compact(home: HomeOption = None) -> None:
    """Join the many small files of long runs into a few large ones.

    No row is changed.

    Example: ladder home compact
    """
    store = store_of(existing_home(home))
    if not (before := len(store.contents().segments())):
        nothing_yet("matches")
        return
    with store.lock():
        store.compact()
    store.reviews.compact()
    print(f"segments before: {before:,}, now: {len(store.contents().segments()):,}")
