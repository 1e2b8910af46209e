"""A tournament that was changed by hand is found out, however well its files are written."""

import shutil
from contextlib import nullcontext

import msgspec
import pytest
from support import ladders
from support.command_line import run_here
from support.here import HERE

from ladder.home.home import open_home
from ladder.run.run_options import RunOptions
from ladder.run.session import Admission
from ladder.run.tournament.pairing_check import check_pairings
from ladder.run.tournament.stored_tournaments import find_tournament
from ladder.run.tournament.tournament_request import TournamentRequest
from ladder.run.tournament.tournament_session import new_tournament, play_tournament
from results.record import encode_block

FIVE = {"one": {}, "two": {"style": "first"}, "three": {"style": "last"}, "four": {"parallel": 2}, "five": {}}
replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = ladders.a_home(tmp_path_factory.mktemp("pairings") / "home", FIVE)
    request = TournamentRequest(name="cup", game="stellar", blocks=1, seed=3, stages="swiss:2+knockout:4")
    new_tournament(nullcontext(home), request, Admission(None, lambda *_: None), lambda event: None)
    play_tournament(home, "cup", RunOptions(), HERE, lambda event: None)
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


def swap_results(run, blocks):
    """Let two blocks change their tables, and keep their numbers."""
    one, two = blocks[:2]
    moved = [
        replace(
            to,
            matches=[
                replace(match, seats=other.seats) for match, other in zip(to.matches, of.matches, strict=True)
            ],
        )
        for to, of in ((one, two), (two, one))
    ]
    return run, [*moved, *blocks[2:]]


def change_bot(run, blocks):
    """Let another bot have a seat of the last block."""
    last = blocks[-1]
    there = {seat.bot for seat in last.matches[0].seats}
    name, version = next(key for key in run.bot_keys if key[0] not in there)
    old = last.matches[0].seats[0].bot
    matches = [
        replace(
            match,
            seats=[
                replace(seat, bot=name, version=version) if seat.bot == old else seat for seat in match.seats
            ],
        )
        for match in last.matches
    ]
    return run, [*blocks[:-1], replace(last, matches=matches)]


def add_block(run, blocks):
    """Play the final once more."""
    last = blocks[-1]
    number = last.matches[-1].number + 1
    matches = [
        replace(match, number=number + index, block=last.number + 1)
        for index, match in enumerate(last.matches)
    ]
    return run, [*blocks, replace(last, number=last.number + 1, matches=matches)]


def change_winner(run, blocks):
    """Give the first block the opposite result: those who meet next are others."""
    first = blocks[0]
    matches = [
        replace(match, seats=[replace(seat, rank=3 - seat.rank) for seat in match.seats])
        for match in first.matches
    ]
    return run, [replace(first, matches=matches), *blocks[1:]]


def change_seeds(run, blocks):
    """Let the last two of those whom the secret has drawn change places."""
    return replace(run, bots=[*run.bots[:3], run.bots[4], run.bots[3]]), blocks


def test_all_of_a_tournament_follows_from_its_secret(home):
    found = find_tournament(home.results, "cup")
    check = check_pairings(found)
    assert ([], 0) == (check.wrong, check.left)
    assert len([*found.contents.blocks(1)]) == check.blocks > 4


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


def test_a_home_without_the_secret_cannot_check_its_pairings(home, tmp_path):
    forged = forge(home, tmp_path / "forged", lambda run, blocks: (run.without_secret(), blocks))
    assert 0 == check_pairings(find_tournament(forged.results, "cup")).blocks


def test_it_is_told_how_many_pairings_were_checked(home):
    said = run_here("home", "verify", "--home", home.path)
    assert 0 == said.code, said.out
    assert "pairings" in said.out
