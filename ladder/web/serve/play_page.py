"""What the page Play shows: games, tables and bots to choose, and the newest matches of people."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engines import GAMES
from ladder.errors import NotFound, UsageProblem
from ladder.home.home import Home
from ladder.live.play_request import PlayRequest
from ladder.web.pages.values_as_html import NoPages, name_of, value_as_html
from ladder.web.site.format import page_of_rules
from results.record import Json
from results.reports.document import Prose
from results.reports.row_sets import Selection, label_matches, matches, select_newest
from results.reports.story import tell_result
from results.storage.unrated import unrated_stores
from results.words import count

NEWEST = 10
"""How many matches are listed."""
STORES = 50
"""How many stores are looked into for them; the others are duels and unrated runs."""


STRENGTHS = ("easy", "middle", "strong")


class Offer(NamedTuple):
    """A game at one table size, and the bots that play it."""

    game: str
    seats: int
    bots: tuple[str, ...]

    @property
    def title(self) -> str:
        """The game's name for people."""
        return name_of(self.game)

    @property
    def rules(self) -> str:
        """The path of the page with its rules."""
        return page_of_rules(self.game)


def offers(home: Home) -> list[Offer]:
    """Return all that can be played in *home*: with its active bots, by name."""
    active = home.roster.active()
    return [
        Offer(game, seats, tuple(sorted(bot.bot for bot in active if bot.plays(game, seats))))
        for game in GAMES
        for seats in GAMES[game].seats
    ]


def opponents(offer: Offer, ranked: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Return which bots a form proposes, the weakest first, and how strong each is that has a rating.

    *ranked* are bots by their rating, the best first.  Those without are taken where these are too few.
    """
    known = [bot for bot in dict.fromkeys(ranked) if bot in offer.bots][::-1]
    strengths = {bot: STRENGTHS[len(STRENGTHS) * at // len(known)] for at, bot in enumerate(known)}
    places = offer.seats - 1
    of = known if len(known) >= places else [*(bot for bot in offer.bots if bot not in known), *known]
    proposed = [of[round(at * (len(of) - 1) / max(1, places - 1))] for at in range(places)] if of else []
    return proposed, strengths if len(known) >= len(STRENGTHS) else {}


def offer_of(found: Sequence[Offer], game: str, seats: str | None) -> Offer:
    """Return the offer of *game* at a table of *seats*, by default the smallest.  Raises NotFound."""
    for offer in found:
        if offer.game == game and seats in (None, str(offer.seats)):
            return offer
    raise NotFound("there is no such game, or no such table of it", "choose one on the page Play")


def request_of(found: Sequence[Offer], offer: Offer, form: Mapping[str, Sequence[str]]) -> PlayRequest:
    """Return the match that *form* asks for, at *offer*, one of *found*.

    Raises UsageProblem for what was not offered.
    """
    seat = (form.get("seat") or [""])[0]
    if seat not in map(str, range(offer.seats)):
        raise UsageProblem(f"expected a seat from 0 to {offer.seats - 1}", "choose one")
    bots = tuple(form.get("bot", ()))
    for bot in {*bots} - {*offer.bots}:
        if sizes := [str(of.seats) for of in found if of.game == offer.game and bot in of.bots]:
            what = f"{bot} plays {offer.game} at tables of {', '.join(sizes)}, not of {offer.seats}"
            raise UsageProblem(what, "choose another bot or another table")
    if len(bots) != offer.seats - 1 or not set(bots) <= set(offer.bots):
        raise UsageProblem(
            f"expected {count(offer.seats - 1, 'bot')} to play {offer.game}", "choose them again"
        )
    return PlayRequest(
        game=offer.game, bots=bots, human=int(seat), seats=offer.seats, no_clock="slow" in form
    )


def newest_played(home: Home) -> list[dict[str, Json]]:
    """Return the newest matches of `ladder play` and of the server, newest first."""
    found: list[dict[str, Json]] = []
    for name, store in [*unrated_stores(home.results).items()][: -STORES - 1 : -1]:
        if len(found) == NEWEST:
            break
        runs = store.runs()
        if runs and runs[0].settings.play:
            rows, _ = select_newest(store.contents(), Selection(), 1, None)
            found += matches(rows, name)
    rows = label_matches(found, home.roster.numbers())
    names = [[Prose(seat["bot"]) for seat in row["seats"]] for row in rows]
    stories = [tell_result(row["seats"], names) for row, names in zip(rows, names, strict=True)]
    return [
        {**row, "game": name_of(row["game"]), "story": value_as_html(told, NoPages())}
        for row, told in zip(rows, stories, strict=True)
    ]
