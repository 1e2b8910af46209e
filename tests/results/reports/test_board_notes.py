"""The notes below a leaderboard: how many, in which order, how wide, and what each of them says."""

import textwrap
from dataclasses import replace
from itertools import combinations

import msgspec
import pytest
from support.boards import rate_results, record_draws, record_wins

from results.rating.block_factor import BlockFactor
from results.rating.changes import BotChange, MachineGap
from results.rating.misfit import SizeGap
from results.rating.thin_joins import ThinJoin
from results.reports.board_document import ShownBoard, board_section
from results.reports.board_notes import board_notes
from results.reports.document import Command, Note
from results.reports.doubts import share_real
from results.reports.leaderboard import GameBoard, leaderboard

ONE_PAIR = "only two bots have met: the ratings say nothing of how they do against others"


def circle(names):
    """Return results in which each of *names* wins 80 of 100 against the next, at all times."""
    pairs = zip(names, (*names[1:], names[0]), strict=True)
    return [each for a, b in pairs for each in record_wins(a, b, 4) + record_wins(b, a)] * 20


CIRCLE = circle("abc")
NINE_OF_TEN = (record_wins("a", "b", 9) + record_wins("b", "a")) * 10


def board_of(results):
    return GameBoard(rate_results(results))


def texts(board, **options):
    return [note.text for note in board_notes(board, {}, **options)]


def test_a_circle_of_three_is_named_with_the_misfit_and_the_command_that_shows_it():
    board = board_of(CIRCLE)
    (note,) = board_notes(board, {})
    assert note.text.startswith("a cycle, so one rating a bot is the wrong picture: ")
    assert note.text.endswith("a beats b (80 %), b beats c (80 %), c beats a (80 %)")
    assert "ladder matrix --game stellar" == note.command
    assert 0.28 < leaderboard(board)[0]["misfit"] < 0.31
    (note,) = board_notes(board, {}, past_season="spring")
    assert "ladder matrix --game stellar --season spring" == note.command
    told = replace(board.rated, misfit=msgspec.structs.replace(board.rated.misfit, cycle=None))
    (misfit, *_) = texts(GameBoard(told))
    assert misfit.startswith("one rating a bot is the wrong picture: results lie 29.")


def test_a_field_that_fits_has_no_such_note():
    rated = rate_results(record_wins("a", "b", 60) + record_wins("b", "c", 60) + record_wins("b", "a", 30))
    assert not [text for text in texts(GameBoard(rated)) if "picture" in text or "ratings differ" in text]
    assert (None, None) == tuple(leaderboard(GameBoard(rated))[0][key] for key in ("misfit", "turned_pairs"))


def test_an_order_that_depends_on_the_table_size_is_said():
    gap = SizeGap(("a", "a-1"), ("b", "b-1"), 2, 4, 3.04, 1.5, 6.0)
    rated = replace(rate_results(record_wins("a", "b", 60)), size_gaps=(gap,))
    note = (
        "ratings differ by table size: a is above b by 3.0 at 2 seats, and below by 1.5 at 4",
        "ladder leaderboard --game stellar --seats N",
    )
    assert note == board_notes(GameBoard(rated), {})[0]
    more = GameBoard(replace(rated, size_gaps=(gap,) * 3))
    assert f"{note[0]}, and 2 more pairs" == texts(more)[0]
    assert 3 == leaderboard(GameBoard(replace(rated, size_gaps=(gap,) * 3)))[0]["turned_pairs"]


def test_visitors_read_the_same_without_commands():
    gap = SizeGap(("a", "a-1"), ("b", "b-1"), 2, 4, 3.04, 1.5, 6.0)
    board = GameBoard(replace(rate_results(CIRCLE), size_gaps=(gap,)))
    assert texts(board) == texts(board, audience="public")
    assert not [text for text in texts(board) if "ladder " in text]


