"""The tier `landlock`: files by the kernel's Landlock, the filter of system calls, a fixed process group.

It needs no program and no privilege, only Landlock 3 (Linux 6.2), because earlier versions allow a bot to
truncate files.  Before Landlock 6 (Linux 6.12) a bot of the same user could send signals to the runner; the
self-test shows that.  A bot can still see whether a file exists and how large it is.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ladder.sandbox import runtimes
from ladder.sandbox.plan import CannotConfine, Confined, Plan
from ladder.sandbox.seccomp import filter_of
from ladder.spawner.restrict import landlock_abi

OLDEST = 3
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def apply(plan: Plan, confined: Confined, user: int | None, scratch: Path | None) -> None:
    """Make *plan* start *confined* under Landlock, as *user* if root runs the ladder.  Raises CannotConfine.

    A build may change the modes of files, because linkers do.  It may change owners and attributes if it has
    a *user* of its own, which owns no other files.
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
    """Yield the rules for Landlock in the form that the spawner expects.  Raises CannotConfine."""
    shown = runtimes.programs(confined.arguments[0], confined.folder, confined.readable)
    for home in runtimes.exposed_home(confined.folder, shown):
        hint = "move it, or install bubblewrap"
        raise CannotConfine(f"the home {home} lies among what bots may read", hint)
    for path in (*runtimes.system(), *(runtimes.settings() if confined.building else ()), *shown):
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
    """Return a folder with links to what bots import of the ladder, if Python could not find it otherwise.

    Python lists the folder that contains a package, and the ladder's source folder holds more than bots may
    see.  Return None if all is installed like other packages, or if no link can be made.
    """
    paths = runtimes.ladder_paths()
    if all(runtimes.is_within(path, [Path(sys.prefix), Path(sys.base_prefix)]) for path in paths):
        return None
    # One environment may run several source trees, each with links of its own.
    tree = hashlib.sha256(os.fsencode(os.pathsep.join(map(str, paths)))).hexdigest()[:16]
    folder = Path(sys.prefix, "share", "botladder", tree)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            link = folder / path.name
            if not link.is_symlink() or link.readlink() != path:
                new = folder / f".{path.name}-{os.getpid()}"
                new.symlink_to(path)
                new.replace(link)  # atomically, because other workers use it
    except OSError:
        return None
    return folder
