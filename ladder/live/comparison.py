"""Two bots over the same stored decisions: where they answer differently."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from typing import NamedTuple

from engines import GAMES
from ladder.errors import LadderError, NotFound
from ladder.home.home import Home
from ladder.live.asked_bot import AskedBot, Reply, start_bot
from ladder.live.line_replies import is_same, kind_of, spell
from ladder.live.question import StoredMatch, find_stored
from ladder.registry.version import Version
from ladder.replay.conversation import Conversation, Request, conversation_of, hello_line
from ladder.run.who_plays import WantedTables, who_plays
from ladder.worker.check_progress import CheckProgress
from results.reports.row_sets import Selection, select_newest
from results.storage.contents import Contents
from results.words import count


class ComparedSeat(NamedTuple):
    """A seat of a stored match, in which one of the two bots sat."""

    match: StoredMatch
    seat: int


class Compared(NamedTuple):
    """A stored decision, and what the two bots answer now."""

    place: ComparedSeat
    request: Request
    old: Reply
    new: Reply

    @property
    def same(self) -> bool:
        """Whether both make the same move, or fail in the same way."""
        return _outcome(self.old) == _outcome(self.new)

    @property
    def kind(self) -> tuple[str, str]:
        """The game and the kind of decision."""
        return str(self.place.match.record["game"]), kind_of(self.request)

    def row(self, new: str) -> dict[str, object]:
        """Return the decision as a row, with the command that asks *new* again, a version or a path."""
        match, seat, step = self.place.match, self.place.seat, self.request.step
        played = self.request.move
        return {
            "match": match.name,
            "game": match.record["game"],
            "seat": seat,
            "step": step,
            "kind": kind_of(self.request),
            "options": len(self.request.choice.options),
            "played": None if played is None else spell(played),
            "old": _outcome(self.old),
            "new": _outcome(self.new),
            "ask": self.command(new),
        }

    def command(self, new: str) -> str:
        """Return the command that asks *new* again."""
        match, seat = self.place.match.name, self.place.seat
        return f"ladder bots ask {shlex.quote(new)} {match} {self.request.step} --seat {seat}"


class Kind(NamedTuple):
    """How often the two answer differently in one kind of decision."""

    game: str
    kind: str
    decisions: int
    differ: int


def _outcome(reply: Reply) -> str:
    """Return the move of *reply* in words, or its failure."""
    if reply.fault:
        return f"fails: {reply.fault.kind}"
    return spell(reply.options or ())


def find_places(
    home: Home,
    contents: Contents,
    bots: tuple[Version, Version],
    games: Sequence[str],
    most: int,
    run: int | None = None,
) -> list[ComparedSeat]:
    """Return where one of *bots* sat in the newest matches of *contents*, or of one *run*, *most* of each.

    If neither has played, where any version of their names sat.  Only *games* and table sizes that both play
    count.  Raises NotFound if there is no such match, UsageProblem if they are the same or share no game.
    """
    old, new = bots
    sizes = {game: GAMES[game].seats for game in games}
    tables = WantedTables(sizes, named=len(games) == 1, smallest=True)
    played = [of.game for of in who_plays(home, tables, bots, must=2, least=2, guests=bots).contests]
    shared = {of: old.sizes(of, new.sizes(of, sizes[of])) for of in played}
    exact = [(bot.bot, bot.version) for bot in bots]
    for wanted in (exact, [(bot.bot, None) for bot in bots]):
        if places := _places(home, contents, wanted, shared, most, run):
            return places
    named = " and ".join(dict.fromkeys(bot.bot for bot in bots))
    hint = _matches_of(old, new, shared)
    if old.ban or new.ban or not (old.number and new.number):  # no run takes a banned bot, or a path
        hint = "name a bot that has played, or matches that do not count with --in; ladder matches lists all"
    raise NotFound(f"no match of {named} is stored here", hint)


def _matches_of(old: Version, new: Version, tables: Mapping[str, Sequence[int]]) -> str:
    """Return the command that lets *old* and *new* play at one of *tables*: games with sizes that both play.

    A run plays with the bots that it names alone; a duel fills larger tables.
    """
    for game, sizes in tables.items():
        if 2 in sizes:
            return f"ladder run {old.id} {new.id} --game {game} --games 10"
    return f"ladder duel {old.id} {new.id} --game {next(iter(tables))}; then the same with --in dN, its name"


def _places(
    home: Home,
    contents: Contents,
    wanted: Sequence[tuple[str, str | None]],
    tables: Mapping[str, Sequence[int]],
    most: int,
    run: int | None,
) -> list[ComparedSeat]:
    found: set[tuple[int, int]] = set()
    looks: list[tuple[str | None, int | None]] = []  # one is enough where all sizes, or all games, count
    for of, sizes in tables.items():
        looks += [(of, size) for size in sizes] if len(sizes) < len(GAMES[of].seats) else [(of, None)]
    for game, size in [(None, None)] if looks == [(of, None) for of in GAMES] else looks:
        for bot, version in wanted:
            rows, _ = select_newest(contents, Selection(bot, version, game=game, size=size), most, run)
            newest = rows.select(["run", "number", "game"]).to_pylist()
            found |= {(row["run"], row["number"]) for row in newest if row["game"] in GAMES}
    name_run = contents.folder.name_run
    matches = [find_stored(home, f"{name_run(run)}/{number}") for run, number in sorted(found)[-most:]]
    return [
        ComparedSeat(match, seat)
        for match in reversed(matches)
        if match.record["moves"]  # else a bot did not start, and the others decided nothing
        for seat, made in enumerate(match.record["seats"])
        if any(made["bot"] == bot and version in (None, made["version"]) for bot, version in wanted)
    ]


def compare(
    home: Home, bots: tuple[Version, Version], places: Sequence[ComparedSeat], progress: CheckProgress
) -> Iterator[Compared]:
    """Yield the decisions at *places* that both *bots* reach.  Raises LadderError if one does not start."""
    with ExitStack() as stack:
        old, new = (stack.enter_context(_Asker(home, bot)) for bot in bots)
        for i, place in enumerate(places):
            progress.begin(f"{bots[0].bot}: {count(i + 1, 'seat', len(places))} of stored matches")
            conversation = conversation_of(place.match.record, place.match.run, place.seat)
            replies = zip(old.replies(place, conversation), new.replies(place, conversation), strict=False)
            for (request, one), (_, other) in replies:
                yield Compared(place, request, one, other)


def repeats_itself(home: Home, bot: Version, matches: Sequence[str]) -> bool:
    """Return whether *bot* repeats its moves in stored *matches*.  Raises LadderError without a start."""
    found = [find_stored(home, name) for name in matches]
    with _Asker(home, bot) as asker:
        for match in found:
            for seat, made in enumerate(match.record["seats"]):
                place = ComparedSeat(match, seat)
                if (made["bot"], made["version"]) == (bot.bot, bot.version):
                    conversation = conversation_of(match.record, match.run, seat)
                    replies = asker.replies(place, conversation)
                    if len(replies) < len(conversation.requests):
                        return False
                    if not all(is_same(request, reply) for request, reply in replies):
                        return False
    return True


class _Asker:
    """Asks one bot, with a process that it keeps while it can."""

    def __init__(self, home: Home, bot: Version) -> None:
        self._home = home
        self._bot = bot
        self._stack = ExitStack()
        self._asked: AskedBot | None = None
        self._hello = b""

    def __enter__(self) -> "_Asker":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def replies(self, place: ComparedSeat, conversation: Conversation) -> list[tuple[Request, Reply]]:
        """Return the requests of *conversation* with the replies of the bot, until it is lost."""
        if not conversation.requests:
            return []
        asked = self._process(place)
        replies = list(asked.converse(conversation))
        if not asked.lost and conversation.end and self._bot.manifest.restart != "match":
            asked.end(conversation)
        else:  # it may not begin another match
            self._asked = None
        return replies

    def _process(self, place: ComparedSeat) -> AskedBot:
        """Return a process of the bot that waits for a match."""
        hello = hello_line(self._bot, place.match.run)
        if self._asked and not self._asked.lost and hello == self._hello:
            return self._asked
        self._stack.close()
        self._asked = self._stack.enter_context(start_bot(self._home, self._bot, place.match.run))
        self._hello = hello
        greeting = self._asked.greet()
        if isinstance(greeting, Reply):
            fault = greeting.fault
            why = f"{fault.kind}: {fault.reason}" if fault else ""
            raise LadderError(
                f"{self._bot.id} does not start: {why}\n{greeting.stderr}".rstrip(),
                f"ladder bots ask {self._bot.id} {place.match.name} hello",
            )
        return self._asked


def count_kinds(found: Sequence[Compared]) -> list[Kind]:
    """Return how often the answers differ, by game and kind, the most differences first."""
    decisions = Counter(each.kind for each in found)
    differ = Counter(each.kind for each in found if not each.same)
    kinds = [Kind(game, kind, count, differ[game, kind]) for (game, kind), count in decisions.items()]
    return sorted(kinds, key=lambda kind: (-kind.differ, kind.game, kind.kind))


def spread(differing: Sequence[Compared], most: int) -> list[Compared]:
    """Return at most *most* of *differing*, spread over their kinds, by kind as count_kinds has them."""
    order = [(kind.game, kind.kind) for kind in count_kinds(differing)]
    by_kind = {kind: [each for each in differing if each.kind == kind] for kind in order}
    # one of each kind in turn, so that a rare kind is not crowded out by a frequent one
    turns = [each for turn in zip_longest(*by_kind.values()) for each in turn if each][:most]
    return sorted(turns, key=lambda each: order.index(each.kind))


def is_stable(bot: Version, found: Sequence[Compared], *, new: bool) -> tuple[int, int]:
    """Return how many of its own decisions *bot*, the *new* or old one, repeats, and how many there are."""
    own = [each for each in found if _sat(bot, each.place)]
    same = [each for each in own if is_same(each.request, each.new if new else each.old)]
    return len(same), len(own)


def _sat(bot: Version, place: ComparedSeat) -> bool:
    made = place.match.record["seats"][place.seat]
    return (made["bot"], made["version"].partition("-")[0]) == (bot.bot, bot.version)
