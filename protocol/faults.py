"""The kinds of faults: what each means and what the author of a bot can do about it.

A new kind is a word of FaultKind and an entry of FAULTS; `python -m protocol.schema` then writes the JSON
Schema and the table in SPEC.md.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

FaultKind: TypeAlias = Literal[
    "start",
    "timeout",
    "crash",
    "illegal",
    "protocol",
    "memory",
    "limit",
    "unreadable",
    "truncated",
    "transport",
]
SECOND_TRY = frozenset({"illegal", "unreadable", "truncated"})
"""The kinds of faults after which a decision may be asked again at once."""
NO_SERVICE = "its service did not answer"
"""How the reason of a fault of transport begins, if it is not ABSENT."""
ABSENT = "nobody was there to play"
"""How it begins where the bot was not ready for its match."""
LOST = "its client has lost the process"
"""It, where the program of a remote bot was stopped."""
NO_SERVER = "the server between the ladder and the bot has ended"
"""Why a match of a remote bot is void."""

FLUSH = "flush after every line, as in print(..., flush=True)"


class FaultMeaning(NamedTuple):
    """The meaning of a kind of fault, and advice for the bot's author."""

    sentence: str
    """The description in the specification, in Markdown."""
    advice: str
    """The advice for the bot's author."""


FAULTS: Mapping[str, FaultMeaning] = {
    "start": FaultMeaning(
        "the program could not be run, or there was no valid `ready` within `start_ms`, or the bot used more "
        "memory, processes or stderr than it may before its `ready`",
        'answer the hello line at once with the line {"type":"ready","protocol":1}, and ' + FLUSH,
    ),
    "timeout": FaultMeaning(
        "no complete line when the time had run out: `move_ms`, the bank and the grace, or what was left of "
        "`match_s`",
        f"answer sooner, clock says how long there is; if it had answered: {FLUSH}",
    ),
    "crash": FaultMeaning(
        "the program ended; the exit status or the signal is kept. Ending with status 0 is a crash too, "
        "unless `bye` was said",
        "its stderr says why the program ended; let it go on until bye",
    ),
    "illegal": FaultMeaning(
        "a well-formed answer with a move that was not offered",
        "play an option that is offered, spelled as in choice.options",
    ),
    "protocol": FaultMeaning(
        "not JSON, not the right shape, a wrong `id`, a second answer, a line that is too long, anything on "
        "stdout when nothing was asked",
        'answer each act with one line, {"id": ..., "move": ...}, and write nothing else to stdout',
    ),
    "memory": FaultMeaning(
        "more memory than `memory_mb`, in a match or between two; between two it costs the next one",
        "use less memory, all processes of the bot together",
    ),
    "limit": FaultMeaning(
        "too much CPU time, stderr, files or processes; the same holds of files and processes between two "
        "matches",
        "use less of what the fault names: hello tells the limits",
    ),
    "unreadable": FaultMeaning(
        "the bot said that its model had answered, and that no move was in it",
        "ask the model for one option alone, and read it wherever it stands in the answer",
    ),
    "truncated": FaultMeaning(
        "the bot said that the answer of its model was cut at a limit of its own",
        "let the model write more, or ask it to think less",
    ),
    "transport": FaultMeaning(
        "the bot said that its service did not answer, or its player was absent; the match is lost beyond "
        "`outage_s`, or when the client of a remote bot has lost its process",
        "see why the service did not answer; ask it for less at once, or for longer",
    ),
}
"""All kinds, in the order of the specification.  `check` gives more precise advice for some answers."""


def spec_table() -> str:
    """Return the table of all kinds for SPEC.md."""
    rows = [f"| `{kind}` | {meaning.sentence} |" for kind, meaning in FAULTS.items()]
    return "\n".join(["| kind | what happened |", "|---|---|", *rows, ""])


def explain(kind: str) -> FaultMeaning:
    """Return the meaning of *kind* as plain text; empty for a kind of another version of the ladder."""
    meaning = FAULTS.get(kind, FaultMeaning("", ""))
    return meaning._replace(sentence=meaning.sentence.replace("`", ""))
