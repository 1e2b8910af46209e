"""`ladder tournament new`: begin a tournament."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ladder.cli.options import AnswerFormatOption, HomeOption, agrees, home_for_writing, note, print_json
from ladder.run.match_options import known_game
from ladder.run.tournament.tournament_request import TournamentRequest
from results.reports.labels import labels
from results.words import count

if TYPE_CHECKING:
    from ladder.run.run_events import Event
    from ladder.run.tournament.forecast import Forecast
    from ladder.run.tournament.noise import Noise
    from results.record import Run


@dataclass(frozen=True, kw_only=True)
class TournamentNewArguments(TournamentRequest):
    """What `ladder tournament new` takes.  Raises WrongOption for what does not go together."""

    home: HomeOption = None
    format: AnswerFormatOption = "table"


def tournament_new(asked: TournamentNewArguments) -> None:
    """Begin a tournament: fix its bots, seeds and stages.

    The current versions play, or those of --freeze. Bots are seeded by their ratings; the order of unrated
    bots is drawn from the secret of the tournament. Nothing is played before `ladder tournament run`.

    A class of 24 in one lesson: --game stella --seats 4 --stages swiss:4 --blocks 2. The cup of a club of 16:
    --stages knockout:16. A final of the best six: --seats 6 --stages final:6,50.

    Example: ladder tournament new spring --game stellar --stages swiss:3+knockout:4
    """
    from ladder.cli.admitting import ADMISSION
    from ladder.cli.run import warn_of_seed
    from ladder.run.tournament.event_words import tell_deal_numbers
    from ladder.run.tournament.forecast import forecast_event
    from ladder.run.tournament.tournament_session import new_tournament
    from results.storage.store import Store

    for name in asked.game_names:
        known_game(name)
    _ = asked.secret  # a file that holds none is refused before anything is made
    home, run, plan = new_tournament(home_for_writing(asked.home), asked, ADMISSION, _print, agrees)
    warn_of_seed(run)
    terms = run.settings.tournament
    assert terms
    forecast = forecast_event(run, Store(home.results).contents())
    for warning in forecast.warnings:
        note(f"warning: {warning}", "to avoid it, take fewer rounds, smaller tables or more bots")
    for what in run.settings.left_out:
        note(f"left out: {what}")
    (deals, tables), *finals = tell_deal_numbers(terms)
    if asked.format == "json":
        told = {"tournament": terms.name, "stages": terms.stages, "blocks": deals}
        told |= {"matches": forecast.matches}
        told |= {"seconds": forecast.pace and forecast.matches * forecast.pace.match_s}
        chances = {"best_wins": forecast.best_wins, "run_names_best": forecast.run_names}
        told |= {key: chance and chance.as_json() for key, chance in chances.items()}
        told |= {"run_orders_better": forecast.run_orders, "rated": forecast.rated}
        print_json({**told, "secret_sha256": run.secret_hash, "bots": run.bots})
        return
    label = labels(run.bot_keys, home.roster.numbers())
    seeds = ", ".join(f"{place} {label[bot]}" for place, bot in enumerate(run.bot_keys, 1))
    _say(f"tournament {terms.name}: {terms.stages}, about {count(forecast.matches, 'match')}")
    why = "" if tables == "the final" else _why(plan.noise)  # which has as many as were typed
    also = "".join(f"; {table} has {blocks}" for blocks, table in finals)
    _say(f"{tables} has {count(deals, 'deal')}, played from every seat{why}{also}")
    _say(_tell_time(forecast))
    _say(_tell_certainty(forecast, run))
    _say(f"seeds: {seeds}")
    note(f"SHA-256 of its secret: {run.secret_hash}", f"ladder tournament run {terms.name}")


def _why(noise: Noise | None) -> str:
    """Say what the number of deals follows from."""
    if noise is None:
        return ""
    by = {
        "home": f"by {noise.blocks:,} deals between similar bots here",
        "house": f"by {noise.blocks:,} deals between house bots, for want of matches here",
        "chance": "as if matches were pure chance, for want of matches here",
    }
    return f": a bot that wins 55 of 100 wins a round in 80 % of cases, {by[noise.source]}"


def _say(text: str) -> None:
    """Print *text* in lines of 80 columns, broken between words."""
    print(textwrap.fill(text, 80, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))


def _tell_time(forecast: Forecast) -> str:
    """Say how long the tournament takes, as far as that is known."""
    if forecast.pace is None:
        return "how long it takes is not known: no run here has played this game at tables of this size"
    took, measured = _tell_seconds(forecast.matches * forecast.pace.match_s), forecast.pace.matches
    return f"about {took} on this machine, as fast as in the last {count(measured, 'match')} of this kind"


def _tell_certainty(forecast: Forecast, run: Run) -> str:
    """Say how surely the best bot wins, and what says more for as many matches."""
    from ladder.run.tournament.event_words import tell_chance

    terms, game, asked = run.settings.tournament, run.settings.contests[0].game, run.settings.asked
    assert terms
    best, named = forecast.best_wins, forecast.run_names
    rests = "no bot is rated"
    if forecast.rated:
        rests = f"{count(forecast.rated, 'bot', len(run.bots))} are rated"
    if best is None:
        told = f"how surely the best wins is not known: it depends on how far the bots are apart ({rests})"
    else:
        by = "" if best.low == best.high else ", by how far the bots are apart"
        told = f"the best wins with {tell_chance(best)}{by} ({rests})"
    does = [f"name it with {tell_chance(named)}"] if named else []
    does += ["order the others better"] if forecast.run_orders else []
    if not does:
        return told
    bots = "".join(f" {name}" for name in asked.bots) if asked else ""
    instead = f"ladder run{bots} --game {game} --seats {min(terms.seats, len(run.bots))}"
    instead += f" --games {forecast.matches}"
    return f"{told}; an ordinary run of as many matches would {', and '.join(does)}: {instead}"


def _tell_seconds(seconds: float) -> str:
    """Return a time in words, such as 2 minutes."""
    for unit, length in (("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}s"
    return f"{max(2, round(seconds))} seconds"


def _print(event: Event) -> None:
    from ladder.run.run_events import OperatorNote

    if isinstance(event, OperatorNote):
        note(event.text, event.hint)
