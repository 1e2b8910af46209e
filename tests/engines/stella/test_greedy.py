"""The greedy policies of Stella: what every style sees, and where the styles part."""

from random import Random

import pytest

from engines import GAMES
from engines.position import chosen_by, read_view
from engines.stella.deck import checked_deck
from engines.stella.greedy import STYLES, _alike, _read, _Table
from engines.stella.luck import complete_deal
from engines.stella.moves import FEWEST, MOST

STELLA = GAMES["stella"]
POLICIES = {style: STELLA.policies()[f"{style}-1"] for style in STYLES}
ODD = {
    "words": [["!?", "ÉTÉ"], ["猫", "x"], ["a b c", "ein sehr langes Wort"], ["🦊", "Été été"]],
    "cards": [
        {"id": "猫-1", "text": "猫が月を見ている。", "tags": ["猫", "月"]},
        {"id": "…", "text": "…", "tags": []},
        {"id": "fox", "text": "🦊 🦊", "tags": ["🦊", "---"]},
        *({"id": f"n{n}", "text": f"L'été {n}, ẞ" * (1 + n % 3)} for n in range(27)),
    ],
}


def played(deal, seats, policies):
    """Return the match at its end; a policy that chooses what is not offered raises."""
    position, rng = STELLA.begin(deal, seats), Random(0)
    while not position.over:
        position.play(chosen_by(policies[position.seat], position, rng))
    return position


def dice(rng):
    """Return the policy of one that reads nothing, with luck of its own."""

    def choose(position, seat, _):
        if position.step != "associate":
            return rng.choice(position.options_of(seat))
        crosses = rng.sample(position.grid.names, rng.randint(FEWEST, MOST))
        return position.option_of(seat, tuple(crosses))

    return choose


@pytest.mark.parametrize("options", [{}, {"word_vote": True}, {"deck": ODD}])
def test_what_is_read_of_a_match_is_what_the_view_of_the_seat_says(options):
    position, steps = STELLA.begin(complete_deal({"options": options}), 4), 0
    rng = Random(3)
    while not position.over:
        seat = position.seat
        seen, view = _read(position, seat), read_view(position, seat)
        own = ("deck", "cards", "words", "word", "rounds", "fallen")
        assert {key: value for key, value in seen.items() if key not in own} == {
            key: view[key] for key in seen if key not in own
        }
        assert [card["id"] for card in view["grid"]] == seen["cards"]
        assert view["fallen"] == [*seen["fallen"]]
        assert "vote" == view["step"] or view["word"] == seen["word"]
        assert view.get("words", [*seen["words"]]) == [*seen["words"]]
        assert [
            {key: told[key] for key in ("cards", "word", "counts", "shown")} for told in view["rounds"]
        ] == [
            told | {"shown": {card: [*crossed] for card, crossed in told["shown"].items()}}
            for told in seen["rounds"]
        ]
        position.play(rng.choice([*position.options()]))
        steps += 1
    assert steps > 20


def move_of(style, state, seat=0):
    """Return the move of a *seat* that is asked."""
    return state.move_of(POLICIES[style](state, seat, Random(0)))


def grid_with(words=(("Lantern", "Cabbage"),) * 4, **cards):
    """Return a deal of thirty blank pictures but for *cards*, each a text and tags; p01 to p15 are dealt."""
    blank = [{"id": f"p{n:02}", "text": f"Blank {n}."} for n in range(1, 31)]
    for card in blank:
        text, *tags = cards.get(card["id"], (card["text"],))
        card |= {"text": text, "tags": tags}
    options = {"word_vote": False, "deck": {"cards": blank, "words": [[*pair] for pair in words]}}
    return complete_deal({"options": options})


def crosses_of(style, deal, seats=3):
    return move_of(style, STELLA.begin(deal, seats))


def shown_by(style, deal, *crosses):
    """Return what seat 0 shows first when all have made these *crosses*."""
    state = STELLA.start(deal, len(crosses)).state
    state = STELLA.play(state, dict(enumerate(crosses))).state
    return move_of(style, state)


