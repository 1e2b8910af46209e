"""Merge the shards of a run: check all of them first, then store the whole run, or nothing."""

import logging
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

from ladder.errors import NotFound, UsageProblem
from ladder.home.home import Home, open_home
from ladder.registry.roster import changed_files
from ladder.registry.version import Version
from ladder.run.shard import Shard
from results.errors import DamagedResults
from results.rating import cache
from results.rating.rated import Rated
from results.record import JoinedShard, Json, Run, RunCommand
from results.storage.compaction import SegmentSource
from results.storage.contents import Contents
from results.storage.schema import to_json
from results.storage.store import Store

logger = logging.getLogger(__name__)

SHOWN = 5
"""How many differences between two runs are named."""


class PlayedShard(NamedTuple):
    """A shard that was played, and its home."""

    shard: Shard
    run: Run
    home: Home
    contents: Contents

    @property
    def whole(self) -> bool:
        """Whether the run is finished with all blocks of its shard."""
        shard = self.run.settings.shard
        return (
            self.run.finished is not None and shard is not None and self.run.blocks == shard.end - shard.first
        )


# -- the shards


def gather_shards(homes: Iterable[Path]) -> list[PlayedShard]:
    """Return the shards that *homes* hold, in order; nothing is written.

    Raises UsageProblem, naming the home, unless they make one whole run: all finished, none missing, none
    twice, and equal in everything that determines matches and ratings.
    """
    found = [played for path in homes for played in _shards(open_home(path))]
    first = found[0]
    for other in found:
        _check_names(other.contents.as_stored().run(other.run.run), other.home)
        _check_same(first, other)
        if not other.whole:
            raise _name_unfinished(other)
    by_shard: dict[Shard, PlayedShard] = {}
    for played in found:
        if (twin := by_shard.setdefault(played.shard, played)) is not played:
            raise UsageProblem(
                f"shard {played.shard} is in {twin.home.path} and in {played.home.path}",
                "leave one of them out: its matches would count twice",
            )
    missing = [s for i in range(first.shard.of) if (s := Shard(i + 1, first.shard.of)) not in by_shard]
    if missing:
        others = f" and {len(missing) - 1} more shards are" if missing[1:] else " is"
        raise UsageProblem(
            f"shard {missing[0]}{others} missing",
            f"name its home, or play it: {_command(first.run, missing[0])}",
        )
    return [by_shard[shard] for shard in sorted(by_shard)]


def _shards(home: Home) -> Iterator[PlayedShard]:
    """Yield the last run of *home*, which must be a shard, and others of the same run that are whole."""
    contents = Store(home.results).contents()
    last = contents.runs[-1] if contents.runs else None
    if last is None or last.settings.shard is None:
        what = (
            "has no run" if last is None else f"has run {last.run} as its last, which is not a shard of a run"
        )
        raise UsageProblem(f"{home.path} {what}", "ladder run --shard I/N plays one: ladder run --help")
    latest = {}
    for run in contents.runs:
        if shard := run.settings.shard:
            played = PlayedShard(Shard(shard.number, shard.of), run, home, contents)
            if run is last or (played.whole and _plan(run) == _plan(last)):
                latest[played.shard] = played
    yield from latest.values()


def _plan(run: Run) -> dict[str, Json]:
    """Return what determines matches and ratings of *run*, by names for messages: settings not reset here."""
    settings = run.settings
    shared = replace(
        settings, asked=None, left_out=(), for_s=None, shard=None, shards=(), without=(), threads=None
    )
    games = {f"game {contest.game}" for contest in settings.contests}
    return {
        "secret": run.secret_hash,
        "bots": " ".join(run.bot_ids),
        **to_builtins(shared),
        "contests": {contest.name: to_builtins(contest) for contest in settings.contests},
        "shards": settings.shard.of if settings.shard else None,
        "ratings": run.ratings,
        "versions": {name: run.versions.get(name) for name in ("ladder", "plan", *sorted(games))},
    }


def _check_same(one: PlayedShard, other: PlayedShard) -> None:
    """Raise UsageProblem, with what differs, unless both are shards of the same run."""
    then, now = (dict(_flat(_plan(played.run))) for played in (one, other))
    differing = [name for name in {**then, **now} if then.get(name) != now.get(name)]
    if not differing:
        return
    told = [
        name if name == "secret" else f"{name} is {_text_of(now.get(name))}, not {_text_of(then.get(name))}"
        for name in differing[:SHOWN]
    ]
    more = f" and {len(differing) - SHOWN} more" if differing[SHOWN:] else ""
    raise UsageProblem(
        f"{other.home.path} does not hold a shard of the run in {one.home.path}: "
        f"differences: {'; '.join(told)}{more}",
        "play all shards with the same bots, settings, options and secret",
    )


def _check_names(run: Run, home: Home) -> None:
    """Raise UsageProblem if *home* has renamed a bot of *run*: a merged run has the names that are stored."""
    names = home.roster.names
    for old, _ in run.bot_keys:
        if today := names.get(old):
            where = f"--home {shlex.quote(str(home.path))}"
            raise UsageProblem(
                f"{old!r} plays in the run, and is called {today!r} in {home.path}",
                f"ladder bots rename {today} {old} {where}; merge, and rename it again",
            )


