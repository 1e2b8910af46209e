"""The tournament runner: processes, clocks and the command line.  Each package imports only those above it.

errors                       what users are told when something is wrong
learn                        environments for libraries that train bots; it imports only the engines
contest, machine             what is played: blocks, keys, ranks; this machine: cores, files, logs, the build
spawner, sandbox, process    start a bot as a process, confine it, read its lines, end it
games, registry, kits, home  rule options, new games; submitted bots; new bots; the folder of one ladder
pairing                      stages, pairings and brackets of an event, as pure functions of results
referee, worker              play one table; play blocks in a process
run, admission, replay       one `ladder run`; submit and check bots; replay matches
live                         one match that people follow or play in; bots that are asked again
reference                    what a bot is worth beside a frozen set of bots
web                          HTML pages: a folder of them to publish; live ones, with seats for people
api, dev, cli                the Python API; measure and attack the ladder itself; the command line

Objects, such as what learns, need a name and a version, because their source does not tell them apart:
ladder.play({"learner@1000": learner, "learner@2000": better}), or ladder.Bot(...) in a list.

From Python, bots can be functions, too (see protocol.client.serve for what they get and return):

    import ladder

    def first(act):
        return act.choice.options[0]

    def chance(act):
        return act.rng.choice(act.choice.options)

    run = ladder.play([first, chance], game="stellar", games=10, home="my-ladder")
    print(run.leaderboard("stellar").select(["rank", "bot", "score"]).to_pylist())
    print(run.matches(["number", "seats.bot", "seats.rank"]).to_pylist())
    print(ladder.open_home("my-ladder").matches().num_rows, "matches in all runs")
"""

from ladder.machine.installation import ROOT, __version__

TYPE_CHECKING = False  # typing's own would cost every spawner its loading
if TYPE_CHECKING:
    from ladder.api import Bot as Bot
    from ladder.api import PlayedRun as PlayedRun
    from ladder.api import open_home as open_home
    from ladder.api import play as play

__all__ = ["ROOT", "__version__"]


def __getattr__(name: str) -> object:
    """Load ladder.api when one of its names is asked for: workers and bots import this package as well."""
    if name in ("Bot", "PlayedRun", "open_home", "play"):
        from ladder import api

        return getattr(api, name)
    raise AttributeError(f"module 'ladder' has no attribute {name!r}")
