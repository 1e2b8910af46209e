"""Replay a stored match with the engine, as a whole record or as text."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec

from engines import GAMES, GameNotLoaded
from engines.playout import can_replay, deal_digest
from ladder.contest.custom_options import restore_custom
from ladder.contest.keys import deal_rng
from ladder.contest.match_luck import moves_of
from ladder.errors import LadderError
from ladder.games.shown_game import ShownGame
from ladder.machine.plugged_in import name_game
from protocol.faults import explain
from results.errors import NoSuchMatch
from results.record import LimitsApart, Match, RunSettings
from results.reports.fault_card import render_card
from results.reports.labels import Numbers, labels, tell_apart
from results.reports.story import tell_result
from results.reports.values_as_text import say
from results.storage.contents import Contents
from results.words import count

Steps: TypeAlias = Callable[[Mapping[str, Any], Sequence[str]], Iterator[str]]
"""Tells the steps of a record and its last view; it gets the names of the seats."""


def other_rules(game: str, version: int) -> str:
    """Return why a match of *version* of *game* cannot be replayed here, or "" if it can."""
    if game not in GAMES:
        return f"played by the rules of {game}, a game that this ladder does not have"
    if can_replay(GAMES[game], version):
        return ""
    return f"played under version {version} of the rules of {game}, this ladder has {GAMES[game].version}"


def deal_of(match: Match, custom: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Return the deal of *match*; *custom* are the custom values that its run has stored.

    Raises LadderError if this ladder does not have the game, or deals differently from the stored digest.
    """
    name = f"{match.run}/{match.number}"
    hint = "ladder replay MATCH --html shows its result and its moves; all else, the ladder that played it"
    if match.deal is None and match.game not in GAMES:
        raise LadderError(f"match {name} was {other_rules(match.game, match.game_version)}", hint)
    try:
        deal = rebuild_deal(match, custom)
    except ValueError:  # rules of another version may have other options
        if can_replay(GAMES[match.game], match.game_version):
            raise
        deal = {}
    # The record keeps the seed, not the deal, and a digest that tells when a newer version of the game would
    # deal other cards from it.
    if match.deal is None and deal_digest(deal) != match.deal_digest:
        raise LadderError(
            f"match {name} was dealt by {match.game} version {match.game_version}; "
            f"this is version {GAMES[match.game].version}, which deals differently",
            hint,
        )
    return deal


