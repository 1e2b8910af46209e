"""Reveal the results of a secret tournament: all that is over, or the rounds up to one."""

from pathlib import Path

from msgspec.structs import replace

from ladder.errors import NotFound, UsageProblem, suggest
from ladder.pairing.event_report import RoundReport
from ladder.run.tournament.stored_tournaments import StoredTournament, find_tournament
from ladder.run.tournament_schedule import rounds_of
from results.storage.revealed import Revealed, reveal


def reveal_tournament(results: Path, name: str, round_name: str | None = None) -> Revealed:
    """Show what is over of the secret tournament *name*, or its rounds up to *round_name*.

    When it is over and all its rounds are shown, so are its matches.  It may be played meanwhile.  Return
    what is shown from now on.  Raises NotFound, UsageProblem, LadderError or ResultsError.
    """
    found = find_tournament(results, name)
    if not found.terms.hidden:
        raise UsageProblem(f"tournament {name} is not secret", f"ladder tournament {name}")
    if not found.is_hidden:
        raise UsageProblem(f"all of tournament {name} is revealed already", f"ladder tournament {name}")
    over = found.run.finished is not None
    if over and round_name is None:  # needs no pairings, so neither the secret of the tournament
        return reveal(found.store.folder, found.contents.runs, replace(found.revealed, whole=True))
    rounds = rounds_of(found.schedule().event)
    last = _last_over(found, rounds) if round_name is None else _find_round(found, rounds, round_name)
    shown = tuple(each.name for each in rounds[: last + 1])
    revealed = replace(found.revealed, rounds=shown, whole=over and last + 1 == len(rounds))
    return reveal(found.store.folder, found.contents.runs, revealed)


def _last_over(found: StoredTournament, rounds: list[RoundReport]) -> int:
    """Return the index of the last round before one not over.  Raises UsageProblem if it is shown already."""
    going_on = next((index for index, each in enumerate(rounds) if not each.is_over), len(rounds))
    if going_on <= len(found.revealed.rounds):
        raise _not_over(found, f"round {rounds[going_on].name}" if rounds[going_on:] else "the end")
    return going_on - 1


def _find_round(found: StoredTournament, rounds: list[RoundReport], wanted: str) -> int:
    """Return the index of the round *wanted*, over and not shown.  Raises NotFound or UsageProblem."""
    name, names = found.terms.name, [each.name for each in rounds]
    same = [each for each in names if each == wanted] or [
        each for each in names if each.endswith(f"/{wanted}")
    ]
    if not same:
        raise NotFound(
            f"tournament {name} has no round {wanted!r} so far{suggest(wanted, names)}",
            f"ladder tournament reveal {name} {names[-1]}, or another of: {', '.join(names)}",
        )
    if len(same) > 1:
        raise UsageProblem(
            f"{wanted} may mean several rounds: {', '.join(same)}",
            f"ladder tournament reveal {name} {same[0]}",
        )
    index = names.index(same[0])
    if same[0] in found.revealed.rounds:
        raise UsageProblem(
            f"round {same[0]} of tournament {name} is revealed already, and stays so",
            f"ladder tournament {name}",
        )
    if going_on := [each.name for each in rounds[: index + 1] if not each.is_over]:
        raise _not_over(found, f"round {going_on[0]}")
    return index


def _not_over(found: StoredTournament, what: str) -> UsageProblem:
    """Return the error that *what*, a round or the end, is still to be played."""
    name = found.terms.name
    return UsageProblem(f"{what} of tournament {name} is still to be played", f"ladder tournament run {name}")
