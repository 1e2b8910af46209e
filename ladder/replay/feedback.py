"""What the author of a bot may see of its matches, as Markdown, and what has to be read for it.

It holds the bot's results and faults, and replays as its seats saw them.  It holds no seed, no other bot's
thoughts, notes or faults, and no path of the ladder.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import zip_longest

from engines import GameNotLoaded
from ladder.errors import LadderError
from ladder.machine.plugged_in import go_on_without
from ladder.registry.version import Version
from ladder.replay.bot_document import BotSubject, ShownLoss, bot_document
from ladder.replay.bot_identity import KnownFact
from ladder.replay.replay import deal_of, make_record
from ladder.replay.review.bot_review import BotReview, look_at, review_of_bot
from ladder.replay.review.decisions_document import ShownDecision
from ladder.replay.seat import narrate_seat
from results.reports.as_markdown import as_markdown
from results.reports.bot_facts import BotFacts, GameFacts
from results.reports.labels import Numbers
from results.reports.losses import LostMatch
from results.storage.contents import Contents

FEEDBACK = "<!-- ladder bots feedback -->"
"""The first line: a file with it may be overwritten by the next feedback."""
FAULTS = 5
"""The most faults that are shown in full."""
WORST = 5
"""The most decisions that are shown with what they cost."""
REPLAYS = 3
"""The most losses that are shown move by move."""


def feedback(
    contents: Contents,
    facts: BotFacts,
    versions: Sequence[Version],
    numbers: Numbers,
    known: Sequence[KnownFact] = (),
    hide_paths: Callable[[str], str] = str,
) -> str:
    """Return what the author of the bot of *facts* may see of it.

    *versions* are all of its name, the oldest first; *numbers* are those of the home; *known* is its
    identity.  *hide_paths* returns a text without the paths of this machine that a fault may name.
    """
    review, decisions = read_decisions(contents, *facts.bot)
    subject = BotSubject(
        facts.bot[0],
        [facts],
        versions,
        numbers,
        known,
        contents.season_name,
        review=review,
        decisions=decisions,
        losses=[*_losses(contents, facts.games, numbers)],
        cards=FAULTS,
        hide_paths=hide_paths,
    )
    return f"{FEEDBACK}\n\n{as_markdown(bot_document(subject, 'author'), numbers)}"


def read_decisions(
    contents: Contents,
    bot: str,
    version: str | None,
    among: Collection[tuple[int, int]] | None = None,
    worst: int = WORST,
) -> tuple[BotReview, list[ShownDecision]]:
    """Return what reviews of matches, all or *among* these, say of a bot, and its *worst* decisions."""
    found = review_of_bot(contents, bot, version, worst, among)
    decisions = []
    for row in found.worst:
        what = f"match {row.run}/{row.number} step {row.step} cannot be shown"
        seen = go_on_without(what, lambda: look_at(contents, row), None, row.game)  # noqa: B023 - at once
        decisions.append(ShownDecision(row, seen))
    return found, decisions


def _losses(contents: Contents, games: Sequence[GameFacts], numbers: Numbers) -> Iterator[ShownLoss]:
    """Yield the worst losses of all games in turns, as the seat of the bot saw them."""
    turns = zip_longest(*([(game.game, loss) for loss in game.losses] for game in games))
    for game, loss in [each for turn in turns for each in turn if each][:REPLAYS]:
        yield _replay(contents, game, loss, numbers)


def _replay(contents: Contents, game: str, loss: LostMatch, numbers: Numbers) -> ShownLoss:
    run, number = loss.match
    match, settings = contents.match(run, number), contents.run(run).settings
    try:
        record = make_record(match, run, settings, deal_of(match, settings.tables), ())
        return ShownLoss(game, loss, "\n".join(narrate_seat(record, loss.seat, numbers)))
    except (LadderError, GameNotLoaded, ValueError, LookupError, TypeError) as error:
        # engines fail in many ways
        return ShownLoss(game, loss, "", str(error))
