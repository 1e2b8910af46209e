"""Derive every random choice of a run from its secret, through a keyed hash."""

import secrets
from hashlib import blake2b
from random import Random


def draw_secret() -> bytes:
    """Return 128 random bits, the secret of a new run."""
    return secrets.token_bytes(16)


def secret_of_seed(seed: int) -> bytes:
    """Return the secret for a numeric `--seed`.  Anyone who knows the seed can compute every deal."""
    return blake2b(str(seed).encode(), digest_size=16, person=b"ladder --seed").digest()


def secret_of_text(text: str) -> bytes:
    """Return the secret for a `--seed` that is a text, which must be hard to guess."""
    data = text.encode("utf-8", "surrogateescape")
    return blake2b(data, digest_size=16, person=b"ladder seed text").digest()


def deal_rng(seed: bytes) -> Random:
    """Return the generator for a deal; *seed* is from Keys.deal."""
    return Random(int.from_bytes(seed, "big"))


class Keys:
    """Keyed names and seeds of one run.

    Each is BLAKE2b (RFC 7693), keyed with the run's secret.  It takes a third of the time of an HMAC, and
    every decision needs one.  Some of them reveal nothing about the others: a bot that knows its seed does
    not know the deal.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def __reduce__(self) -> "tuple[type[Keys], tuple[bytes]]":
        """Return what pickle calls.  Else it calls the class without a secret, if that is compiled."""
        return Keys, (self._secret,)

    def deal(self, block: int) -> bytes:
        """Return 256 bits: the seed of block *block*'s deal."""
        return self._hash(b"deal/%d" % block, 32)

    def bot(self, match: int, seat: int) -> int:
        """Return the seed for a bot's own randomness, below 2^53 so that JavaScript can hold it."""
        return int.from_bytes(self._hash(b"bot/%d/%d" % (match, seat), 8), "big") >> 11

    def name(self, match: int, seat: int) -> str:
        """Return the name of the match for the bot in *seat*: 16 hex digits."""
        return self._hash(b"name/%d/%d" % (match, seat), 8).hex()

    def decisions(self, match: int, seat: int, steps: int, again: int = 0) -> list[str]:
        """Return the ids of eight decisions, from step 8 * *steps* on: 16 hex digits each.

        *again* counts how often a decision was repeated; each repetition has another id.
        """
        ids = self._hash(b"id/%d/%d/%d/%d" % (match, seat, steps, again), 64).hex()
        return [ids[i : i + 16] for i in range(0, 128, 16)]

    def order(self, match: int, step: int, seats: int) -> list[int]:
        """Return a random order of *seats* seats, for a step that asks them one after another."""
        drawn = int.from_bytes(self._hash(b"order/%d/%d" % (match, step), 8), "big")
        left, order = list(range(seats)), []
        while left:
            drawn, index = divmod(drawn, len(left))
            order.append(left.pop(index))
        return order

    def substitute(self, match: int, seat: int, step: int) -> Random:
        """Return the generator for the referee's move in place of a seat that has faulted."""
        return Random(self._hash(b"substitute/%d/%d/%d" % (match, seat, step), 32))

    def schedule(self, contest: str, epoch: int) -> Random:
        """Return the generator for the seatings of one epoch of a contest."""
        return Random(self._hash(b"schedule/%s/%d" % (contest.encode(), epoch), 32))

    def duel(self, block: int) -> Random:
        """Return the generator for the order of the bots at the table of a block of a duel."""
        return Random(self._hash(b"duel/%d" % block, 32))

    def luck(self, match: int) -> Random:
        """Return the generator for the estimate of the luck of a match."""
        return Random(self._hash(b"luck/%d" % match, 32))

    def _hash(self, message: bytes, size: int) -> bytes:
        return blake2b(message, digest_size=size, key=self._secret).digest()
