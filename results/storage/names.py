"""What bots are called today: `results/names.json` maps the names that bots had to those that they have.

A match stays stored under the names of its time, so that digests and checks stay as they are.  Results are
read under the names of today: `Contents.renamed` and `Store` apply the functions here, and nothing else does.
An old name never belongs to another bot again.
"""

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from results.errors import DamagedResults
from results.record import Block, Json, LimitsApart, Run, RunSettings
from results.storage.arrow import Table, pa
from results.storage.disk import Disk, replace_file
from results.storage.layout import Folder
from results.words import find_fit

Names: TypeAlias = Mapping[str, str]
"""Old names, and those of today.  No name of today is among the old ones."""


def read_names(folder: Folder) -> dict[str, str]:
    """Return the names of today by the old ones; empty if no bot was renamed.  Raises DamagedResults."""
    try:
        found = msgspec.json.decode(folder.names.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except (msgspec.MsgspecError, OSError, UnicodeDecodeError) as error:
        raise DamagedResults(folder.names, str(error)) from None
    if found.keys() & found.values():
        raise DamagedResults(folder.names, "a name of today is among the old ones")
    if not "".join(found.values()).isprintable():
        raise DamagedResults(folder.names, "it has a name that cannot be printed")
    return found


def write_names(disk: Disk, folder: Folder, names: Names) -> None:
    """Replace the stored names, in one step."""
    replace_file(disk, folder.names, msgspec.json.format(msgspec.json.encode(names)) + b"\n")


def add_name(names: Names, old: str, new: str) -> dict[str, str]:
    """Return *names* after the bot *old* is renamed to *new*, which may be a name that it had before."""
    since = {before: new if today == old else today for before, today in names.items()}
    return {before: today for before, today in {**since, old: new}.items() if before != new}


# -- applied


def rename_run(run: Run, names: Names) -> Run:
    """Return *run* with the names of today."""
    if not names:
        return run
    settings, asked, duel = run.settings, run.settings.asked, run.settings.duel
    replace = msgspec.structs.replace
    if asked:
        asked = replace(asked, bots=tuple(_rename_word(word, names) for word in asked.bots))
    if duel and duel.field:
        duel = replace(duel, field=tuple(_rename_word(word, names) for word in duel.field))
    without = tuple(replace(left, name=names.get(left.name, left.name)) for left in settings.without)
    return replace(
        run,
        settings=replace(
            settings, asked=asked, duel=duel, without=without, apart=_rename_limits(settings, names)
        ),
        bots=[{**bot, "name": names.get(bot["name"], bot["name"])} for bot in run.bots],
        ratings={game: _rename_anchor(of, names) for game, of in run.ratings.items()},
    )


def _rename_limits(settings: RunSettings, names: Names) -> LimitsApart | None:
    apart = settings.apart
    if apart is None:
        return None
    # a pattern is for the names of that time
    fitted = {new: apart.of_bot(old) for old, new in names.items() if find_fit(old, apart.bots)}
    return LimitsApart(fitted | {names.get(bot, bot): of for bot, of in apart.bots.items()}, apart.games)


def _rename_word(word: str, names: Names) -> str:
    """Return NAME, NAME@NUMBER or NAME@HASH with the name of today."""
    name, at, version = word.partition("@")
    return f"{names.get(name, name)}{at}{version}"


def _rename_anchor(parameters: Json, names: Names) -> Json:
    anchor = parameters.get("anchor") if isinstance(parameters, dict) else None
    if not anchor:
        return parameters
    name, *rest = anchor
    return {**parameters, "anchor": [names.get(name, name), *rest]}


def rename_block(block: Block, names: Names) -> Block:
    """Return *block* with the names of today."""
    replace = msgspec.structs.replace
    matches = [
        replace(match, seats=[replace(seat, bot=names.get(seat.bot, seat.bot)) for seat in match.seats])
        for match in block.matches
    ]
    faults = [replace(fault, bot=names.get(fault.bot, fault.bot)) for fault in block.faults]
    return replace(block, matches=matches, faults=faults)


def rename_rows(rows: Table, names: Names) -> Table:
    """Return *rows* of matches or faults, with any of their columns, with the names of today."""
    for place, field in enumerate(rows.schema):
        if field.name in ("bot", "seats"):
            rename = _rename_texts if field.name == "bot" else _rename_seats
            chunks = [rename(chunk, names) for chunk in rows.column(place).chunks]
            rows = rows.set_column(place, field, pa.chunked_array(chunks, field.type))
    return rows


def _rename_texts(texts: Json, names: Names) -> Json:
    """Return the array *texts* with other names; each distinct one is looked up once."""
    coded = texts.dictionary_encode()
    return pa.array([names.get(name, name) for name in coded.dictionary.to_pylist()], pa.string()).take(
        coded.indices
    )


def _rename_seats(seats: Json, names: Names) -> Json:
    """Return the array *seats*, lists of structs, with other names if they have names."""
    each = seats.values
    fields = list(each.type)
    if "bot" not in [field.name for field in fields]:
        return seats
    columns = [
        _rename_texts(each.field(i), names) if field.name == "bot" else each.field(i)
        for i, field in enumerate(fields)
    ]
    renamed = pa.StructArray.from_arrays(columns, fields=fields)
    return pa.ListArray.from_arrays(seats.offsets, renamed, type=seats.type)
