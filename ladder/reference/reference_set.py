"""The set R1: which bots it has, how they did among each other, and whether its files are as released."""

from hashlib import blake2b, sha256
from pathlib import Path

import msgspec

from engines import GAMES
from ladder.errors import LadderError, NotFound, UsageProblem
from ladder.machine.installation import ROOT
from ladder.registry.bot_manifest import read_manifest
from ladder.registry.version import Version
from results.rating.reference_score import PairCounts, margins_of, misfit_a_pair

FOLDER = Path(ROOT, "bots", "reference", "r1")
RELEASED = "r1.sha256"
"""The file beside the folder with the hash of the set as it was released."""
ANCHOR = "greedy"
"""The bot whose rating is 25."""
SETTLED = 500
"""The fewest deals from which the ratings of a set are meant to stay."""
MISFIT = 3.0
"""Where chi-squared a pair of the set's own results is above this, its bots are on no one scale."""
NEW_DEALS = 10
"""The number of public deals of a measurement for each new one."""
PREFIX = "r1-"
"""What the names of the bots begin with where others play as well."""


class ReferenceGame(msgspec.Struct, frozen=True):
    """A game of the set."""

    version: int
    """That of its rules."""
    bots: tuple[str, ...]
    """Those that do little work, about from the weakest on."""
    more: tuple[str, ...]
    """Those that only --full plays against."""
    blocks: dict[int, tuple[int, int]]
    """By table size: the blocks against *bots*, and those that --full adds."""


class SetList(msgspec.Struct, frozen=True):
    """The file set.json."""

    name: str
    beta: float
    games: dict[str, ReferenceGame]


class Recorded(msgspec.Struct, frozen=True):
    """The results of the bots at one game and size among each other."""

    deals: int
    pairs: dict[str, tuple[int, int, int]]
    """By "one other": how often the first of two ranked before the other, tied with it, and ranked after."""
    ratings: dict[str, float]
    """What follows from that."""
    seconds: dict[str, float]
    """What a seat in a match costs, in seconds of CPU time of the machine that recorded it..."""
    pace: float
    """...on which a match of greedy bots among each other took this long."""


