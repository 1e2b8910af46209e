"""The steps of a stored match in words, by round: what happened, as all together or one seat saw it."""

from collections.abc import Iterator, Mapping, Sequence

from ladder.games.shown_game import ShownGame
from ladder.replay.steps import EVERYTHING, Decision, FullPosition, Viewpoint, all_positions, look
from results.record import Json
from results.reports.labels import tell_apart


def tell_steps(
    record: Mapping[str, Json], names: Sequence[str], viewpoint: Viewpoint = EVERYTHING
) -> Iterator[str]:
    """Yield a line a step with its notes, and the last view.  Raises LadderError if it cannot be replayed."""
    game, called, shown = ShownGame(record["game"]), tell_apart(names), None
    explain, positions = game.explain(), all_positions(record)
    before: FullPosition | None = None
    for position in positions:
        sight, heading = look(position, viewpoint), f"Round {position.round}"
        events = [game.tell(explain(event), called, record["options"]) for event in sight.events]
        told = [" ".join(words.split()).rstrip(".") for words in events]
        is_next = position.round not in (None, shown) and any(each.move for each in position.decisions)
        begins = [i for i, words in enumerate(told) if is_next and words.startswith(f"{heading} ")]
        end = begins[0] if begins else len(told)  # an event that begins a round is its heading
        if before:
            made = look(before, viewpoint).decisions
            # a game may have no event of it
            moves = [_say(game, before, each, called) for each in made if each.move and not told[:end]]
            yield from _step(f"{before.step:4}", told[:end] or moves)
            yield from (line for decision in made for line in _below(decision, called[decision.seat]))
        else:
            yield from _step("", told[:end])
        if is_next:
            shown = position.round
            yield from ("", *(told[end : end + 1] or [heading]))
        yield from _step("", told[end + 1 :])
        before = position
    yield ""
    view = sight.views[0] if isinstance(viewpoint, int) else position.public
    yield game.text(view, called, ask=False).rstrip()


def _step(number: str, told: Sequence[str]) -> Iterator[str]:
    if told:
        yield f"{number:4}  {'. '.join(told)}"


def _say(game: ShownGame, position: FullPosition, decision: Decision, called: Sequence[str]) -> str:
    said = game.say(position.views[decision.seat], decision.move or ())
    return f"{called[decision.seat]}: {', '.join(said)}"


def _below(decision: Decision, name: str) -> Iterator[str]:
    """Yield what stands below a step about a *decision* in it."""
    if decision.referee:
        yield f"      # {name}: the referee moved"
    if decision.note:
        yield f"      # {name}: {decision.note}"
