"""Whether exported decisions are enough to learn from: greedy is cloned by a linear softmax.

A sample of matches; with LADDER_TRUTH=full 3,000, in which it takes 70 % of its unforced decisions.
"""

import pyarrow.parquet as pq
import pytest
from support.decisions import a_greedy_home, contents_of
from support.need import need
from support.worlds import scale_count

from ladder.replay.decision_export import DecisionExport

pytestmark = [pytest.mark.slow, pytest.mark.tools]
GAME, SEATS = "stella-quest", 2
AGREE = scale_count(0.65, 0.7)


def fit(np, features, legal, chosen, epochs, rng):
    """Return the weights of a softmax over the *legal* moves: minibatches, Adam."""
    weights = np.zeros((features.shape[1], legal.shape[1]), np.float32)
    first, second, step = np.zeros_like(weights), np.zeros_like(weights), 0
    for epoch in range(epochs):
        for batch in np.array_split(rng.permutation(len(features)), max(1, len(features) // 256)):
            step += 1
            shares = np.exp(np.where(legal[batch], features[batch] @ weights, -30))
            shares /= shares.sum(1, keepdims=True)
            shares[np.arange(len(batch)), chosen[batch]] -= 1
            slope = features[batch].T @ shares / len(batch) + 1e-5 * weights
            first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
            rate = 0.01 * (1 - epoch / epochs)
            weights -= rate * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights


def test_a_linear_softmax_clones_greedy_from_an_export(tmp_path):
    np = need("numpy")
    from ladder.learn import Encoder

    home = a_greedy_home(tmp_path / "home", GAME, SEATS, scale_count(400, 3_000))
    path = tmp_path / "x.parquet"
    DecisionExport(contents_of(home), None, GAME, SEATS, numbers=True).to_file(path, 1)
    table = pq.read_table(str(path), filters=[("forced", "=", False)])
    words = 1 + max(map(max, table["legal"].to_pylist()))
    features = Encoder(GAME, SEATS)(np.array(table["numbers"].to_pylist()))
    legal = np.zeros((len(table), words), bool)
    for row, places in enumerate(table["legal"].to_pylist()):
        legal[row, places] = True
    chosen = np.array([place for (place,) in table["move"].to_pylist()])
    held = np.array(table["block"].to_pylist()) % 5 == 0  # by block, never by row
    weights = fit(np, features[~held], legal[~held], chosen[~held], 8, np.random.default_rng(1))
    guessed = np.where(legal[held], features[held] @ weights, -np.inf).argmax(1)
    agree = (guessed == chosen[held]).mean()
    print(f"{agree:.1%} of {held.sum():,} held-out decisions, from {(~held).sum():,}")
    assert agree >= AGREE
