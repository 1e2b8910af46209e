"""`ladder tournament run`: play a tournament, or what is left of it."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ladder.cli.log_lines import log_to_stderr
from ladder.cli.options import be_quiet, existing_home, wait_for_home
from ladder.cli.progress import Below, SessionPrinter
from ladder.cli.worker import ON, check_cluster, prepare_cluster
from ladder.run.match_options import HOME, JOBS, QUIET, WAIT
from ladder.run.option import Argument, Option

if TYPE_CHECKING:
    from ladder.run.run_events import Progress


@dataclass(frozen=True, kw_only=True)
class TournamentRunArguments:
    """What `ladder tournament run` takes.  Raises WrongOption for options that do not go together."""

    name: Annotated[str, Argument("Its name.", metavar="TOURNAMENT")]
    without: Annotated[
        Sequence[str],
        Option(
            "Continue without this bot: its tables are byes for the others; may be repeated.",
            metavar="BOT",
            completes="bots",
        ),
    ] = ()
    jobs: Annotated[int | None, JOBS] = None
    on: Annotated[str | None, ON] = None
    wait: Annotated[bool, WAIT] = False
    quiet: Annotated[bool, QUIET] = False
    home: Annotated[Path | None, HOME] = None

    def __post_init__(self) -> None:
        check_cluster(self.on, self.jobs)


def tournament_run(asked: TournamentRunArguments) -> None:
    """Play a tournament to its end, round after round.

    Ctrl-C stops it, and the same command continues it, with the same pairings. Another run may play at the
    same time, unless the matches count in the ratings.

    Example: ladder tournament run spring
    """
    from ladder.cli.admitting import ADMISSION
    from ladder.cli.tournament_show import print_tournament
    from ladder.run.playing import Means
    from ladder.run.run_options import RunOptions
    from ladder.run.session import play
    from ladder.run.tournament.event_rows import names_of
    from ladder.run.tournament.stored_tournaments import find_tournament
    from ladder.run.tournament.tournament_session import AskedTournament

    tls = prepare_cluster(asked.on, asked.home)
    be_quiet(asked.quiet)
    wait_for_home(asked.wait)
    home = existing_home(asked.home)
    how = RunOptions(jobs=asked.jobs, without=asked.without, resume=bool(asked.without))
    means = Means(cluster=asked.on, tls=tls, log=log_to_stderr(verbose=False))
    found = find_tournament(home.results, asked.name)
    names = names_of(found.run, home.roster.numbers())
    printer = _Printer(asked.name, names, quiet=asked.quiet, tells_results=not found.terms.hidden)
    play(nullcontext(home), AskedTournament(asked.name, how), means, ADMISSION, printer)
    if not asked.quiet:
        print_tournament(home, find_tournament(home.results, asked.name), "table")


class _Printer(SessionPrinter):
    """Prints the events of a tournament, and shows its progress."""

    def __init__(self, name: str, names: Sequence[str], *, quiet: bool, tells_results: bool) -> None:
        """*names*: of the entrants; *tells_results*: whether tables and standing are shown meanwhile."""
        super().__init__(name, quiet=quiet)
        self._names = names
        self._tells_results = tells_results

    def below(self, progress: "Progress") -> Below | None:
        """Return how the tournament stands."""
        from ladder.run.tournament.table_lists import tell_now

        playing = progress.tournament
        return partial(tell_now, playing, self._names) if playing and self._tells_results else None