def _flat(value: Mapping[str, Json], before: str = "") -> Iterator[tuple[str, Json]]:
    """Yield the values of nested tables by their dotted names."""
    for name, part in value.items():
        if isinstance(part, dict):
            yield from _flat(part, f"{before}{name}.")
        else:
            yield before + name, part


def _text_of(value: Json) -> str:
    return value if isinstance(value, str) else to_json(value)


def _name_unfinished(played: PlayedShard) -> UsageProblem:
    run, where = played.run, shlex.quote(str(played.home.path))
    if run.finished is None:
        return UsageProblem(
            f"shard {played.shard} in {played.home.path} is not finished",
            f"ladder run --resume --home {where}",
        )
    return UsageProblem(
        f"shard {played.shard} in {played.home.path} was ended with {run.blocks} of its blocks",
        f"play it again: {_command(run, played.shard)} --home {where}",
    )


def _command(run: Run, shard: Shard) -> str:
    """Return the command that plays *shard* of the same run as *run*."""
    asked = to_builtins(replace(run.settings.asked or RunCommand(), shard=str(shard)))
    words = ["ladder", "run", *asked["bots"]]
    for name, value in sorted(asked.items()):
        if name == "secret-file" and value is not None:
            words += ["--seed", "@FILE"]
        elif name == "seed" and isinstance(value, str):
            words += ["--seed", "TEXT"]
        elif name != "bots":
            for each in value if isinstance(value, tuple) else [value]:
                words += [] if each is None else [f"--{name}", str(each)]
    return shlex.join(words)


# -- the merged run


def join_shards(shards: Sequence[PlayedShard], target: Home) -> tuple[Run, dict[str, Rated]]:
    """Store *shards*, as gather_shards returns them, as the next run of *target*; return it with the ratings.

    The bots are stored before the run that names them.  The active versions in *target* stay the same.
    Raises UsageProblem if the run is there already, or an unfinished one is in its way.
    """
    bots = _bots(shards)
    store = Store(target.results)
    with store.lock():
        _check_names(shards[0].run, target)
        _check_room(shards[0].run, store, target)
        for version in bots:
            target.roster.adopt(version)
        target.make_safe(target.roster.find(version.id) for version in bots)
        parts = [
            SegmentSource(s.contents, segment) for s in shards for segment in s.contents.segments(s.run.run)
        ]
        run = store.join(_whole(shards, len(store.runs()) + 1), parts)
        rated = cache.save(store)
    _take_reviews(shards, store, run)
    return run, rated


def _take_reviews(shards: Sequence[PlayedShard], store: Store, run: Run) -> None:
    """Store the reviews of *shards* as those of the merged *run*; a damaged file costs reviews alone."""
    for shard in shards:
        reviews = Store(shard.home.results).reviews
        try:
            store.reviews.take(reviews, shard.run.run, run.run, reviews.strays(shard.contents))
        except DamagedResults as error:
            logger.warning(
                "the reviews in %s are left out, and can be made again: %s", shard.home.path, error
            )


def _bots(shards: Sequence[PlayedShard]) -> list[Version]:
    """Return the versions that played, newest first, each from a home where its files are unchanged."""
    wanted = shards[0].run.bot_ids
    here = [v for shard in shards for v in shard.home.roster.versions() if v.id in wanted]
    known = {version.id: version for version in here if not changed_files(version).changed}
    if gone := [id_ for id_ in wanted if id_ not in known]:
        as_it_was = " as it was submitted" if gone[0] in {version.id for version in here} else ""
        what = f"{gone[0]} played, but no home has it{as_it_was} any more"
        raise NotFound(what, "submit it in one of them again")
    return sorted((known[id_] for id_ in wanted), key=lambda version: -version.order)


def _check_room(run: Run, store: Store, target: Home) -> None:
    """Raise UsageProblem unless the run of the shard *run* may become the next run of *target*."""
    for other in store.runs():
        if {**_plan(other), "shards": None} == {**_plan(run), "shards": None}:
            what = "a shard of this run" if other.settings.shard else "this run"
            raise UsageProblem(
                f"run {other.run} of {target.path} is {what}: its matches would count twice",
                "name another home: --home FOLDER",
            )
    if unfinished := store.unfinished_run():
        raise UsageProblem(
            f"run {unfinished.run} of {target.path} is not finished",
            f"ladder run --resume --home {shlex.quote(str(target.path))}",
        )


def _whole(shards: Sequence[PlayedShard], number: int) -> Run:
    """Return the merged run of *shards*, as run *number*."""
    first, runs = shards[0].run, [shard.run for shard in shards]
    asked = next((run for run in runs if run.guessable), first).settings.asked
    settings = replace(
        first.settings,
        asked=asked and replace(asked, shard=None),
        shard=None,
        shards=tuple(JoinedShard(run.host, run.started, run.finished) for run in runs),
    )
    return replace(
        first,
        run=number,
        secret=next((run.secret for run in runs if run.has_secret), first.secret),
        settings=settings,
        host=" ".join(dict.fromkeys(run.host for run in runs)),
        started=min(run.started for run in runs),
        finished=None,
        blocks=None,
    )
