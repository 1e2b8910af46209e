"""Disks for tests: without syncs, failing after a number of calls, or observed after each call."""

from results.storage.disk import Disk


class NoSyncDisk(Disk):
    """A disk that skips syncs, as if the power never failed."""

    def fsync(self, handle):
        pass

    def sync_dir(self, path):
        pass


class FailingDisk(NoSyncDisk):
    """A disk that fails after *calls* writing calls; with *halves*, an append that fails writes half."""

    def __init__(self, calls, halves=False):
        self.left, self.halves, self.torn = calls, halves, False

    def _call(self, name, *args):
        self.left -= 1
        if self.left >= 0:
            return getattr(NoSyncDisk, name)(self, *args)
        if self.left == -1 and self.halves and name == "append":
            Disk.append(self, args[0], args[1][: len(args[1]) // 2])
            self.torn = True
        raise OSError(5, "Input/output error")


WRITING = [
    "make_dir",
    "create",
    "open",
    "append",
    "fsync",
    "sync_dir",
    "rename",
    "link",
    "unlink",
    "truncate",
]
for _name in WRITING:
    setattr(FailingDisk, _name, lambda self, *args, _name=_name: self._call(_name, *args))


class WatchedDisk(NoSyncDisk):
    """A disk that reads the results after each of its calls."""

    def __init__(self, look):
        self.look = look


for _name in WRITING:

    def _watched(self, *args, _name=_name):
        returned = getattr(NoSyncDisk, _name)(self, *args)
        self.look()
        return returned

    setattr(WatchedDisk, _name, _watched)
