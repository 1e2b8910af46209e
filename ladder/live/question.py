"""Which decision of which match a bot is asked: checked before anything is started."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engines import GAMES
from ladder.errors import NotFound, UsageProblem
from ladder.home.home import Home
from ladder.registry.version import Version
from ladder.replay.conversation import Conversation, conversation_of
from ladder.replay.replay import find_match, make_whole
from ladder.replay.seat import check_seat
from results.record import Json, Run
from results.storage.unrated import contents_with

HELLO: Final = -1
"""The step of a question that asks only for the `ready` of a bot."""

END: Final = -2
"""The step of a question about the end of the match."""


@dataclass(frozen=True)
class StoredMatch:
    """A stored match, and the run that it belongs to."""

    record: Mapping[str, Json]
    run: Run

    @property
    def name(self) -> str:
        """What the match is called: RUN/NUMBER or dN/NUMBER."""
        return f"{self.record['run']}/{self.record['number']}"


@dataclass(frozen=True)
class Question:
    """A bot that is asked in the place of a seat, and the decision that it is asked for."""

    bot: Version
    match: StoredMatch
    seat: int
    conversation: Conversation
    step: int
    """The step that was named; HELLO for the start of the bot."""
    last: int
    """The index of the request that it means; -1 if that is the hello, and one after the last for the end."""


def find_stored(home: Home, wanted: str) -> StoredMatch:
    """Return the match *wanted*, as find_match does.  Raises NoSuchMatch, NoSuchUnrated, LadderError."""
    contents, name = contents_with(home.results, wanted)
    match = find_match(contents, name)
    return StoredMatch(make_whole(contents, match), contents.run(match.run))


def ask_about(bot: Version, match: StoredMatch, step: int, seat: int | None) -> Question:
    """Return the question for *bot* about *step*, in *seat* or in the one that is meant.

    Raises NotFound for a step or a seat that the match does not have, UsageProblem for a bot that does not
    play the game at this table size and where the seat is not clear, LadderError for a match that cannot be
    replayed.
    """
    record = match.record
    game = record["game"]
    if seat is not None:
        check_seat(record, seat)
    last = len(record["moves"])
    step = last if step == END else step
    if not HELLO <= step <= last:
        raise NotFound(
            f"match {match.name} has no step {step}: its steps are 0 to {last - 1}",
            f"ladder replay {match.name}, which lists them; or say end",
        )
    if not bot.plays(game):
        raise UsageProblem(
            f"{bot.id} does not play {game}, the game of match {match.name}",
            f"name another bot, or a match of another game: ladder matches --bot {bot.bot}",
        )
    bot.check_sizes(game, [len(record["seats"])], GAMES[game].seats)
    if seat is None:
        seat = _choose_seat(bot, match, step)
    conversation = conversation_of(record, match.run, seat)
    return Question(bot, match, seat, conversation, step, _find_request(conversation, match, step))


def _find_request(conversation: Conversation, match: StoredMatch, step: int) -> int:
    """Return the index of the request that *step* means: the last one up to it, or see Question.last."""
    if step == HELLO:
        return -1
    if step == conversation.steps and conversation.end:
        return len(conversation.requests)
    if (found := conversation.last_before(step)) is None:
        seat, requests = conversation.seat, conversation.requests
        what = f"seat {seat} of match {match.name} had decided nothing by step {step}"
        if requests:
            raise NotFound(f"{what}: its first decision is in step {requests[0].step}", "name that step")
        raise NotFound(f"{what}, nor later", "give hello instead of a step: it asks only for ready")
    return found


def _choose_seat(bot: Version, match: StoredMatch, step: int) -> int:
    """Return the seat named like *bot*, or that of the only decision.  Raises UsageProblem for several."""
    seats = match.record["seats"]
    everything = range(len(seats))
    same = [i for i in everything if seats[i]["bot"] == bot.bot]
    exact = [i for i in same if seats[i]["version"].partition("-")[0] == bot.version]
    for found in (exact, same):
        if len(found) == 1:
            return found[0]
    found = exact or same or list(everything)
    moves = match.record["moves"]
    deciding = {int(move[0]) for move in moves[step]} if 0 <= step < len(moves) else set()
    asked = [seat for seat in found if seat in deciding]
    if len(asked) == 1:
        return asked[0]
    listed = ", ".join(str(seat) for seat in found)
    which = "sits in several seats" if same else "did not play"
    raise UsageProblem(
        f"{bot.id} {which} in match {match.name}, and step {step} does not say which seat is meant",
        f"add --seat with one of: {listed}",
    )
