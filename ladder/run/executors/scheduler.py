"""Reach the scheduler of a cluster, or start one with its workers: the client, and how more workers come."""

import logging
import socket
import ssl
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import dask
import msgspec
from distributed import Client, LocalCluster, Security

from ladder.errors import LadderError, UsageProblem
from ladder.run.executors.cluster_worker import versions
from ladder.run.executors.ssh_hosts import SshWorkers, read_hosts
from ladder.run.executors.tls_files import SentToWorker, TlsFiles, make_tls

SSH = "ssh"
"""`ssh:FILE` starts workers on the hosts in a file."""
SLURM = "slurm"
"""`slurm:N` submits N jobs to Slurm, each a worker."""
RUN_DAYS = 3_650
"""How long certificates of one run are valid, in days."""
AGAIN = "the same command continues the run"
"""How workers that the run has started come again."""
LOCAL = "local-cluster"
"""`local-cluster:N` is a cluster of N workers on this machine, for trials."""
SETTINGS = {
    "distributed.worker.daemon": False,
    "distributed.worker.preload": ["ladder.run.executors.cluster_worker"],
    "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical",
}
"""Settings of Dask workers: child processes are allowed, cluster_worker is preloaded, logs are off."""
ENDING = {"distributed.comm.timeouts.connect": "3s"}
"""Settings of workers that end with a run: if it was killed, they soon give up its scheduler."""
PATIENCE = 30
"""How long to wait for a scheduler, in seconds."""
REACH_SECONDS = 5.0
"""How long to wait for the port of a scheduler; Dask itself would retry without end."""
GREET_SECONDS = 15.0
"""How long to wait for its first byte; a scheduler that wants TLS sends none to a client without it."""
RETRY_SECONDS = 1.0
"""How often a worker looks for a scheduler that has not started."""
SOCKETS = ("tcp", "tls", "ws", "wss")
"""The kinds of addresses with a host and a port of TCP."""
LOCAL_HTTP = "127.0.0.1:0"
"""Where Dask's status pages are: it always has some, and other machines must not see them."""


class Cluster(NamedTuple):
    """A scheduler that answers."""

    name: str
    client: Client
    more: str
    """How more workers come."""
    check: Callable[[], None] = lambda: None
    """Tells of workers that could not be started; raises LadderError if none is left."""
    is_starting: bool = False
    """Whether workers were started that are on their way."""


@contextmanager
def open_cluster(where: str, tls: TlsFiles | None) -> Iterator[Cluster]:
    """Yield the cluster at *where* (`--on`), started and ended here unless it runs.  Raises LadderError."""
    kind, _, what = where.partition(":")
    if kind == LOCAL:
        with dask.config.set(SETTINGS), _local(int(what)) as cluster, cluster.get_client() as client:
            yield Cluster(where, client, AGAIN)
        return
    if kind == SSH:
        with _over_ssh(Path(what)) as opened:
            yield opened
        return
    if kind == SLURM:
        with _on_slurm(int(what)) as opened:
            yield opened
        return
    reach(where, tls)
    try:
        client = Client(where, timeout=PATIENCE, set_as_default=False, security=_security(where, tls))
    except (OSError, ValueError) as error:
        raise no_scheduler(where, str(error)) from None
    with client:
        yield Cluster(where, client, f"start some with: ladder worker {where}")


@contextmanager
def _over_ssh(path: Path) -> Iterator[Cluster]:
    """Start workers on the hosts in the file at *path*, for a scheduler that lets in no others."""
    hosts = read_hosts(path)
    tls = make_tls(RUN_DAYS)
    sent = msgspec.json.encode(SentToWorker(tls, versions()))
    with (
        _own_scheduler(tls.security()) as (client, port),
        closing(SshWorkers(hosts, port, sent)) as workers,  # before the scheduler is gone
    ):
        yield Cluster(f"{SSH}:{path}", client, AGAIN, workers.check, is_starting=True)


@contextmanager
def _on_slurm(count: int) -> Iterator[Cluster]:
    """Submit *count* jobs to Slurm."""
    from ladder.run.executors.slurm_jobs import slurm_jobs  # an extra of its own

    with slurm_jobs(count, make_tls(RUN_DAYS).security()) as jobs, jobs.cluster.get_client() as client:
        more = f"squeue --me lists its jobs; {AGAIN}"
        yield Cluster(f"{SLURM}:{count}", client, more, jobs.check, is_starting=True)


