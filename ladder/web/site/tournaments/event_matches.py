"""The matches of tournaments that get a page on a site."""

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from ladder.run.tournament.event_facts import EventFacts
from ladder.web.site.facts import Facts


def select_event_matches(facts: Facts, most: int) -> frozenset[tuple[str, int]]:
    """Return at most *most* matches of unrated tournaments, each as its store and its number.

    The first deal of each table, the last rounds first; then the second deal of each, and so on.
    Tournaments take turns.
    """
    turns = zip_longest(*(_choose(event) for event in facts.tournaments.values() if _is_chosen(facts, event)))
    found = [each for each in chain.from_iterable(turns) if each]
    return frozenset(found[:most])


def _is_chosen(facts: Facts, event: EventFacts) -> bool:
    """Return whether all its bots have pages, to which the page of a match leads, and its matches need some.

    Those of a rated one are among the matches of runs.
    """
    return not event.is_rated and all(bot in facts.marks for bot, _ in event.entrants)


def _choose(event: EventFacts) -> Iterator[tuple[str, int]]:
    """Yield the matches of a tournament, those most worth watching first."""
    played: list[Sequence[Sequence[int]]] = [
        event.state.deals.get(table.name, ())
        for stage in reversed(event.state.report)
        for each in reversed(stage.rounds)
        for table in each.tables
    ]
    for deals in zip_longest(*played, fillvalue=()):
        for deal in deals:
            yield from ((event.store, number) for number in deal)
