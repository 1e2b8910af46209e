import json
from itertools import combinations
from random import Random

import pytest
from support import greedy_bot

from engines import GAMES, onwards, playout
from engines.stella.deck import checked_deck
from engines.stella.luck import complete_deal
from protocol.client import Act, Choice, Start

bot = greedy_bot.module("stella")

STELLA = GAMES["stella"]
STYLES = list(bot.STYLES)
ODD = {
    "words": [["!?", "ÉTÉ"], ["猫", "x"], ["a b c", "ein sehr langes Wort"], ["🦊", "Été été"]],
    "cards": [
        {"id": "猫-1", "text": "猫が月を見ている。", "tags": ["猫", "月"]},
        {"id": "…", "text": "…", "tags": []},
        {"id": "fox", "text": "🦊 🦊", "tags": ["🦊", "---"]},
        *({"id": f"n{n}", "text": f"L'été {n}, ẞ" * (1 + n % 3)} for n in range(27)),
    ],
}


def act_on(state, seat):
    """Return what the client would hand to the bot in *seat*, the view having been through JSON."""
    view = json.loads(json.dumps(STELLA.view(state, seat)))
    choice = Choice(STELLA.choices(state)[seat].to_json())
    start = Start({"type": "start", "game": "stella", "seat": seat, "seats": view["seats"]})
    return Act({"view": view, "choice": choice, "start": start, "events": [], "seed": 1, "step": 0})


@pytest.fixture(scope="module")
def situations():
    """Return places in random matches: each a state, and a seat that must move in it."""
    return [
        (step.state, seat)
        for seats in (3, 5)
        for step in playout(STELLA, STELLA.deal(seats, Random(seats)), seats, Random(seats))
        for seat in STELLA.choices(step.state)
    ]


def moves_of(state, choosers):
    return {seat: choosers[seat](act_on(state, seat)) for seat in STELLA.choices(state)}


def played(deal, seats, choosers):
    """Play the match to its end; a move that is not offered raises."""
    state = STELLA.start(deal, seats).state
    while STELLA.choices(state):
        state = STELLA.play(state, moves_of(state, choosers)).state
    return state


def dice(rng):
    """Return what chooses like the random bot."""

    def choose(act):
        choice = act.choice
        if choice.kind == "one":
            return rng.choice(choice.options)
        return rng.sample(choice.options, rng.randint(choice.low, choice.high))

    return choose


def grid_with(words=(("Lantern", "Cabbage"),) * 4, **cards):
    """Return a deal of thirty blank pictures but for *cards*, each a text and tags; p01 to p15 are dealt."""
    blank = [{"id": f"p{n:02}", "text": f"Blank {n}."} for n in range(1, 31)]
    for card in blank:
        text, *tags = cards.get(card["id"], (card["text"],))
        card |= {"text": text, "tags": tags}
    options = {"word_vote": False, "deck": {"cards": blank, "words": [[*pair] for pair in words]}}
    return complete_deal({"options": options})


def crosses_of(style, deal, seats=3):
    return bot.chooser(style)(act_on(STELLA.start(deal, seats).state, 0))


def shown_by(style, deal, *crosses):
    """Return what seat 0 shows first when all have made these *crosses*."""
    state = STELLA.start(deal, len(crosses)).state
    state = STELLA.play(state, dict(enumerate(crosses))).state
    return bot.chooser(style)(act_on(state, 0))


@pytest.mark.parametrize("seats", STELLA.seats)
def test_every_style_makes_offered_moves_at_every_table(seats):
    choosers = [bot.chooser(STYLES[seat % len(STYLES)]) for seat in range(seats)]
    assert not STELLA.choices(played(STELLA.deal(seats, Random(seats)), seats, choosers))


@pytest.mark.parametrize("style", STYLES)
def test_every_style_makes_offered_moves_wherever_random_play_leads(style):
    rng, choose = Random(style), bot.chooser(style)
    for seats in STELLA.seats:
        state = STELLA.start(STELLA.deal(seats, rng), seats).state
        for step in onwards(STELLA, state, rng):
            for seat, choice in STELLA.choices(state).items():
                choice.check(choose(act_on(state, seat)))
            state = step.state


