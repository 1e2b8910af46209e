"""Examine this machine for the features that bots and the referee can use."""

import importlib.util
import os
import platform
import resource
import select
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engines.stellar import turns
from ladder.errors import TooBusy
from ladder.machine.build import read_build, warn_of_stray
from ladder.machine.cores import usable_cores
from ladder.machine.installation import ROOT
from ladder.machine.user_home import user_home
from ladder.process.tiers import REMAINS, Weakness, choose, try_tier
from ladder.referee import table
from ladder.sandbox import TIERS


class Diagnosis(NamedTuple):
    """The result of looking for one feature."""

    what: str
    ok: bool
    found: str


def examine() -> list[Diagnosis]:
    """Look for every feature that the ladder and the house bots can use."""
    cores = usable_cores()
    home = Path(ROOT)
    shadowed = [name for name in ("engines", "protocol", "results") if _folder_of(name) != home / name]
    return [
        Diagnosis(
            "system",
            hasattr(select, "poll"),
            f"{platform.system()} {platform.release()}, {platform.machine()}",
        ),
        Diagnosis("python", sys.version_info >= (3, 11), f"{platform.python_version()} at {sys.executable}"),
        Diagnosis("packages", not shadowed, f"shadowed: {', '.join(shadowed)}" if shadowed else str(home)),
        _diagnose_build(),
        Diagnosis("cores", True, f"{len(cores)}: workers by default"),
        _feature("pinning", hasattr(os, "sched_setaffinity"), "a worker and its bots can share a core"),
        _feature("exit notice", hasattr(os, "pidfd_open"), "a bot's end is seen at once (pidfd)"),
        _feature(
            "/proc", Path("/proc/self/stat").exists(), "bots are measured, and all that they start is ended"
        ),
        _feature("/dev/shm", os.access("/dev/shm", os.W_OK), "workers send what they log"),  # noqa: S108
        Diagnosis("home folder", True, str(user_home() or "none: ladder.toml cannot name files below ~")),
        _diagnose_limits(),
        _diagnose_encoding(),
        *_confinement(),
        _program("node", "bots in JavaScript"),
        _program("cc", "bots in C"),
    ]


def _diagnose_limits() -> Diagnosis:
    """Say which limits of this user's processes are lower than runs may need."""
    found = {
        flag: resource.getrlimit(kind)[1]
        for flag, kind, enough in (
            ("-v", resource.RLIMIT_AS, 1 << 30),
            ("-u", resource.RLIMIT_NPROC, 256),
            ("-n", resource.RLIMIT_NOFILE, 1024),
        )
        if -1 < resource.getrlimit(kind)[1] < enough
    }
    low = ", ".join(f"ulimit {flag} {most >> 10 if flag == '-v' else most}" for flag, most in found.items())
    return Diagnosis(
        "limits", not low, f"low: {low}; many bots at once may not start" if low else "none is low"
    )


def _diagnose_encoding() -> Diagnosis:
    name = sys.__stdout__.encoding if sys.__stdout__ else "utf-8"
    whole = name.lower().replace("-", "") == "utf8"
    return Diagnosis(
        "encoding", whole, name if whole else f"{name}: letters that it lacks are shown as \\u1234"
    )


def is_compiled() -> bool:
    """Return whether rules and referee are machine code in this process."""
    return not any(str(module.__file__).endswith(".py") for module in (table, turns))


def _diagnose_build() -> Diagnosis:
    build, fast = read_build(), is_compiled()
    if warning := warn_of_stray():
        return Diagnosis("compiled", False, f"{warning}; remove them")
    if fast != build.compiled:
        loaded = "machine code" if fast else "not"
        return Diagnosis("compiled", False, f"built {build.how}, but {loaded} is loaded")
    what = f"rules and referee: {build.how}"
    return Diagnosis("compiled", fast, what if fast else f"{what}; to compile: {build.hint}")


def _confinement() -> Iterator[Diagnosis]:
    """Try every tier, and report what it protects on this machine and what it does not."""
    found_of: dict[str, list[Weakness]] = {}
    for tier in TIERS:
        try:
            findings = found_of[tier] = try_tier(tier)
        except TooBusy as error:
            yield Diagnosis(f"tier {tier}", False, f"too busy to see: {error.reason}")
            continue
        failed = [f"{finding.what} ({finding.detail})" for finding in findings if not finding.protected]
        if tier == "none":
            found = "protections that hold: " + "; ".join(f.what for f in findings if f.protected)
        elif failed:
            found = "protections that fail: " + "; ".join(failed)
        else:
            found = f"all {len(findings)} protections hold; `ladder selftest` tries harder"
        yield Diagnosis(f"tier {tier}", not failed, found)
    by_looking = "the kernel limits each process; the sum, with pipes and sockets, is checked every 50 ms"
    yield Diagnosis("memory", sys.platform == "linux", f"{by_looking}; no cgroup is used")
    signs = "; ".join(f"under {tier} by {ways}" for tier, ways in REMAINS.items())
    yield Diagnosis("signs", True, f"two bots that cooperate can still pass signals: {signs}")
    if len(found_of) < len(TIERS):
        yield Diagnosis("sandbox", False, "too busy to see which tier a run would use")
        return
    choice = choose(examine=found_of.__getitem__)
    chosen = f"a run uses the tier {choice.tier}"
    yield Diagnosis("sandbox", choice.tier != "none", "; ".join([chosen, *choice.warning.splitlines()]))


def _folder_of(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).resolve().parent if spec and spec.origin else None


def _feature(what: str, there: bool, means: str) -> Diagnosis:
    return Diagnosis(what, there, means if there else f"not on this system; with it, {means}")


def _program(name: str, purpose: str) -> Diagnosis:
    path = shutil.which(name)
    return Diagnosis(
        name, bool(path), f"{purpose}: {path}" if path else f"not installed; it is for {purpose}"
    )