@pytest.mark.parametrize("style", STYLES)
def test_a_deck_of_odd_texts_is_played(style):
    checked_deck(ODD)
    for vote in (True, False):
        deal = STELLA.deal(4, Random(5), {"deck": ODD, "word_vote": vote})
        assert played(deal, 4, [POLICIES[style], *[dice(Random(6))] * 3]).over


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "signs", [("A lantern.",), ("Dark.", "lantern"), ("Dark.", "lanterns"), ("LANTERN",)]
)
def test_the_one_picture_that_bears_the_word_is_crossed_and_shown_first(style, signs):
    deal = grid_with(p08=signs)
    assert "p08" in crosses_of(style, deal)
    assert "show p08" == shown_by(style, deal, ("p01", "p08", "p15"), ("p02", "p03"), ("p03", "p08"))


def test_a_picture_that_shares_a_tag_with_one_that_bears_the_word_is_the_next_nearest():
    deal = grid_with(p04=("Dark.", "lantern", "night"), p12=("Dim.", "night"), p13=("Dull.", "fog"))
    others = ("p02", "p03"), ("p05", "p06")
    assert {"p04", "p12"} <= {*crosses_of("careful", deal)}
    assert "show p04" == shown_by("careful", deal, ("p01", "p04", "p12", "p13"), *others)
    assert "show p12" == shown_by("careful", deal, ("p01", "p12", "p13"), *others)


def test_only_words_that_begin_alike_in_four_letters_or_a_whole_short_word_are_near():
    assert 1 == _alike("sea", "sea")
    assert 1 > _alike("friend", "friendship") > _alike("friend", "friction") == 0
    assert 3 / 5 == _alike("sun", "sunny")
    assert 0 == _alike("a", "apple")


def test_dreamers_go_by_sentences_and_greedy_by_tags():
    deal = grid_with(p05=("Dark.", "lantern"), p10=("She lights a lantern.",))
    crosses = ("p05", "p10"), ("p01", "p02"), ("p03", "p04")
    assert "show p05" == shown_by("greedy", deal, *crosses)
    assert "show p10" == shown_by("dreamer", deal, *crosses)


def test_to_save_a_leader_who_is_likely_alone_costs_a_rival_more_than_anybody_else():
    deal = grid_with(p05=("Dark.", "lantern"))
    crosses = ("p05",), ("p05", "p06", "p07", "p08", "p09", "p10"), ("p15",)
    state = STELLA.play(STELLA.start(deal, 3).state, dict(enumerate(crosses))).state

    def cost(style, *scores):
        view = _read(state, 0) | {"scores": [*scores]}
        return _Table(view, STYLES[style]).cost("p05")

    assert cost("greedy", 0, 9, 0) == cost("greedy", 0, 0, 9)
    assert cost("rival", 0, 9, 0) > cost("greedy", 0, 9, 0) > cost("rival", 0, 0, 9)


@pytest.mark.parametrize(("style", "fewest"), [("careful", 2), ("rival", 2), ("bold", 6)])
def test_beside_seats_that_make_one_cross_each_a_style_makes_its_fewest(style, fewest):
    made = []

    def lone(position, seat, rng):
        if position.step != "associate":
            return rng.choice(position.options_of(seat))
        made.append(len(position.move_of(POLICIES[style](position, seat, rng))))
        return position.option_of(seat, (rng.choice(position.grid.names),))

    played(STELLA.deal(3, Random(0)), 3, [lone] * 3)
    assert fewest == min(made)


@pytest.mark.parametrize(
    ("words", "vote"), [(["Cabbage", "Lantern"], "flip"), (["Lantern", "Cabbage"], "keep")]
)
def test_the_vote_is_for_the_word_that_the_grid_speaks_of(words, vote):
    deal = grid_with(words=[words] * 4, p08=("Dark.", "lantern"), p09=("A lantern.",))
    deal["options"]["word_vote"] = True
    assert {vote} == {crosses_of(style, deal) for style in STYLES}


def test_a_seat_that_crosses_the_far_pictures_is_taken_for_dice():
    near = {f"p{n:02}": ("Dark.", "lantern") for n in range(1, 6)}
    state = STELLA.start(grid_with(**near), 3).state
    state = STELLA.play(state, {0: ("p01", "p02", "p14"), 1: ("p01", "p02"), 2: ("p14", "p15")}).state
    for move in ("show p01", "show p02", "show p14"):
        state = STELLA.play(state, dict.fromkeys(STELLA.choices(state), move)).state
    readers = _Table(_read(state, 0), STYLES["greedy"]).readers
    assert readers[1] > 0.5 > readers[2]
