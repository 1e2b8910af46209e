"""Add house bots to a home: each is submitted like any other bot."""

from collections.abc import Sequence

from ladder.admission.submission import Submission
from ladder.admission.submit import submit
from ladder.errors import LadderError, first_of, whose
from ladder.home.home import Home
from ladder.home.house_bots import Say, belongs_to_another, bundled_bots, pending
from ladder.registry.version import Version
from results.words import count

NAMED = 5
"""The most bots that are named when several come in."""


def add(home: Home, names: Sequence[str], say: Say) -> list[Version]:
    """Submit house bots of these *names*, and those of the reference set, as they are; return their versions.

    A bot is skipped if it is refused or if another bot has its name; *say* is told why.  Raises what is not
    the bot's.
    """
    coming, manifests = pending(home), bundled_bots()
    added = []
    for name in names:
        if belongs_to_another(home, name):
            say(f"skipping bundled bot {name}: there is another bot of that name")
        else:
            try:
                added.append(submit(home, Submission(manifests[name], house=True)))
            except LadderError as error:
                if whose(error) != "bot":  # it is tried again by the next run
                    raise
                say(f"skipping bundled bot {name}: {str(error).splitlines()[0]}")
                continue
        coming = [other for other in coming if other != name]
        home.roster.expect(coming)  # the next run continues here if this process is killed
    if added:  # do not try a skipped bot again at every run
        home.roster.expect(name for name in coming if name not in names)
        names = [version.bot for version in added]
        say(f"added {count(len(added), 'house bot')}: {first_of(names, NAMED)}")
    return added
