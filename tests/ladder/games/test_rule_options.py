"""Rule options as bots read them."""

from engines import GAMES
from ladder.games.rule_options import in_order


def test_options_stand_in_the_order_of_their_game_however_they_were_stored():
    for game, rules in GAMES.items():
        options = {option: values[0] for option, values in rules.options.items()}
        stored = dict(sorted(options.items(), reverse=True))
        assert list(options.items()) == list(in_order(game, stored).items())


def test_custom_options_and_those_of_other_versions_come_last():
    options = {"deck": {"cards": []}, "of_old": 1, "first_game": False, "word_vote": True}
    assert {"deck", "of_old"} == set(list(in_order("stella", options))[-2:])
    assert options == in_order("stella", options)