class ReferenceContest(msgspec.Struct, frozen=True):
    """What the set has for a game at one table size."""

    name: str
    """That of the set."""
    game: str
    seats: int
    little: tuple[str, ...]
    more: tuple[str, ...]
    blocks: tuple[int, int]
    recorded: Recorded
    beta: float

    @property
    def is_provisional(self) -> bool:
        """Whether the ratings of its bots come from so few deals that they will change."""
        return self.recorded.deals < SETTLED

    @property
    def has_scale(self) -> bool:
        """Whether its ratings foretell how its bots do against each other: else no number places a bot."""
        return misfit_a_pair(self._pairs, self.recorded.ratings, self.beta) <= MISFIT

    @property
    def margins(self) -> dict[str, float]:
        """Half of the 95 % intervals of the ratings of its bots, all but the anchor, in points."""
        return margins_of(self._pairs, self.recorded.ratings, ANCHOR, self.beta)

    @property
    def _pairs(self) -> PairCounts:
        return {(pair.split()[0], pair.split()[1]): counts for pair, counts in self.recorded.pairs.items()}

    @property
    def key(self) -> str:
        """GAME/SEATS, as it is quoted."""
        return f"{self.game}/{self.seats}"

    def count_blocks(self, *, full: bool, is_new: bool = False) -> tuple[int, int]:
        """Return how many blocks are played against those that do little work, and how many more if *full*.

        Of new deals it is a tenth, rounded up.
        """
        first, later = (-(-blocks // NEW_DEALS) for blocks in self.blocks) if is_new else self.blocks
        return first, later if full else 0

    def bots(self, *, full: bool) -> tuple[str, ...]:
        """Return the names of the bots that are played against."""
        return self.little + self.more if full else self.little

    def secret(self, drawn: bytes | None) -> bytes:
        """Return the secret of the deals: the public one of the set, or that of *drawn* deals."""
        # public deals are the same in every home, so that results with the same set are comparable
        text = f"{self.name}/{self.key}".encode()
        return blake2b(text, digest_size=16, key=drawn or b"", person=b"ladder reference").digest()


class ReferenceSet:
    """The set as it is on this disk."""

    def __init__(self, folder: Path) -> None:
        """Read the set in *folder*, whatever its hash is."""
        self.folder = folder
        self.listed = msgspec.json.decode((folder / "set.json").read_bytes(), type=SetList)
        results = (folder / "results.json").read_bytes()
        self._results = msgspec.json.decode(results, type=dict[str, Recorded])
        self.digest = digest_of(folder)
        """The hash of its files, as 64 hex digits."""

    @property
    def name(self) -> str:
        return self.listed.name

    def contest(self, game: str, seats: int) -> ReferenceContest:
        """Return what the set has for *game* at tables of *seats*.

        Raises NotFound for a game that it lacks, UsageProblem for another size, and LadderError for another
        version of the game.
        """
        of = self.listed.games.get(game)
        if of is None:
            raise NotFound(
                f"{self.name} has no bots for {game}: it is for {', '.join(self.listed.games)}",
                f"name another game with --game; or compare two bots: ladder duel NEW OLD --game {game}",
            )
        if seats not in of.blocks:
            sizes = ", ".join(map(str, of.blocks))
            raise UsageProblem(f"{game} is for {sizes} seats, but --seats asks for {seats}", "correct it")
        if GAMES[game].version != of.version:
            raise LadderError(
                f"{self.name} is for version {of.version} of {game}, and this ladder has"
                f" version {GAMES[game].version}",
                "use a release of the ladder with that version, or measure another game",
            )
        key, name, beta = f"{game}/{seats}", self.name, self.listed.beta
        return ReferenceContest(
            name, game, seats, of.bots, of.more, of.blocks[seats], self._results[key], beta
        )

    def copy_to(self, folder: Path) -> None:
        """Copy its files to *folder*, which is new, for every user to read.

        Bots do not play where the ladder is installed: a sandbox hides the folders around the bot's own, and
        Python itself may be there.  Raises LadderError if the files were changed meanwhile.
        """
        folder.mkdir(parents=True)
        for path in self.folder.iterdir():
            if path.is_file():
                (folder / path.name).write_bytes(path.read_bytes())
                (folder / path.name).chmod(0o644)
        folder.chmod(0o755)
        folder.parent.chmod(0o755)
        if digest_of(folder) != self.digest:
            raise LadderError("the files of the reference set were changed meanwhile", "type it again")

    def version(self, bot: str, folder: Path) -> Version:
        """Return *bot* as a version that plays in *folder*, a copy of the set, and was not submitted."""
        manifest = read_manifest(folder / f"{PREFIX}{bot}.toml", GAMES)
        return Version(manifest.name, self.name.lower(), str(folder.resolve()), manifest, house=True)


def digest_of(folder: Path) -> str:
    """Return the SHA-256 of the files in *folder*, by their names and bytes, as 64 hex digits."""
    found = sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        data = path.read_bytes()
        found.update(f"{path.name} {len(data)}\n".encode() + data)
    return found.hexdigest()


def load_set(folder: Path | None = None) -> ReferenceSet:
    """Return the set in *folder*, or R1.  Raises LadderError if its files are not as they were released."""
    folder = folder or FOLDER
    hint = "install the ladder again: pip install --force-reinstall and what you installed it from"
    try:
        expected, found = folder.with_name(RELEASED).read_text("ascii").strip(), digest_of(folder)
    except OSError as error:
        raise LadderError(f"the reference set cannot be read: {error}", hint) from None
    if expected != found:
        raise LadderError(
            f"the files of the reference set in {folder} were changed, so no result could be compared:"
            f" expected the hash {expected[:16]}, found {found[:16]}",
            hint,
        )
    return ReferenceSet(folder)
