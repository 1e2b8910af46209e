"""`ladder worker`: play matches for runs on other machines; clusters, and how fast they played."""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ladder.cli.options import note, settings_of
from ladder.errors import LadderError, short
from ladder.machine.cores import usable_cores
from ladder.machine.extras import install_line
from ladder.run.match_options import OWN_JOBS
from ladder.run.option import Argument, Option, Section, WrongOption, whole
from results.reports.document import Column, Divider
from results.words import count

if TYPE_CHECKING:
    from ladder.run.executors.base import WorkerSpeed


PROCESSES = replace(OWN_JOBS, help="How many processes play.", read=whole(1, 4096))
SENT = Path("-")
"""As a folder with certificates: they come on stdin, from `ladder run --on ssh:FILE`."""
SLOWEST, FASTEST = 10, 5
"""How many workers are shown, if there are more than both together."""
SCHEDULER = r"(?:tcp|tls|ws|wss|ucx)://(?:[^\s:/\[\]@]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})/?"
"""An address as Dask takes it; the group is its port."""


def _read_place(text: str) -> str:
    """Return *text* if it names a cluster, as `ladder run --on` takes it.  Raises ValueError."""
    if re.fullmatch(r"(local-cluster|slurm):[1-9][0-9]{0,3}|ssh:.+", text) or _is_scheduler(text):
        return text
    raise ValueError(f"expected tcp://HOST:PORT, ssh:FILE, slurm:N or local-cluster:N, got: {short(text)!r}")


ON = Option(
    "Play on other machines: tcp:// or tls://HOST:PORT of a scheduler, ssh:FILE with a host in each line, "
    "slurm:N for N jobs; local-cluster:N to try it.",
    metavar="CLUSTER",
    default="this machine",
    read=_read_place,
    section=Section.WORKERS,
)


def check_cluster(on: str | None, jobs: int | None) -> None:
    """Raise WrongOption unless --on goes with what is said of workers here."""
    if on and jobs:
        raise WrongOption("--on", "--jobs is for workers of this machine")


def prepare_cluster(on: str | None, home: Path | None) -> Path | None:
    """Return the folder with the certificates for the cluster, if it needs any: *home* has its name.

    A cluster that cannot be used is refused before anything is made or stored.  Raises LadderError.
    """
    if not on:
        return None
    from ladder.home.home import find_home

    named = settings_of(home).run.tls if on.startswith("tls://") else None
    tls = None if named is None else find_home(home) / named
    with with_dask():
        from ladder.run.executors.cluster import prepare

        prepare(on, tls)
    return tls


def _scheduler(text: str) -> str:
    if not _is_scheduler(text):
        raise ValueError(f"expected tcp://HOST:PORT, got: {short(text)!r}")
    return text


def _is_scheduler(text: str) -> bool:
    found = re.fullmatch(SCHEDULER, text)
    return found is not None and 0 < int(found[1]) < 2**16


@contextmanager
def with_dask() -> Iterator[None]:
    """Say what to type if Dask is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name == "dask_jobqueue":
            raise LadderError(
                "jobs of Slurm need dask-jobqueue, and it is not installed", install_line("slurm")
            ) from None
        # any other module that is missing is no matter of what was installed
        if error.name not in ("cryptography", "dask", "distributed"):
            raise
        raise LadderError(
            f"clusters need Dask, but there is no module {error.name!r}", install_line("dask")
        ) from None


def worker(
    address: Annotated[
        str, Argument("Address of the scheduler: tcp://HOST:PORT.", metavar="ADDRESS", read=_scheduler)
    ],
    jobs: Annotated[int | None, PROCESSES] = None,
    tls: Annotated[
        Path | None,
        Option("Certificates for tls://: the folder that `ladder tls FOLDER` has made.", metavar="FOLDER"),
    ] = None,
) -> None:
    """Play matches for runs on other machines.

    The scheduler is Dask's: start it with `dask scheduler --host HOST`, where HOST is its address. Without
    --host it listens on all networks, and any machine that reaches it can run programs as you.
    `ladder run --on ADDRESS` sends it matches. The worker ends on Ctrl-C or when the scheduler ends.

    Example: ladder worker tcp://192.168.0.1:8786
    """
    with with_dask():
        from ladder.run.executors.cluster import serve
        from ladder.run.executors.cluster_worker import check_versions
        from ladder.run.executors.tls_files import read_sent, read_tls
    jobs = jobs or len(usable_cores())
    if tls == SENT:
        # a worker that ssh has started serves the run that started it, and ends with it
        sent = read_sent(sys.stdin.fileno())
        check_versions(sent.versions)
        serve(address, jobs, sent.tls, for_one_run=True)
        return
    files = read_tls(tls) if tls else None
    note(f"{count(jobs, 'process')} for {address}; stop with Ctrl-C")
    serve(address, jobs, files)


def say_speeds(workers: "Sequence[WorkerSpeed]") -> None:
    """Print how fast *workers*, the slowest first, have played."""
    from results.reports.render import render

    shown, dividers = [*workers], list[Divider]()
    if (more := len(workers) - SLOWEST - FASTEST) > 0:
        shown = [*workers[:SLOWEST], *workers[-FASTEST:]]
        dividers = [Divider(SLOWEST, f"   and {more:,} more")]
    columns = [
        Column("host", "host"),
        Column("worker", "worker"),
        Column("processes", "processes", right=True),
        Column("matches", "matches", lambda count: f"{count:,}", right=True),
        Column("per_s", "matches/s", lambda speed: f"{speed:,.1f}", right=True),
        Column("from_mean", "from the mean", lambda part: f"{100 * part:+.0f} %", right=True, always=False),
        Column("delayed", "delayed", lambda count: f"{count:,}", right=True),
    ]
    rows = [worker._asdict() for worker in shown]
    table = render(rows, columns, "table", dividers)
    note(f"workers, slowest first:\n{table.rstrip()}")
