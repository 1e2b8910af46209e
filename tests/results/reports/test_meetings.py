"""The results of each pair of bots."""

from support.records import a_match, a_seat

from results.reports.survey import MEETINGS_NEED, Meetings, survey_meetings
from results.storage import schema


def meetings(*matches, game="stellar"):
    table = schema.matches_table(matches, schema.select_columns(MEETINGS_NEED))
    return survey_meetings([table]).meetings(game)


def test_a_pair_is_counted_from_both_sides():
    found = meetings(
        a_match(0, ranks=(1, 2)),
        a_match(1, ("beta", "alpha"), (2, 1)),
        a_match(2, ranks=(2, 1)),
        a_match(3, ranks=(1, 1)),
    )
    assert [
        Meetings("alpha", "alpha-1", "beta", "beta-1", 4, 2, 1, 1, 0.25),
        Meetings("beta", "beta-1", "alpha", "alpha-1", 4, 1, 1, 2, -0.25),
    ] == found


def test_at_larger_tables_every_two_seats_meet():
    found = meetings(a_match(0, ("a", "b", "c"), (1, 2, 2)), a_match(1, ("c", "a"), (1, 2)))
    assert {
        ("a", "b", 1, 1, 0, 0),
        ("a", "c", 2, 1, 0, 1),
        ("b", "a", 1, 0, 0, 1),
        ("b", "c", 1, 0, 1, 0),
        ("c", "a", 2, 1, 0, 1),
        ("c", "b", 1, 0, 1, 0),
    } == {(m.bot, m.rival, m.matches, m.wins, m.draws, m.losses) for m in found}


def test_without_both_scores_there_is_no_difference():
    seats = [a_seat(score=None), a_seat("beta", 2)]
    assert [None, None] == [each.score_difference for each in meetings(a_match(seats=seats))]
    assert [1.0, -1.0] == [each.score_difference for each in meetings(a_match(seats=seats), a_match(1))]


def test_other_games_are_left_out():
    assert [] == meetings(a_match(), game="stella")
    assert 1 == meetings(a_match(), a_match(1, game="stella"))[0].matches


def test_two_versions_of_a_bot_are_two():
    seats = [a_seat(), a_seat(rank=2, version="alpha-2")]
    assert ["alpha-1", "alpha-2"] == [each.version for each in meetings(a_match(seats=seats))]