@contextmanager
def _own_scheduler(security: Security) -> Iterator[tuple[Client, int]]:
    """Yield a client of a new scheduler in this process that listens on all networks, and its port."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a machine without a route to the internet will do
        cluster = LocalCluster(
            n_workers=0,
            host="",
            protocol="tls://",
            security=security,
            dashboard_address=LOCAL_HTTP,
            silence_logs=logging.CRITICAL,
        )
    with cluster:
        port = int(cluster.scheduler.port)
        with Client(f"tls://127.0.0.1:{port}", security=security, set_as_default=False) as client:
            yield client, port


def reach(where: str, tls: TlsFiles | None) -> str:
    """Return the address of this machine from which it reaches the scheduler at *where*.

    Raises LadderError if nothing listens there, or if the two do not agree on TLS.
    """
    host, port = _split(where)
    try:
        with socket.create_connection((host, int(port)), REACH_SECONDS) as reached:
            own = str(reached.getsockname()[0])
            own = f"[{own}]" if ":" in own else own  # as Dask writes addresses of IPv6
            _greet(reached, where, tls)
    except (OSError, ValueError) as error:  # ValueError: the host's name is invalid
        raise no_scheduler(where, str(error)) from None
    return own


def await_scheduler(address: str, tls: TlsFiles | None) -> str:
    """Return what `reach` does; wait for a scheduler that has not started yet."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return reach(address, tls)
        except UsageProblem:
            raise
        except LadderError:
            if time.monotonic() > deadline:
                raise
        time.sleep(RETRY_SECONDS)


def no_scheduler(address: str, why: str) -> LadderError:
    """Return an error that says how to start a scheduler at *address*, where none answers."""
    host, port = _split(address)
    place = f"[{host}]" if ":" in host else host
    names = ("ca-file ", "ca"), ("cert ", "cert"), ("key ", "key")
    files = "".join(f" --tls-{option}FOLDER/{name}.pem" for option, name in names)
    secured, also = (files, " --tls FOLDER") if address.startswith("tls") else ("", "")
    return LadderError(
        f"no scheduler answers at {address}: {why}",
        f"start one there: dask scheduler --host {place} --port {port}{secured}; "
        f"then, where bots are to play: ladder worker {address}{also}",
    )


def _split(address: str) -> tuple[str, str]:
    """Return the host and the port of *address*."""
    host, _, port = address.partition("://")[2].rstrip("/").rpartition(":")
    return host.strip("[]"), port


def _security(where: str, tls: TlsFiles | None) -> Security:
    """Return *tls* as Dask takes it, or what its own settings say.  Raises UsageProblem if they lack it."""
    security = tls.security() if tls else Security()
    if where.startswith("tls") and not security.tls_client_cert:
        raise UsageProblem(
            f"{where} needs certificates", "--tls FOLDER, with the folder that `ladder tls FOLDER` has made"
        )
    return security


def _greet(reached: socket.socket, where: str, tls: TlsFiles | None) -> None:
    """Read the first byte of a scheduler, which it sends as soon as it trusts the connection."""
    if not where.startswith(("tcp", "tls")):
        return
    reached.settimeout(GREET_SECONDS)
    if where.startswith("tcp"):
        try:
            reached.recv(1)
        except TimeoutError:
            raise UsageProblem(
                f"the scheduler at {where} says nothing: it may want TLS",
                f"{where.replace('tcp', 'tls', 1)} --tls FOLDER, with the folder that it uses",
            ) from None
        return
    context = _security(where, tls).get_connection_args("client")["ssl_context"]
    try:
        with context.wrap_socket(reached) as secured:
            secured.recv(1)  # with TLS 1.3 the other side refuses a certificate only after the handshake
    except (ssl.SSLError, ConnectionResetError) as error:
        reason = getattr(error, "reason", None) or error
        if reason == "WRONG_VERSION_NUMBER":
            raise UsageProblem(
                f"the scheduler at {where} speaks no TLS", "start it with the lines of `ladder tls FOLDER`"
            ) from None
        raise UsageProblem(
            f"the scheduler at {where} and this machine do not trust each other: {reason}",
            "start both with the same files, which `ladder tls FOLDER` makes once",
        ) from None


def _local(workers: int) -> Any:
    try:
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=LOCAL_HTTP,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    except RuntimeError as error:  # also when Ctrl-C comes before its workers ignore it
        raise LadderError(
            f"the local cluster has not started: {error}", "run the same command again"
        ) from None
