"""Check that a stored tournament was paired by its secret: who sat where, in each block, and the seeds."""

from dataclasses import dataclass, field

from ladder.contest.blocks import PlannedBlock, matches_of
from ladder.contest.keys import Keys
from ladder.run.tournament.stored_tournaments import StoredTournament
from ladder.run.tournament.tournament_begin import draw_seeds
from ladder.run.tournament_schedule import TournamentSchedule
from results.record import Block, Run
from results.storage.finishes import rows_of


@dataclass
class PairingCheck:
    """What was found."""

    blocks: int = 0
    """How many blocks were checked."""
    wrong: list[tuple[str, str]] = field(default_factory=list)
    """What does not follow from the secret: the match or the tournament, and what is wrong with it."""
    left: int = 0
    """How many blocks come after one that is wrong or missing: they cannot be checked."""


def check_pairings(found: StoredTournament) -> PairingCheck:
    """Check that the blocks *found* follow from their secret, if it is here, and earlier results."""
    check, run = PairingCheck(), found.run
    if (schedule := TournamentSchedule.of(run)) is None:
        return check
    if what := _wrong_seeds(found.contents.as_stored().run(run.run)):
        check.wrong.append((found.terms.name, what))
    planned: list[PlannedBlock] = []
    for block in found.contents.blocks(run.run):
        if check.left or block.number != check.blocks:
            check.left += 1
            continue
        if block.number >= len(planned):
            planned += schedule.next_epoch()
        if what := _wrong_block(block, planned, schedule, run):
            name = found.contents.folder.name_run(run.run)
            check.wrong.append((f"{name}/{block.matches[0].number}", what))
            check.left += 1
            continue
        schedule.hear(rows_of(block), block.number + 1)
        check.blocks += 1
    return check


def _wrong_seeds(run: Run) -> str:
    """Return what is wrong with the order of the bots that have no rating, which is drawn; else nothing."""
    terms = run.settings.tournament
    if terms is None or terms.rated is None:  # of an older ladder, which did not say which have one
        return ""
    bots = run.bot_ids[terms.rated :]
    drawn = draw_seeds(bots, Keys(bytes.fromhex(run.secret)))
    return "" if bots == drawn else f"the secret draws the seeds {', '.join(drawn)}, not {', '.join(bots)}"


def _wrong_block(block: Block, planned: list[PlannedBlock], schedule: TournamentSchedule, run: Run) -> str:
    """Return who sat at another table than the schedule has it, or nothing.  *planned* are its blocks."""
    if block.number >= len(planned):
        return "the tournament was over before it"
    due = planned[block.number]
    contest, bots = schedule.contests[due.contest], run.bot_keys
    seats = {each.match: [bots[bot] for bot in each.bots] for each in matches_of(due, contest)}
    for match in block.matches:
        sat = [(seat.bot, seat.version) for seat in match.seats]
        if (expected := seats.get(match.number)) is None:
            return f"match {match.number} does not belong to block {block.number}"
        if expected != sat or match.game != contest.game:
            played = f"it was {match.game}, by {_names(sat)}"
            return f"{played}; from the secret follows {contest.game}, by {_names(expected)}"
    missing = seats.keys() - {match.number for match in block.matches}
    return f"match {min(missing)} of its block is missing" if missing else ""


def _names(bots: list[tuple[str, str]]) -> str:
    return ", ".join(f"{name}@{version}" for name, version in bots)