def test_groups_that_never_met_are_named_and_told_apart_by_nothing():
    board = board_of(record_wins("a", "b", 300) + record_wins("d", "c", 200))
    found = board_notes(board, dict.fromkeys(board.fit.bots, 1))
    (groups,) = [note for note in found if "groups" in note.text]
    assert groups.text.startswith("2 groups of bots never met")
    assert groups.text.endswith(": a, b / c, d")
    assert "ladder run a c --game stellar" == groups.command
    assert [(1, 1), (2, 2)] == [board.places[board.fit.bots.index((x, f"{x}-1"))] for x in ("a", "b")]
    assert not any(" above " in note.text for note in found)


def test_places_between_which_neighbours_are_not_told_apart_are_named():
    won, lost = record_wins("a", "b"), record_wins("b", "a")
    board = board_of((won + lost) * 45 + won * 10)
    here = board_notes(board, {board.fit.bots[0]: 1})
    assert "" == here[0].command, "the other one is no bot of this home"
    note, _ = board_notes(board, dict.fromkeys(board.fit.bots, 1))
    assert "places 1-2 are not separated yet" == note.text
    assert "ladder duel a b --game stellar" == note.command
    assert [ONE_PAIR] == texts(board_of(NINE_OF_TEN))


@pytest.mark.parametrize(
    ("bots", "told"),
    [(6, "places 1-6 are not separated yet"), (10, "9 pairs of neighbours are not separated yet")],
)
def test_many_neighbours_that_are_not_told_apart_are_counted(bots, told):
    names = [f"bot{i}" for i in range(bots)]
    both = [result for a, b in combinations(names, 2) for result in even(a, b)]
    assert [told] == texts(board_of(both))


def even(a, b):
    """Return results that say nothing of which of two bots is better."""
    return (record_wins(a, b) + record_wins(b, a)) * 10


@pytest.mark.parametrize(
    ("factors", "told"),
    [
        ([BlockFactor(4, 1000, 1.25, 1.25)], ["4 matches of a deal tell as much as 3.2 of different ones"]),
        ([BlockFactor(4, 199, 1.25, 1.25)], []),
        ([BlockFactor(4, 1000, 1.01, 1.01)], []),
        ([BlockFactor(4, 1000, 1.08, 1.08)], []),  # 2.4 standard errors
        ([BlockFactor(4, 1000, 1.09, 1.09)], ["4 matches of a deal tell as much as 3.7 of different ones"]),
        (
            [BlockFactor(2, 1000, 0.5, 0.5), BlockFactor(3, 9, 2.0, 2.0), BlockFactor(4, 9000, 1.3, 1.3)],
            [
                ", ".join(
                    f"{matches} of different ones"
                    for matches in (
                        "2 matches of a deal tell as much as 3.8",
                        "4 matches of a deal tell as much as 3.1",
                    )
                )
            ],
        ),
    ],
)
def test_a_note_says_what_a_block_is_worth_if_not_its_matches(factors, told):
    known = rate_results(NINE_OF_TEN)
    board = GameBoard(replace(known, fit=replace(known.fit, block_factors=tuple(factors))))
    assert told == [text for text in texts(board) if text != ONE_PAIR]


def test_parts_that_met_in_few_blocks_only_are_named():
    parts = [["a", "b", "c"], ["w", "x", "y", "z"]]
    inside = [(a, b) for part in parts for a, b in combinations(part, 2)]
    results = [result for a, b in inside for result in record_wins(a, b, 40) + record_wins(b, a, 38)]
    board = board_of(results + even("a", "w"))
    one, other = ([i for i, (name, _) in enumerate(board.fit.bots) if name in part] for part in parts)
    join = ThinJoin(tuple(one), tuple(other), 2)
    known = replace(board.rated, fit=replace(board.fit, thin_joins=(join,)))
    here = dict.fromkeys(board.fit.bots, 1)
    said = [note for note in board_notes(GameBoard(known), here) if "met in" in note.text]
    text = "these 3 and these 4 met in 2 blocks only, so the difference between them is hardly known"
    assert [(f"{text}: a, b, c / w, x, y, z", "ladder run a w --game stellar")] == said
    hidden = GameBoard(known, {board.fit.bots[i] for i in one})
    assert [] == [text for text in texts(hidden) if "met in" in text]


