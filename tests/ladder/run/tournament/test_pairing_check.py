"""A tournament that was changed by hand is found out, however well its files are written."""

import shutil
from contextlib import nullcontext

import msgspec
import pytest
from support import ladders
from support.command_line import run_here
from support.here import HERE
from support.stored_events import store_event

from ladder.home.home import open_home
from ladder.run.run_options import RunOptions
from ladder.run.session import Admission, play
from ladder.run.tournament.pairing_check import check_pairings
from ladder.run.tournament.stored_tournaments import find_tournament
from ladder.run.tournament.tournament_request import TournamentRequest
from ladder.run.tournament.tournament_session import AskedTournament, new_tournament
from results.record import TournamentTerms, encode_block

FIVE = {"one": {}, "two": {"style": "first"}, "three": {"style": "last"}, "four": {"parallel": 2}, "five": {}}
replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = ladders.a_home(tmp_path_factory.mktemp("pairings") / "home", FIVE)
    request = TournamentRequest(name="cup", game="stellar", blocks=1, seed=7, stages="swiss:2+knockout:4")
    new_tournament(nullcontext(home), request, Admission(None, lambda *_: None), lambda event: None)
    cup, admission = AskedTournament("cup", RunOptions()), Admission(None, None)
    play(nullcontext(home), cup, HERE, admission, lambda event: None)
    return home


def forge(home, folder, change):
    """Return a copy of *home* in *folder* in which *change* gave the tournament another run and blocks."""
    shutil.copytree(home.path, folder)
    forged = open_home(folder)
    found = find_tournament(forged.results, "cup")
    run, blocks = change(found.run, [*found.contents.blocks(1)])
    shutil.rmtree(found.store.folder.root)
    with found.store.lock():
        found.store.begin(replace(run, finished=None, blocks=None))
        for block in blocks:
            found.store.append(block.number, encode_block(block))
        found.store.commit()
        found.store.finish(1, len(blocks))
    return forged


def seated(block, seats):
    """Return *block* with other *seats*, those of each match."""
    matches = [replace(match, seats=there) for match, there in zip(block.matches, seats, strict=True)]
    return replace(block, matches=matches)


def swap_results(run, blocks):
    """Let two blocks change their tables, and keep their numbers."""
    one, two = ([match.seats for match in block.matches] for block in blocks[:2])
    return run, [seated(blocks[0], two), seated(blocks[1], one), *blocks[2:]]


def change_bot(run, blocks):
    """Let another bot have a seat of the last block."""
    last = [match.seats for match in blocks[-1].matches]
    name, version = next(key for key in run.bot_keys if key[0] not in {seat.bot for seat in last[0]})
    gone = last[0][0].bot
    other = [[replace(s, bot=name, version=version) if s.bot == gone else s for s in seats] for seats in last]
    return run, [*blocks[:-1], seated(blocks[-1], other)]


def add_block(run, blocks):
    """Play the final once more."""
    last = blocks[-1]
    number = last.matches[-1].number + 1
    matches = [replace(m, number=number + i, block=last.number + 1) for i, m in enumerate(last.matches)]
    return run, [*blocks, replace(last, number=last.number + 1, matches=matches)]


def change_winner(run, blocks):
    """Give the first block the opposite result: those who meet next are others."""
    first = [[replace(seat, rank=3 - seat.rank) for seat in match.seats] for match in blocks[0].matches]
    return run, [seated(blocks[0], first), *blocks[1:]]


def change_seeds(run, blocks):
    """Let the last two of those whom the secret has drawn change places."""
    return replace(run, bots=[*run.bots[:3], run.bots[4], run.bots[3]]), blocks


def test_all_of_a_tournament_follows_from_its_secret(home):
    found = find_tournament(home.results, "cup")
    check = check_pairings(found)
    assert ([], 0) == (check.wrong, check.left)
    assert len([*found.contents.blocks(1)]) == check.blocks > 4
    said = run_here("home", "verify", "--home", home.path)
    assert (0, True) == (said.code, "pairings" in said.out), said.out


@pytest.mark.parametrize(
    ("change", "where", "what"),
    [
        (swap_results, "d1/0", "from the secret follows stellar, by "),
        (change_bot, "d1/", "from the secret follows stellar, by "),
        (add_block, "d1/", "the tournament was over before it"),
        (change_seeds, "cup", "the secret draws the seeds "),
    ],
)
def test_what_was_changed_by_hand_is_named(home, tmp_path, change, where, what):
    forged = forge(home, tmp_path / "forged", change)
    wrong = check_pairings(find_tournament(forged.results, "cup")).wrong
    assert wrong[0][0].startswith(where)
    assert what in wrong[0][1]
    said = run_here("home", "verify", "--home", forged.path)
    assert 4 == said.code
    assert f"wrong: {wrong[0][0]}: {wrong[0][1]}" in said.out
    assert "pairings" in said.out


def test_a_changed_result_is_named_where_others_should_have_met(home, tmp_path):
    forged = forge(home, tmp_path / "forged", change_winner)
    (where, what), *_ = check_pairings(find_tournament(forged.results, "cup")).wrong
    assert "d1/0" != where
    assert "from the secret follows" in what


def test_an_event_is_checked_by_the_rule_that_it_was_paired_by(home, tmp_path):
    """One of before says nothing of a rule."""
    here = open_home(home.path)
    assert "ahead" == find_tournament(here.results, "cup").terms.pairing
    old = ladders.a_home(tmp_path / "old", FIVE)
    store_event(old, "cup", "swiss:3", [f"b{number}" for number in range(7)])
    found = find_tournament(old.results, "cup")
    assert ("before", []) == (found.terms.pairing, check_pairings(found).wrong)

    def change_rule(run, blocks):
        terms = replace(run.settings.tournament, pairing="ahead")
        return replace(run, settings=replace(run.settings, tournament=terms)), blocks

    forged = forge(old, tmp_path / "forged", change_rule)
    assert check_pairings(find_tournament(forged.results, "cup")).wrong


def test_terms_without_a_rule_are_those_of_before():
    written = msgspec.json.encode(TournamentTerms("cup", "swiss", 2, 1, 1))
    older = {key: value for key, value in msgspec.json.decode(written).items() if key != "pairing"}
    assert "before" == msgspec.convert(older, TournamentTerms).pairing


def test_a_home_without_the_secret_cannot_check_its_pairings(home, tmp_path):
    forged = forge(home, tmp_path / "forged", lambda run, blocks: (run.without_secret(), blocks))
    assert 0 == check_pairings(find_tournament(forged.results, "cup")).blocks