def rebuild_deal(match: Match, custom: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Return the stored deal of *match*, or deal it again from the seed of the match."""
    if match.deal is not None:
        return dict(match.deal)
    rng = deal_rng(bytes.fromhex(match.deal_seed))
    options = restore_custom(match.options, custom)
    with name_game(match.game):
        return dict(GAMES[match.game].deal(len(match.seats), rng, options))


def find_match(contents: Contents, wanted: str) -> Match:
    """Return the match RUN/NUMBER, last, or with a name that a bot was told.  Raises NoSuchMatch."""
    run, slash, number = wanted.partition("/")
    if slash:
        # Bounded digits: a longer number is no match, and its conversion could raise another error.
        if not re.fullmatch("[0-9]{1,9}/[0-9]{1,18}", wanted):
            raise NoSuchMatch(wanted)
        return contents.match(int(run), int(number))
    return contents.last_match() if wanted == "last" else contents.find_named(wanted)


def record_of(contents: Contents, wanted: str, *, dealt: bool = True) -> dict[str, Any]:
    """Return the whole record of the match that *wanted* means: see find_match.

    The run of an unrated match is the name of its store: d1.  The deal of a void match is None.  For a deal
    that this ladder cannot make again it raises LadderError, or has None, too, unless *dealt*.
    """
    return make_whole(contents, find_match(contents, wanted), dealt=dealt)


def make_whole(contents: Contents, match: Match, *, dealt: bool = True) -> dict[str, Any]:
    """Return the whole record of *match*, which is in *contents*: see record_of."""
    settings = contents.run(match.run).settings
    deal = None
    if not match.void:
        try:
            deal = deal_of(match, settings.tables)
        except (LadderError, GameNotLoaded):
            if dealt:
                raise
    rows = find_faults(contents, match.run, [match.number]).get(match.number, [])
    return make_record(match, contents.folder.name_run(match.run), settings, deal, rows)


def find_faults(
    contents: Contents, run: int, numbers: Sequence[int], *, private: bool = True
) -> dict[int, list[dict[str, Any]]]:
    """Return the faults in the matches of *run* with these *numbers*.

    Unless they stay *private*, they have their kinds, not what bots answered and wrote to stderr, nor reasons
    that quote it.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array(numbers, pa.int64())
    found: dict[int, list[dict[str, Any]]] = {}
    for part in contents.fault_parts((), run):
        for row in part.filter(pc.is_in(part.column("number"), value_set=wanted)).to_pylist():
            found.setdefault(row["number"], []).append(row if private else bare_fault(row))
    return found


def make_record(
    match: Match, run: int | str, settings: RunSettings, deal: Any, faults: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the whole record of *match*, as JSON.

    *run* is the name of its run, which has *settings*; *faults* are its rows.  A seat has `limits` if its bot
    had limits of its own.
    """
    apart = settings.apart or LimitsApart()
    return {
        "run": run,
        "number": match.number,
        "attempt": match.attempt,
        "void": match.void,
        "block": match.block,
        "rotation": match.rotation,
        "game": match.game,
        "version": match.game_version,
        "options": match.options,
        "limits": dict(settings.limits_at("", match.game)),
        "deal": deal,
        "seats": [
            msgspec.to_builtins(seat) | ({"limits": own} if (own := apart.of_bot(seat.bot)) else {})
            for seat in match.seats
        ],
        "moves": json.loads(match.moves),
        "ranks": [seat.rank for seat in match.seats],
        "scores": [seat.score for seat in match.seats],
        "faults": [{**row, "run": run} for row in faults],
        "started": match.started,
        "duration_us": match.duration_us,
        "sandbox": match.sandbox,
    }


def without_notes(record: Mapping[str, Any]) -> dict[str, Any]:
    return {**record, "seats": [{**seat, "notes": []} for seat in record["seats"]]}


def bare_fault(fault: Mapping[str, Any]) -> dict[str, Any]:
    """Return *fault*, a row of results.storage.schema.FAULTS, without what the bot said."""
    said = dict.fromkeys(("answer", "request", "choice", "stderr"), "")
    return {**fault, **said, "reason": explain(fault["kind"])[0]}


def name_seats(record: Mapping[str, Any], numbers: Numbers = MappingProxyType({})) -> list[str]:
    """Return the label of the bot in each seat; *numbers*, of the home, tell versions of one bot apart."""
    bots = [(seat["bot"], seat["version"]) for seat in record["seats"]]
    label = labels(bots, numbers)
    return [label[bot] for bot in bots]


def story_of(record: Mapping[str, Any], numbers: Numbers = MappingProxyType({})) -> str:
    """Return who won: `greedy beat rival, 52 : 39`, `ann wins: mine crashed`; *numbers* are the home's."""
    return say(tell_result(record["seats"], tell_apart(name_seats(record, numbers))), {})


def narrate(
    record: Mapping[str, Any], numbers: Numbers = MappingProxyType({}), steps: Steps | None = None
) -> Iterator[str]:
    """Yield *record* as text: who played, every move with its notes, the last view, faults, the result.

    *numbers* are those of the home: they tell versions of one bot apart.  *steps* tells the moves and the
    last view in words; without it, all is in notation, and bots have the names that are typed.
    """
    story = [story_of(record, numbers)] if steps else []
    numbers = numbers if steps else dict(numbers)
    names = name_seats(record, numbers)
    yield from story
    yield (
        f"match {record['run']}/{record['number']}: {record['game']}, "
        f"block {record['block']}, rotation {record['rotation']}"
    )
    for i, seat in enumerate(record["seats"]):
        known = f" ({names[i]})" if seat["bot"] != names[i] else ""
        yield f"  seat {i}: {seat['bot']}@{seat['version']}{known}, told {seat['name']}"
    yield ""
    if record["void"]:
        yield "  void: the runner itself failed, no moves were kept; the match was played again"
        return
    yield from (steps or _moves)(record, names)
    for fault in record["faults"]:
        yield ""
        yield from render_card(fault, numbers=numbers)
    yield ""
    yield from story or narrate_result(record["seats"], names)


def narrate_result(seats: Iterable[Mapping[str, Any]], names: Sequence[str]) -> Iterator[str]:
    """Yield the ranks of the *seats* of a record, best first, with the *names* of their bots."""
    for i, seat in sorted(enumerate(seats), key=lambda item: item[1]["rank"] or 0):
        points = seat["score"]
        score = "" if points is None else f"  {count(points, 'point')}"
        fault = f"  {seat['fault']}" if seat["fault"] else ""
        yield f"  {seat['rank']}. {names[i]} (seat {i}){score}{fault}"


def _moves(record: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    """Yield the moves of *record* with their notes, and the last view; *names* are those of the seats."""
    if why := other_rules(record["game"], record["version"]):
        raise LadderError(
            f"match {record['run']}/{record['number']} was {why}",
            "ladder replay --format json prints the stored record",
        )
    width = max(map(len, names))
    notes = {(n["step"], i): n["text"] for i, seat in enumerate(record["seats"]) for n in seat["notes"]}
    with name_game(record["game"]):
        game = GAMES[record["game"]]
        state, _ = game.start(record["deal"], len(names))
        for step, moves in enumerate(record["moves"]):
            for seat, move, *by in moves:
                text = " ".join(move) if isinstance(move, list) else move
                yield f"{step:4}  {names[seat]:<{width}}  {text}" + ("  (referee)" if by else "")
                if note := notes.get((step, seat)):
                    yield f"      {'':<{width}}  # {note}"
            state, _ = game.play(state, moves_of(moves))
        last = dict(game.view(state, None))
    yield ""
    yield ShownGame(record["game"]).text(last)
