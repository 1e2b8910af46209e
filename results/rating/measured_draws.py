"""The draw probabilities that the matches of a store show, by which its next run plans."""

from results.rating.cache import ratings_of
from results.storage.store import Store


def measured_draws(store: Store) -> dict[str, dict[int, float]]:
    """Return the draw probabilities that the matches of *store* show, by game and table size.

    Sizes with few matches are left out: see results.rating.draw_probability.
    """
    contents = store.contents()
    return {game: dict(each.measured) for game, each in ratings_of(contents).items()} if contents.runs else {}
