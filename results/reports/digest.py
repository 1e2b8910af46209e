"""Hash the results: the same play gives the same hash, because nothing measured is in it."""

from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from results.rating.rated import rate
from results.rating.tally import MatchTotals
from results.record import Json, Match
from results.storage.contents import Contents

FORM = 4
"""The form of the hash, which begins with it.  A change of the hashed values needs a new one.  Digests of
different forms cannot be compared.  Form 3 had the same values, with the ratings as they were made before
each bot had a prior that says hardly anything: this ladder cannot make those ratings, nor form 3."""

_canonical = msgspec.json.Encoder(order="deterministic").encode


class Digest(NamedTuple):
    """The hash of one run or of several."""

    hex: str
    """SHA-256, 64 hex digits."""
    runs: int
    matches: int
    """The number of standing matches that it covers."""


def digest(contents: Contents, run: int | None = None) -> Digest:
    """Return the hash over all runs; with *run*, over that run as if it were the only one.

    It covers all matches that can be rated; in an unfinished run, those up to the first gap.  Hashed is one
    line of canonical JSON for each run, the SHA-256 of its secret; for each standing match in number order;
    and at the end for each rating, computed from these matches.  At most a segment is in memory at a time.
    Where another season begins, the ratings of the one before come first, and then its name.  Bots have the
    names that are stored, also where they were renamed since.
    """
    contents = contents.as_stored()
    runs = contents.runs if run is None else (contents.run(run),)
    begins = {season.first_run: season.name for season in contents.seasons[1:]} if run is None else {}
    hashed = sha256(_line(f"ladder digest {FORM}"))
    tally = MatchTotals()
    matches = 0
    for each in runs:
        if each.run in begins:
            _add_ratings(hashed, tally)
            hashed.update(_line({"season": begins[each.run]}))
            tally = MatchTotals()
        hashed.update(_line(each.secret_hash))
        tally.begin(each)
        for block in contents.blocks(each.run):
            tally.add(block)
            for match in sorted(block.matches, key=lambda match: match.number):
                if not match.void:
                    hashed.update(_line(_hashed_values(match)))
                    matches += 1
    _add_ratings(hashed, tally)
    return Digest(hashed.hexdigest(), len(runs), matches)


def _add_ratings(hashed: Any, tally: MatchTotals) -> None:
    for game, rated in rate(tally).items():
        for bot, standing in rated.standings.items():
            hashed.update(_line([game, *bot, standing.mu.hex(), standing.sigma.hex()]))


def _hashed_values(match: Match) -> list[Json]:
    seats = match.seats
    return [
        match.number,
        [[seat.bot, seat.version] for seat in seats],
        match.deal_digest,
        match.options,
        match.moves,
        [[[note.step, note.text] for note in seat.notes] for seat in seats],
        [seat.fault for seat in seats],
        [seat.rank for seat in seats],
        [seat.score for seat in seats],
        match.void,
        *([] if match.luck is None else [match.luck]),  # so matches without one have the hash that they had
    ]


def _line(value: Json) -> bytes:
    return _canonical(value) + b"\n"
