"""Read the ratings that are stored in `ratings.parquet`, and their origin: what they were made from."""

import logging

from results.errors import DamagedResults
from results.record import Json
from results.storage.arrow import Table
from results.storage.cached import read_copy
from results.storage.layout import Folder

logger = logging.getLogger(__name__)


def read_ratings(folder: Folder) -> "tuple[Table, Json] | None":
    """Return the stored ratings and their origin, or None if there are no good ones."""
    from results.storage import parquet, schema

    try:
        found: tuple[Table, Json] = parquet.read_with_tag(folder.ratings, schema.RATINGS)
    except FileNotFoundError:
        return None
    except DamagedResults as error:
        logger.warning("%s; the ratings are computed again from the matches", error)
        return None
    return found


def read_origin(folder: Folder) -> Json:
    """Return the origin of the stored ratings, or None if there are no good ones."""
    try:
        if copied := read_copy(folder.ratings, folder.cache("origin"), dict[str, Json]):
            return copied
    except FileNotFoundError:
        return None
    found = read_ratings(folder)
    return found[1] if found else None
