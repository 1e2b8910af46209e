"""What is known of a bot for people without a match, and all of it for programs."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from engines import GAMES
from ladder.registry.bot_build import shell_line
from ladder.registry.version import Version
from ladder.replay.bot_rows import fewer_sizes, say_sizes
from results.record import Json
from results.reports.bot_facts import BotFacts, GameFacts
from results.reports.costs import costs_row
from results.reports.document import GAME, Audience, Command, GameRef, Prose, Row, Value, Words, between
from results.reports.history import HISTORY

ALL: Collection[Audience] = ("operator", "author", "public")
NOT_PUBLIC: Collection[Audience] = ("operator", "author")
OPERATOR: Collection[Audience] = frozenset({"operator"})
REMOTE = Prose("it runs on its author's machine, where its program may change")


class KnownFact(NamedTuple):
    """A fact on a version that no match is needed for."""

    key: str
    """Its key in JSON."""
    name: str
    """What people read; "": they read it elsewhere."""
    value: Json
    """As programs get it."""
    told: Value | Words | None = None
    """As people get it, if not as it is."""
    readers: Collection[Audience] = ALL


def identity(
    version: Version, limits: Mapping[str, Any], origin: str = "", *, with_notes: bool = False
) -> list[KnownFact]:
    """Return what is known of *version* without a match; *limits* are what it is held to here.

    *origin* is what it was submitted from.  *with_notes*: the public may read its note.
    """
    manifest, ban = version.manifest, version.ban
    games, fewer = [game for game in GAMES if version.plays(game)], fewer_sizes(version)
    tried = {each.game: each.when for each in version.tried or ()}
    banned = f"{ban.why} (since {ban.since})" if ban else None
    line, build = (shell_line(version, each) if each else None for each in (manifest.run, manifest.build))
    shown_tried = ", ".join(f"{game} ({when[:10]})" for game, when in tried.items())
    return [
        KnownFact("bot", "", version.bot),
        KnownFact("number", "", version.number),
        KnownFact(
            "version", "bot", version.version, f"{version.bot}@{version.number} ({version.version})", OPERATOR
        ),
        KnownFact("display_name", "shown as", version.display or None),
        KnownFact("description", "description", manifest.description or None),
        KnownFact("author", "author", manifest.author or None, readers=NOT_PUBLIC),
        KnownFact("note", "note", version.note or None, readers=ALL if with_notes else NOT_PUBLIC),
        KnownFact("games", "games", games, between([GameRef(game) for game in games])),
        KnownFact("seats", "seats", fewer, say_sizes(fewer)),
        KnownFact("tried", "tried", tried, shown_tried, OPERATOR),
        KnownFact("limits", "limits", dict(limits), _say_limits(limits), OPERATOR),
        *([KnownFact("remote", "remote", True, REMOTE)] if manifest.remote else []),
        KnownFact("runs", "runs", line, line and Command(line), OPERATOR),
        KnownFact("build", "build", build, build and Command(build), OPERATOR),
        KnownFact(
            "submitted",
            "submitted",
            version.submitted,
            f"{when[:16].replace('T', ' ')} UTC" if (when := version.submitted) else "",
        ),
        KnownFact("banned", "banned", banned, readers=NOT_PUBLIC),
        KnownFact("from", "from", origin or None, origin and Prose(origin), OPERATOR),
        KnownFact("files", "files", version.folder, Prose(version.folder), OPERATOR),
    ]


def _say_limits(limits: Mapping[str, Any]) -> str:
    """Return *limits* in words."""
    told = [", ".join(f"{name} {value:,}" for name, value in limits.items() if name != "games")]
    told += [f"at {game}: {_say_limits(of)}" for game, of in limits.get("games", {}).items()]
    return "; ".join(told)


def bot_json(known: Sequence[KnownFact], versions: Sequence[Row], facts: BotFacts) -> dict[str, Json]:
    """Return what programs get of one version: *known* facts, rows of all its *versions*, and *facts*."""
    faults = facts.faults
    return {
        **{each.key: each.value for each in known},
        "versions": versions,
        "ratings": facts.standings,
        "played": [_game_json(each) for each in facts.games],
        "faults": {
            **faults._asdict(),
            "forgiven": sum(faults.forgiven.values()),
            "forgiven_by_kind": faults.forgiven,
        },
    }


def _game_json(facts: GameFacts) -> Row:
    keys = [column.key for column in (GAME, *HISTORY)]  # rows for all bots at once have less
    return {
        "game": facts.game,
        "history": [{key: row[key] for key in keys if key in row} for row in facts.history],
        "opponents": facts.opponents,
        "standouts": facts.standouts,
        "seats": facts.places,
        "headroom": facts.headroom and facts.headroom._asdict(),
        "costs": costs_row(facts.costs),
        "worst_losses": [
            {
                "match": f"{loss.match[0]}/{loss.match[1]}",
                "seat": loss.seat,
                "rank": loss.rank,
                "points_behind": loss.behind,
            }
            for loss in facts.losses
        ],
    }


def version_rows(versions: Sequence[Version], playing: Collection[str]) -> list[Row]:
    """Return a row for each of *versions*; the ids of those that play are *playing*."""
    return [
        {
            "number": each.number,
            "version": each.version,
            "submitted": each.submitted,
            "plays": each.id in playing,
            "retired": each.retired,
            "note": each.note or None,
        }
        for each in versions
    ]