@pytest.mark.parametrize("style", STYLES)
def test_a_deck_of_odd_texts_is_played(style):
    checked_deck(ODD)
    for vote in (True, False):
        deal = STELLA.deal(4, Random(5), {"deck": ODD, "word_vote": vote})
        assert not STELLA.choices(played(deal, 4, [bot.chooser(style), *[dice(Random(6))] * 3]))


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
    order = crosses_of("careful", deal)
    assert ["p04", "p12"] == order[:2]


def test_only_words_that_begin_alike_in_four_letters_or_a_whole_short_word_are_near():
    assert 1 == bot.alike("sea", "sea")
    assert 1 > bot.alike("friend", "friendship") > bot.alike("friend", "friction") == 0
    assert 3 / 5 == bot.alike("sun", "sunny")
    assert 0 == bot.alike("a", "apple")


def test_dreamers_go_by_sentences_and_greedy_by_tags():
    deal = grid_with(p05=("Dark.", "lantern"), p10=("She lights a lantern.",))
    crosses = ("p05", "p10"), ("p01", "p02"), ("p03", "p04")
    assert "show p05" == shown_by("greedy", deal, *crosses)
    assert "show p10" == shown_by("dreamer", deal, *crosses)


def test_only_a_rival_minds_who_leads(situations):
    changed = dict.fromkeys(STYLES, 0)
    for state, seat in situations:
        for style in STYLES:
            moves = []
            for leader in (seat - 1, seat - 2):
                act = act_on(state, seat)
                act.view["scores"][leader] += 99
                moves.append(bot.chooser(style)(act))
            changed[style] += moves[0] != moves[1]
    assert ["rival"] == [style for style in STYLES if changed[style]]


def test_to_save_a_leader_who_is_likely_alone_costs_a_rival_more_than_anybody_else():
    deal = grid_with(p05=("Dark.", "lantern"))
    crosses = ("p05",), ("p05", "p06", "p07", "p08", "p09", "p10"), ("p15",)
    state = STELLA.play(STELLA.start(deal, 3).state, dict(enumerate(crosses))).state

    def cost(style, *scores):
        view = STELLA.view(state, 0) | {"scores": [*scores]}
        return bot.Table(view, bot.STYLES[style]).given("p05")

    assert cost("greedy", 0, 9, 0) == cost("greedy", 0, 0, 9)
    assert cost("rival", 0, 9, 0) > cost("greedy", 0, 9, 0) > cost("rival", 0, 0, 9)


@pytest.mark.parametrize("seats", STELLA.seats)
def test_bold_makes_more_crosses_than_greedy_and_careful_fewer(seats):
    table, made = ("careful", "greedy", "bold"), [0] * 3
    choosers = [bot.chooser(table[seat % 3]) for seat in range(seats)]
    for luck in range(2):
        for told in STELLA.view(played(STELLA.deal(seats, Random(luck)), seats, choosers), None)["rounds"]:
            made = [total + count for total, count in zip(made, told["counts"], strict=False)]
    assert made[0] < made[1] < made[2]


def test_no_two_styles_make_the_same_moves(situations):
    moves = {style: [bot.chooser(style)(act_on(*place)) for place in situations] for style in STYLES}
    for one, other in combinations(STYLES, 2):
        assert moves[one] != moves[other]


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
    readers = bot.Table(STELLA.view(state, 0), bot.STYLES["greedy"]).readers
    assert readers[1] > 0.5 > readers[2]


@pytest.mark.parametrize(("readers", "times"), [(["greedy"], 1.1), (["greedy", "dreamer"], 2)])
def test_whoever_reads_gains_more_than_dice_and_much_more_in_company(readers, times):
    rng = Random(1)
    table = [bot.chooser(style) for style in readers] + [dice(rng)] * (4 - len(readers))
    points = [0] * 4
    for luck in range(3):
        deal = STELLA.deal(4, Random(luck))
        for first in range(4):
            turn = [(seat + first) % 4 for seat in range(4)]
            scores = STELLA.outcome(played(deal, 4, [table[at] for at in turn])).scores
            for at, score in zip(turn, scores, strict=True):
                points[at] += score
    read, thrown = points[: len(readers)], points[len(readers) :]
    assert min(read) > times * sum(thrown) / len(thrown)
