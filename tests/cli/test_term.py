"""A small class goes through a whole term: `python tests/programs/term.py` does it with 60 students."""

import pytest
from programs.term import begin, go_through
from support.class_of_bots import languages_here


@pytest.mark.slow
@pytest.mark.timeout(1800)  # it types some forty commands, each of which a busy machine makes slow
def test_a_class_goes_through_a_term_with_every_answer_as_it_must_be(tmp_path):
    assert len(languages_here()) > 1
    term = begin(tmp_path, size=18, broken=9, games=40, seconds=60)
    go_through(term)
    assert "second night" in term.took
