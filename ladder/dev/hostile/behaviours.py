"""B01 to B59: misdeeds of bots besides answering, and the expected results.

B54 and B55 are about the runner, not about a bot: tests/ladder/run/test_kills.py.  B60 to B63 need a busy
core: ladder/dev/hostile/delays.py.
"""

from collections.abc import Sequence
from statistics import median

from ladder.dev.hostile.case import CONFINING, OK, QUICK, Case, sinner
from protocol.messages import Limits
from results import record

MEMORY_MB = 64
SMALL = Limits(start_ms=10_000, move_ms=4_000, bank_ms=0, memory_mb=MEMORY_MB, processes=16)
"""For bots that exceed a limit: it should cost the machine little."""
TERSE = Limits(start_ms=10_000, move_ms=4_000, bank_ms=0, stderr_bytes=2**20)
SLOW = Limits(start_ms=10_000, move_ms=100, bank_ms=500)
"""For a time bank that runs out over several decisions."""
BANKED = Limits(start_ms=10_000, move_ms=100, bank_ms=8_000)
GRANTED = {"memory_mb": MEMORY_MB}
UNREAD = {"padding": "x" * 200_000}
"""A config that makes hello longer than a pipe holds."""

Matches = Sequence[record.Match]


def _answer_before_the_exit_counts(sinned: Matches, clean: Matches) -> str:
    found = {sinner(match).decisions for match in sinned}
    return "" if found == {2} else f"expected 2 answers to count, found {found}"


