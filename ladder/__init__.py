"""The tournament runner: processes, clocks and the command line.  Each package imports only those above it.

errors, toml, seed, keys, logs, cores, pool, blocks, ranking, unexpected    what every room needs
spawner, sandbox, process    a bot as a process: started, confined, listened to, ended
registry, settings, home     the bots that were submitted; the directory that makes one ladder
referee, worker, executors   a table; a process that plays blocks; where such processes live
run, admission, replay, hostile    one `ladder run`; how a bot gets in; matches played again; hostile bots
benchmark, doctor, cli       what is measured; what a machine offers; what people type
"""

import os

__all__ = ["ROOT", "__version__"]

__version__ = "0.1.0"

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120  # spawners load no pathlib
"""The folder that holds the packages, and bots/."""
