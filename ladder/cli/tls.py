"""`ladder tls`: make certificates for a cluster."""

import shlex
from pathlib import Path
from typing import Annotated

from ladder.cli.options import note
from ladder.cli.worker import with_dask
from ladder.run.option import Argument, Option, whole


def tls(
    folder: Annotated[Path, Argument("The folder to write them to.", metavar="FOLDER")],
    days: Annotated[
        int, Option("How long they are valid, in days.", metavar="N", read=whole(1, 36_500), hidden=True)
    ] = 365,
) -> None:
    """Make certificates that let machines into a cluster.

    Copy the folder to each machine, over a safe channel such as scp: a machine that has it can run programs
    on all of them. Scheduler, workers and runs that use it refuse machines without it.

    Example: ladder tls tls
    """
    with with_dask():
        from ladder.run.executors.tls_files import write_tls

        write_tls(folder, days)
    where = shlex.quote(str(folder))
    options = f"--tls-ca-file {where}/ca.pem --tls-cert {where}/cert.pem --tls-key {where}/key.pem"
    toml = f'tls = "{folder.absolute()}"'
    note(
        f"made {folder}/ca.pem, cert.pem and key.pem, valid for {days:,} days; only you can read them",
        f"dask scheduler --host ADDRESS {options}\n"
        f"        ladder worker tls://ADDRESS:8786 --tls {where}\n"
        f"        write in ladder.toml, below [run]: {toml}; then: ladder run --on tls://ADDRESS:8786",
    )
