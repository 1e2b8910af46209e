"""Break deals and invent answers, for tests of what games refuse."""

import copy
import json

import pytest
from hypothesis import strategies as st

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1, 100)
    | st.floats(allow_nan=False)
    | st.text(max_size=4)
    | st.sampled_from(["c99", "P1.3", "0", "\x1b[2J", "x" * 10_000]),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(st.none() | st.integers(0, 9) | st.text(max_size=4), inside, max_size=3)
    ),
    max_leaves=6,
)
"""Values that belong in no deal and no answer: JSON, and mappings whose keys are not strings."""


@st.composite
def break_deal(draw, deal):
    """Return *deal* with one or two changes anywhere in it, or a value that is no deal at all.

    A part is replaced by junk or by another part of the same list or object, removed, or one is added.
    """
    if draw(st.integers(0, 19)) == 0:
        return draw(JUNK)
    changed = copy.deepcopy(deal)
    for _ in range(draw(st.integers(1, 2))):
        holder = draw(st.sampled_from([changed, *_holders(changed)]))
        key = draw(st.sampled_from([*holder] if isinstance(holder, dict) else range(len(holder))))
        what = draw(st.sampled_from(["junk", "another", "missing", "more"]))
        other = draw(st.sampled_from([*(holder.values() if isinstance(holder, dict) else holder)]))
        if what == "missing":
            del holder[key]
        elif what == "more" and isinstance(holder, dict):
            holder[draw(st.none() | st.text(max_size=4))] = draw(JUNK)
        elif what == "more":
            holder.insert(key, draw(JUNK))
        else:
            holder[key] = copy.deepcopy(other) if what == "another" else draw(JUNK)
    return changed


def _holders(value):
    """Return all lists and objects inside *value* that are not empty."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = [part for part in inside if isinstance(part, (dict, list)) and part]
    return [*found, *(deeper for part in found for deeper in _holders(part))]


def check_refused_or_playable(game, deal, seats):
    """Assert that *deal* is refused in one short line or can be played, and that it is not changed."""
    before, refusal = copy.deepcopy(deal), None
    try:
        state, _ = game.start(deal, seats)
    except ValueError as error:
        refusal = error
    assert before == deal
    if refusal:
        check_told_well(refusal)
    else:
        for seat in (0, None):
            assert game.text(json.loads(json.dumps(game.view(state, seat))))


def check_started_or_refused(game, deal, seats, *, starts):
    """Assert that *deal* is started from, or refused in one short line, and that it is not changed."""
    before = copy.deepcopy(deal)
    if starts:
        game.start(deal, seats)
    else:
        with pytest.raises(ValueError, match="expected") as refusal:
            game.start(deal, seats)
        check_told_well(refusal.value)
    assert before == deal


def check_told_well(error):
    """Assert that *error* gives its reason in one short line."""
    assert str(error).isprintable()
    assert 10 < len(str(error)) < 300