def _late_answer_is_recorded(sinned: Matches, clean: Matches) -> str:
    longest = [max(sinner(match).think_us) // 1000 for match in sinned]
    # it sleeps 300 ms from its read, which may be before the clock starts
    return "" if min(longest) >= 250 else f"expected a decision of 300 ms in the record, found {longest}"


def _surroundings_are_the_same(sinned: Matches, clean: Matches) -> str:
    """Compare the notes of all matches, in both seats and lanes."""
    notes = {note.text for match in (*sinned, *clean) for note in sinner(match).notes}
    if len(notes) == 1:
        return ""
    differing = sorted({word for note in notes for word in note.split()})
    names = sorted({word.partition("=")[0] for word in differing})
    # a word that only some notes have is left out: it has no other value to differ from
    several = [name for name in names if sum(word.startswith(f"{name}=") for word in differing) > 1]
    return f"differs from match to match: {', '.join(several) or 'nothing was noted'}"


def _spinning_is_no_way_out(sinned: Matches, clean: Matches) -> str:
    """Ask for a match that it lost by spinning, and for none that was played again."""
    if all(sinner(match).fault is None for match in sinned):
        return "it has not spun, because it was never losing"
    again = [match.number for match in sinned if match.attempt]
    return f"played again: {again}" if again else ""


def _ponderer_is_frozen(sinned: Matches, clean: Matches) -> str:
    """Compare the CPU time used outside the bot's turns in the first match with that of later ones.

    A bot is stopped after two matches at the earliest.  The worker must wake up between an answer and the
    stop, and may be late on a busy machine: hence the median, and an opponent that thinks much longer.
    """
    first, *later = (sum(int(note.text) for note in sinner(match).notes) for match in (*sinned, *clean))
    frozen = median(later) < first / 2
    return "" if frozen else f"CPU on others' time: {first} ms in the first match, then {later}"


BEHAVIOURS: tuple[Case, ...] = (
    Case("B01", "exits with status 0", ("crash",), "exits_0", statuses=(0,)),
    Case("B01b", "exits with status 3", ("crash",), "exits_3", statuses=(3,), short=True),
    Case("B01c", "ends in a traceback", ("crash",), "raises", statuses=(1,)),
    Case("B01d", "exits before it is ready", ("start",), "exits_at_start", statuses=(3,), always=True),
    Case("B02", "segmentation fault", ("crash",), "segfaults", statuses=(-11, 139)),
    Case("B02b", "aborts", ("crash",), "aborts", statuses=(-6, 134)),
    Case("B02c", "kills itself", ("crash",), "kills_itself", statuses=(-9, 137), short=True),
    Case("B03", "a program that does not exist", ("start",), "manners", run=("./nothing",), always=True),
    Case(
        "B03b", "a program that is not executable", ("start",), "manners", run=("./manners.py",), always=True
    ),
    Case("B03c", "a bad shebang", ("start",), "manners", run=("./has_a_bad_shebang",), always=True),
    Case("B04", "never answers", ("timeout",), "silent", limits=QUICK, short=True),
    Case("B05", "computes without end", ("timeout",), "spins", limits=QUICK),
    Case("B06", "stops itself", ("timeout",), "stops_itself", limits=QUICK, short=True),
    Case("B07", "ignores SIGTERM, SIGHUP and bye", (OK,), "ignores_sigterm_and_bye"),
    Case("B08", "never reads its requests", ("timeout",), "deaf", limits=QUICK),
    Case(
        "B08b", "leaves 200 KB unread", ("timeout",), "deaf_from_the_start", UNREAD, limits=QUICK, always=True
    ),
    Case("B09", "answers without reading", ("protocol",), "answers_without_reading"),
    Case("B10", "closes stdin, answers blindly", ("protocol",), "closes_stdin"),
    Case("B11", "closes stdout, keeps running", ("timeout",), "closes_stdout", limits=QUICK),
    Case("B12", "closes stderr, plays", (OK,), "closes_stderr"),
    Case("B13", "floods stdout, no newline", ("protocol",), "floods_stdout"),
    Case("B14", "floods stdout with lines", ("protocol",), "floods_lines", short=True),
    Case("B15", "64 MB on stderr", ("limit",), "floods_stderr", limits=TERSE, short=True),
    Case("B15b", "too much on stderr, bit by bit", ("limit",), "mutters", limits=TERSE),
    Case("B16", "300 KB on stderr, plays", (OK,), "writes_much_to_stderr"),
    Case("B17", "two answers in one write", ("protocol",), "answers_twice"),
    Case("B18", "answers the next turn early", ("protocol",), "answers_the_next_early"),
    Case("B19", "an answer without its newline", ("timeout",), "forgets_the_newline", limits=QUICK),
    Case("B20", "one byte now and then", ("timeout",), "drips", limits=QUICK),
    Case(
        "B21",
        "late, but its bank pays",
        (OK,),
        "thinks",
        {"ms": 300, "steps": [0]},
        limits=BANKED,
        check=_late_answer_is_recorded,
    ),
    Case("B21b", "later than its bank can pay", ("timeout",), "thinks", {"ms": 2_000}, limits=QUICK),
    Case(
        "B22",
        "answers, then exits",
        ("crash",),
        "answers_then_exits",
        statuses=(7,),
        check=_answer_before_the_exit_counts,
    ),
    Case("B23", "a banner before it is ready", ("start",), "prints_a_banner", always=True),
    Case("B23b", "a log line before its answer", ("protocol",), "talks_on_stdout"),
    Case("B24", "random bytes", ("protocol",), "writes_noise"),
    Case("B24b", "100 NULs", ("protocol",), "writes_noise", {"zeros": 100}),
    Case("B25", "leaves a daemon, exits", ("crash",), "leaves_a_daemon", short=True),
    Case("B26", "leaves a child on stdout, exits", ("crash",), "leaves_a_child_on_stdout", short=True),
    Case("B27", "a child answers after its exit", ("crash",), "lets_a_child_answer"),
    Case("B28", "200 children", (OK, "limit", "memory"), "forks_much", limits=SMALL, short=True),
    Case("B29", "300 threads", (OK, "limit"), "threads_much", limits=SMALL),
    Case(
        "B30", "four times its memory", ("memory", "crash"), "hogs_memory", GRANTED, limits=SMALL, short=True
    ),
    Case(
        "B31",
        "twice its memory, in 8 children",
        ("memory",),
        "hogs_memory_with_children",
        GRANTED,
        limits=SMALL,
        short=True,
    ),
    Case("B32", "four times its memory, shared", (OK, "memory"), "hogs_shared_memory", GRANTED, limits=SMALL),
    Case(
        "B32b",
        "twice its memory, in socket pairs",
        ("memory",),
        "hogs_pipes",
        {"mb": 2 * MEMORY_MB, "processes": 8},
        limits=SMALL,
        reason="pipes and sockets",
    ),
    Case("B33", "fills every folder", (OK,), "writes_everywhere", tiers=CONFINING),
    Case("B34", "thousands of tiny files", (OK,), "makes_many_files", tiers=CONFINING),
    Case(
        "B34a",
        "30,000 tiny files in scratch",
        ("limit",),
        "makes_many_files",
        {"files": 30_000},
        scratch_mb=64,
        tiers=("bwrap",),
        reason="files in its scratch space, of 10,000",
    ),
    Case("B34b", "128 MiB of page tables", (OK, "memory"), "touches_page_tables", limits=SMALL),
    Case("B35", "kills all it can", (OK,), "kills_everybody", tiers=CONFINING, short=True),
    Case("B36", "signals, traces and reads others", (OK,), "spies_on_others", tiers=CONFINING, short=True),
    Case("B37", "reads /proc", (OK,), "reads_proc", tiers=CONFINING, short=True),
    Case("B38", "looks around", (OK,), "looks_around", check=_surroundings_are_the_same, short=True),
    Case("B39", "opens sockets", (OK,), "opens_sockets", tiers=CONFINING, short=True),
    Case("B40", "leaves signs for another bot", (OK,), "passes_signs", tiers=CONFINING),
    Case(
        "B40b",
        "passes bits by the page cache",
        (OK,),
        "passes_bits",
        opponent="passes_bits",
        opponent_config={"role": "sender"},
        tiers=CONFINING,
    ),
    Case("B41", "seeks privileges", (OK,), "seeks_privileges", tiers=CONFINING),
    Case("B42", "namespaces, mounts, io_uring, bpf", (OK,), "opens_namespaces", tiers=CONFINING),
    Case(
        "B43",
        "computes while others decide",
        (OK,),
        "ponders",
        opponent="thinks",
        opponent_config={"ms": 150, "steps": list(range(1, 17))},
        check=_ponderer_is_frozen,
    ),
    Case("B44", "its bank runs out bit by bit", ("timeout",), "thinks", {"ms": 300}, limits=SLOW),
    Case("B45", "starts slowly, plays", (OK,), "starts_slowly", limits=QUICK),
    Case("B46", "dumps core", ("crash",), "dumps_core", statuses=(-6, 134)),
    Case("B47", "leaves files for its next match", (OK,), "leaves_files", tiers=CONFINING, short=True),
    Case("B48", "links, pipes, devices, long names", (OK,), "makes_strange_files", tiers=CONFINING),
    Case("B49", "calls itself bwrap", (OK,), "takes_another_name"),
    Case(
        "B50",
        "both fail in the same step",
        ("protocol",),
        "answers_the_first_twice",
        opponent="answers_the_first_twice",
        opponent_expected="protocol",
    ),
    Case(
        "B51",
        "cannot be started",
        ("start",),
        "exits_at_start",
        opponent="never_ends_its_ready",
        opponent_expected="start",
        always=True,
    ),
    Case("B52", "raises its priority", (OK,), "raises_its_priority", tiers=CONFINING),
    Case(
        "B53",
        "exits while it is written to",
        ("crash",),
        "exits_while_written_to",
        UNREAD,
        statuses=(5,),
        always=True,
    ),
    # time that a bot takes from itself, or gives away, is not the machine's doing
    Case("B56", "computes with many processes", ("timeout",), "crowds_the_core", limits=QUICK, short=True),
    Case("B57", "its short-lived children take the core", ("timeout",), "spends_unheard", limits=QUICK),
    Case(
        "B58",
        "waits behind a confederate",
        ("timeout",),
        "waits_behind_others",
        limits=QUICK,
        opponent="ponders",
        opponent_config={"ms": 100},
    ),
    Case(
        "B59",
        "computes without end when it is losing",
        (OK, "timeout"),
        "spins_when_losing",
        limits=QUICK,
        check=_spinning_is_no_way_out,
    ),
)
