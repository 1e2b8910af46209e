"""Workers as jobs of Slurm, which dask-jobqueue submits: one Dask worker in each.

What a job asks for comes from dask-jobqueue's own settings, `jobqueue.slurm` in ~/.config/dask.  The
scheduler runs beside the run.  Jobs get certificates made for this run alone, by files in a folder that
machines share.
"""

import logging
import shutil
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask
from distributed import Security

from ladder.errors import LadderError, printable, short
from ladder.machine.interrupts import kept_handler

with kept_handler(signal.SIGINT):  # dask-jobqueue takes it over when it is loaded
    from dask_jobqueue import SLURMCluster
    from dask_jobqueue.slurm import SLURMJob

MEMORY_GB = 2
"""What a job asks for, for each of its cores, where the settings do not say it."""
PROLOGUE = [
    "export DASK_DISTRIBUTED__WORKER__DAEMON=False",
    """export DASK_DISTRIBUTED__WORKER__PRELOAD='["ladder.run.executors.cluster_worker"]'""",
]
"""What scheduler.SETTINGS is for other workers."""
OPTIONS = ["--memory-limit", "0", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
"""Bots have limits of their own, and other machines must not see status pages."""
REFUSED = "0"
"""The number of a job that was refused: Slurm has none of it."""

log = logging.getLogger(__name__)


class SlurmJobs:
    """The jobs of a run."""

    def __init__(self, cluster: Any, count: int, refused: list[str]) -> None:
        """Watch *count* jobs of *cluster*; *refused* gets the reason why Slurm has refused one."""
        self.cluster = cluster
        self._count = count
        self._refused = refused
        self._told = 0

    def check(self) -> None:
        """Warn of jobs that Slurm has refused.  Raises LadderError if it has refused all."""
        refused = len(self._refused)
        if refused == self._count:
            raise LadderError(
                f"Slurm takes no job: {self._refused[-1]}",
                "mend jobqueue.slurm in ~/.config/dask/jobqueue.yaml: queue, account, walltime, memory",
            )
        if refused > self._told:
            log.warning("Slurm has refused %d of %d jobs: %s", refused, self._count, self._refused[-1])
            self._told = refused


def require_slurm() -> None:
    """Raise LadderError if jobs cannot be submitted here."""
    if not shutil.which("sbatch"):
        raise LadderError("there is no program `sbatch` here", "run this where you submit jobs of Slurm")


@contextmanager
def slurm_jobs(count: int, security: Security) -> Iterator[SlurmJobs]:
    """Submit *count* jobs for a new scheduler that asks for *security*; cancel them at the end."""
    refused: list[str] = []

    class Job(SLURMJob):  # type: ignore[misc]  # dask-jobqueue has no types
        """Keeps the reason why it was refused: Dask says nothing of it, and fails when it closes the job."""

        job_id: str | None

        async def _submit_job(self, script_filename: str) -> str:
            try:
                return str(await super()._submit_job(script_filename))
            except (OSError, RuntimeError) as error:
                refused.append(_read_reason(error))
                return REFUSED

        async def close(self) -> None:
            if self.job_id != REFUSED:
                await super().close()

    settings: dict[str, Any] = dask.config.get("jobqueue.slurm")
    cores = settings["cores"] or 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a machine without a route to the internet will do
        cluster = SLURMCluster(
            job_cls=Job,
            cores=cores,
            memory=settings["memory"] or f"{MEMORY_GB * cores}GB",
            processes=settings["processes"] or 1,
            security=security,
            silence_logs=logging.CRITICAL,
            job_script_prologue=[*PROLOGUE, *settings["job-script-prologue"]],
            worker_extra_args=[*settings["worker-extra-args"], *OPTIONS],
            scheduler_options={"dashboard_address": "127.0.0.1:0", **settings["scheduler-options"]},
            shared_temp_directory=settings["shared-temp-directory"] or str(Path.cwd()),
        )
    with cluster:
        cluster.scale(jobs=count)
        yield SlurmJobs(cluster, count, refused)


def _read_reason(error: Exception) -> str:
    """Return what `sbatch` said: dask-jobqueue puts all that it knows into its error."""
    said = str(error).partition("stderr:\n")[2].strip() or str(error)
    return short(printable(said.splitlines()[0]).removeprefix("sbatch: error: "), 300)