# --- what cannot be trusted


def faulted(board):
    """Return *board* as if every match had ended by a fault of both bots."""
    return without_points(board, lambda each: {"crash": each.matches})


def without_points(board, faults=lambda each: {}):
    """Return *board* as if no match had points; *faults* returns those of a standing."""
    standings = {
        bot: msgspec.structs.replace(each, scored=0, faults=faults(each))
        for bot, each in board.rated.standings.items()
    }
    return GameBoard(replace(board.rated, standings=standings))


@pytest.mark.parametrize(
    ("results", "change", "text"),
    [
        (record_draws("a", "b", 9) + record_draws("b", "c", 9), None, "every match ended in a draw"),
        (record_wins("a", "b", 9) + record_wins("b", "c", 9), faulted, "every match ended by a fault"),
        (record_draws("a", "b", 9) + record_draws("b", "c", 9), faulted, "every match ended by a fault"),
        (record_wins("a", "b", 9) + record_wins("b", "c", 9), without_points, ""),
        (
            record_draws("a", "b", 9) + record_draws("b", "c", 9),
            without_points,
            "every match ended in a draw",
        ),
        (record_wins("a", "b", 9), None, "only two bots have met"),
        (record_wins("a", "b", 9) + record_wins("b", "c", 1), None, ""),
    ],
)
def test_a_home_whose_ratings_cannot_be_trusted_says_so(results, change, text):
    board = board_of(results)
    said = texts(change(board) if change else board)
    wanted = ("every match ended", "only two bots")
    found = [each for each in said if each.startswith(wanted)]
    assert len(found) == bool(text)
    assert all(each.startswith(text) for each in found)


def test_where_versions_that_are_not_shown_are_the_core_it_is_said_who_has_no_end():
    old = record_wins("x", "y", 90) + record_wins("y", "x", 90)
    new = record_wins("s", "t", 20) + record_wins("t", "s", 20)
    top = [result for loser in "xyst" for result in record_wins("top", loser, 20)]
    rated = rate_results(old + new + top)
    hidden = {bot for bot in rated.fit.bots if bot[0] in ("x", "y")}
    (said, *_) = texts(GameBoard(rated, frozenset(hidden)))
    assert said == (
        "versions not shown never came before top: the lead of top is not known;"
        " no results lead from s or t to versions not shown or back"
    )


def test_bots_that_are_hidden_have_played_all_the_same():
    board = board_of(record_wins("a", "b", 9) + record_wins("b", "c", 5) + record_wins("c", "b", 5))
    alone = GameBoard(board.rated, {("c", "c-1")})
    assert not [text for text in texts(alone) if "only two" in text]


def test_where_a_bot_changes_a_block_is_not_said_to_be_worth_less():
    known = rate_results(NINE_OF_TEN)
    factors = (BlockFactor(2, 1000, 1.25, 1.25),)
    change = (BotChange(("a", "a-1"), (2,), 50, 0.1, -0.1, 9.0),)
    for changes, said in (((), 1), (change, 0)):
        rated = replace(known, fit=replace(known.fit, block_factors=factors), changes=changes)
        assert said == sum("of a deal" in text for text in texts(GameBoard(rated)))


# --- one note a cause


def with_parts(board, change=None, machine=None):
    """Return *board* on which `a` changes, and plays otherwise on a machine, so many errors apart."""
    changes = (BotChange(("a", "a-1"), (2,), 420, 0.1, -0.08, change),) if change else ()
    gaps = (MachineGap(("a", "a-1"), "tower", -0.2, 0.02, machine),) if machine else ()
    return GameBoard(replace(board.rated, changes=changes, machine_gaps=gaps), board.hidden)


