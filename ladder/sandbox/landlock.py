"""The tier `landlock`: files by the kernel's Landlock, the filter of system calls, a group that holds.

It needs no program and no privilege, but Landlock 3 (Linux 6.2): earlier ones let files be cut.  Before
Landlock 6 (Linux 6.12) a bot of the same user could send signals to the runner; the self-test tells.
What it leaves open: a bot can see whether a file is there and how large it is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ladder.sandbox import runtimes
from ladder.sandbox.plan import CannotConfine, Confined, Plan
from ladder.sandbox.seccomp import filter_of
from ladder.spawner.restrict import landlock_abi

__all__ = ["OLDEST", "apply", "rules"]

OLDEST = 3
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def apply(plan: Plan, confined: Confined, user: int | None, scratch: Path | None) -> None:
    """Make *plan* start *confined* under Landlock, as *user* if it is root who asks.  Raises CannotConfine.

    A build may change the modes of files, for linkers do; their owners and attributes, if it has a *user* of
    its own and so no files but its own.
    """
    version = landlock_abi() if sys.platform == "linux" else 0
    if version < OLDEST:
        raise CannotConfine(f"expected Landlock {OLDEST} or later (Linux 6.2), got: {version or 'none'}")
    try:
        building, own = confined.building, user is not None
        plan["filter"] = filter_of(
            modes=building, owners=building and own, network=confined.network, locks=building
        )
    except ValueError as error:
        raise CannotConfine(f"no filter of system calls: {error}") from None
    plan["user"] = user
    plan["files"] = list(rules(confined, scratch))
    if links := _link_packages():
        before = plan["environment"].get("PYTHONPATH")
        plan["environment"]["PYTHONPATH"] = os.pathsep.join([*([before] if before else []), str(links)])


def rules(confined: Confined, scratch: Path | None) -> Iterator[tuple[str, str]]:
    """Yield what Landlock is to allow, as the spawner takes it.  Raises CannotConfine."""
    shown = runtimes.programs(confined.arguments[0], confined.folder, confined.readable)
    for home in runtimes.exposed_home(confined.folder, shown):
        hint = "move it, or install bubblewrap"
        raise CannotConfine(f"the home {home} lies among what bots may read", hint)
    for path in (*runtimes.system(), *shown):
        yield "read", str(path)
    if confined.network:
        for name in runtimes.NETWORK:
            yield "read", name
    for name in DEVICES:
        yield "device", name
    yield "write" if confined.building else "read", str(confined.folder.absolute())
    if scratch:
        yield "write", str(scratch)


@cache
def _link_packages() -> Path | None:
    """Return a folder with links to engines and protocol, where Python could not import them otherwise.

    Python lists the folder that a package lies in, and the one with the sources of the ladder holds more
    than bots may see.  None where they are installed like other packages, or no link can be made.
    """
    packages = [runtimes.package_folder(name) for name in ("engines", "protocol")]
    if all(runtimes.is_within(package, [Path(sys.prefix), Path(sys.base_prefix)]) for package in packages):
        return None
    folder = Path(sys.prefix, "share", "botladder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for package in packages:
            link = folder / package.name
            if not link.is_symlink() or link.readlink() != package:
                new = folder / f".{package.name}-{os.getpid()}"
                new.symlink_to(package)
                new.replace(link)  # at once: other workers are looking for it
    except OSError:
        return None
    return folder