def uneven(board, **options):
    return [text for text in texts(board, **options) if text.startswith("not the same")]


def test_of_one_bot_the_surest_of_time_and_machines_is_told():
    board = board_of(NINE_OF_TEN + record_wins("b", "c", 9) * 9)
    time = "not the same all the time: a wins 10 of 100 more than its rating says in its first 420 matches"
    place = (
        "not the same on all machines: a wins 20 of 100 fewer than its rating says on tower, 2 of 100 more"
    )
    assert [f"{time}, 8 of 100 fewer later"] == uneven(with_parts(board, 9.0, 5.0))
    assert [f"{place} elsewhere"] == uneven(with_parts(board, 5.0, 9.0))
    assert [f"{time}, 8 of 100 fewer later"] == uneven(with_parts(board, 5.0, 9.0), audience="public")
    sizes = {2: 400, 4: 20}
    mixed = GameBoard(replace(with_parts(board, 9.0).rated, tables=sizes))
    assert [f"{time} at 2 seats, 8 of 100 fewer later"] == uneven(mixed)


def test_a_bot_of_a_cycle_is_not_said_to_change():
    assert 1 == len(texts(with_parts(board_of(CIRCLE), 9.0, 5.0)))


def test_nothing_is_said_of_bots_that_are_not_on_the_board():
    results = CIRCLE + [each for a in "abc" for each in even(a, "d") + even(a, "e")]
    known = board_of(results)
    gap = SizeGap(("a", "a-1"), ("d", "d-1"), 2, 4, 3.04, 1.5, 6.0)
    other = SizeGap(("e", "e-1"), ("d", "d-1"), 4, 2, 2.0, 1.0, 5.5)
    rated = replace(with_parts(known, 9.0, 5.0).rated, size_gaps=(gap, other))
    hidden = GameBoard(rated, {("a", "a-1")})
    assert ["ratings differ by table size: e is above d by 2.0 at 4 seats, and below by 1.0 at 2"] == [
        text for text in texts(hidden) if not text.startswith(("places", "few"))
    ]
    (sizes, cycle, *_) = texts(GameBoard(rated))
    assert sizes.endswith("and 1 more pair")
    assert cycle.startswith("a cycle")


def test_bounds_are_among_the_notes_below_the_table():
    results = [each for a, b in combinations("abc", 2) for each in even(a, b)] + record_wins("a", "d", 9)
    board = with_parts(board_of(results), 9.0, 5.0)
    first = [Note("the first"), Note("the second")]
    found = board_notes(board, {}, first=first)
    assert ["the first", "d never came before", "the second"] == [note.text[:19] for note in found[:3]]


def test_few_matches_are_said_with_how_much_of_a_difference_is_real():
    results = [
        each for a, b in combinations("abcd", 2) for each in record_wins(a, b, 3) + record_wins(b, a, 2)
    ]
    (note,) = board_notes(board_of(results), {})
    assert note.text.startswith(
        "few matches (15 a bot): differences are exaggerated; read 10 points as about "
    )
    assert "ladder run --game stellar" == note.command
    assert [(note.text, "")] == board_notes(board_of(results), {}, past_season="spring")
    assert not [text for text in texts(board_of(results * 40)) if "few" in text]


# --- number, order and width


LONG = [f"{letter * 58}-name" for letter in "abcdefghijkl"]
"""Names as long as they may be."""


def with_all(board):
    """Return *board* with every reason for a note that does not follow from its results."""
    fit, bots = board.fit, board.fit.bots
    half = len(bots) // 2
    join = ThinJoin(tuple(range(half)), tuple(range(half, len(bots))), 2)
    change, gap = (
        BotChange(bots[0], (2,), 110, 0.1, -0.1, 9.0),
        SizeGap(bots[0], bots[1], 2, 4, 3.04, 1.5, 6.0),
    )
    fit = replace(fit, thin_joins=(join,), block_factors=(BlockFactor(2, 1000, 1.25, 1.25),))
    rated = replace(board.rated, fit=fit, changes=(change, change), size_gaps=(gap,) * 9, behind=3)
    return GameBoard(rated)


ODD = {
    "all faults": (circle(LONG[:3]), faulted, ["every match ended by a fault"]),
    "all draws": (
        [each for a, b in combinations(LONG[:4], 2) for each in record_draws(a, b, 20)],
        None,
        ["every match ended in a draw"],
    ),
    "a cycle": (circle(LONG[:3]), None, ["a cycle"]),
    "groups": (
        [
            each
            for a, b in ((LONG[0], LONG[1]), (LONG[2], LONG[3]), (LONG[4], LONG[5]))
            for each in even(a, b)
        ],
        None,
        ["3 groups of bots never met"],
    ),
    "groups that only drew": (
        record_draws(LONG[0], LONG[1], 40) + record_draws(LONG[2], LONG[3], 40),
        None,
        ["every match ended in a draw"],
    ),
    "two bots": (even(LONG[0], LONG[1]), None, ["places 1-2 are not", "only two bots"]),
    "many open neighbours": (
        [each for a, b in combinations(LONG, 2) for each in even(a, b)],
        None,
        ["11 pairs of neighbours"],
    ),
    "a cycle among others": (
        [
            *circle(LONG[:3]),
            *(each for a in LONG[:3] for b in LONG[3:5] for each in record_wins(a, b, 60)),
            *even(LONG[3], LONG[4]),
        ],
        None,
        ["a cycle", f"{LONG[3][:9]}", "places 4-5 are not"],
    ),
    "all at once": (
        [each for a, b in combinations(LONG, 2) for each in even(a, b)],
        with_all,
        ["not rated yet", "ratings differ by table size", "not the same all", "these 6", "10 pairs"],
    ),
    "all at once, by faults": (
        [each for a, b in combinations(LONG, 2) for each in even(a, b)],
        lambda board: faulted(with_all(board)),
        ["not rated yet", "every match ended by a fault"],
    ),
}
"""Results, what is changed of their board, and how its notes begin, in their order."""


@pytest.mark.parametrize("field", ODD)
def test_under_a_table_are_at_most_two_notes_of_two_lines_the_cause_first(field):
    results, change, begin = ODD[field]
    board = change(board_of(results)) if change else board_of(results)
    found = board_notes(board, dict.fromkeys(board.fit.bots, 1))
    assert len(begin) == len(found)
    assert all(note.text.startswith(start) for note, start in zip(found, begin, strict=True))
    lines = {note.text: len(textwrap.wrap(note.text, 80, break_on_hyphens=False)) for note in found}
    assert {text: most for text, most in lines.items() if most > 2 + text.startswith("a cycle")} == {}
    section = board_section(ShownBoard(board, leaderboard(board), found, options=" --seats 2"))
    shown = [part for part in section.parts if isinstance(part, Note)]
    assert found[:2] == shown[:2]
    more = [f"{len(found) - 2} more note{'s' * (len(found) > 3)}"] if found[2:] else []
    see = [Command("ladder leaderboard --show notes --game stellar --seats 2")]
    assert [[*more, ": ", *see]] * len(more) == [note.text for note in shown[2:]]
    bare = board_section(ShownBoard(board, leaderboard(board), found), hints=False)
    assert not [part.command for part in bare.parts if isinstance(part, Note) and part.command]


@pytest.mark.parametrize("shown", ["", "a", "ab"])
def test_of_hardly_any_bots_on_the_board_nothing_false_is_said(shown):
    known = board_of(CIRCLE + record_wins("a", "d", 9))
    board = GameBoard(known.rated, {(name, f"{name}-1") for name in "abcd" if name not in shown})
    said = " ".join(texts(board))
    assert "cycle" not in said
    assert not [name for name in "abcd" if name not in shown and f" {name} " in f" {said} "]
    assert 1.0 == share_real(board) or shown == "ab"
