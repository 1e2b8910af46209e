"""What every game promises: every test runs over every game at every table size, and none is left out."""

from __future__ import annotations

import copy
import json
import pickle
from random import Random

import pytest
from support.games import each_game, each_match, each_table
from support.histories import check_history
from support.policies import loser
from support.toy_game import Toy

from engines import Event, IllegalMove, OneOf, Some, Step, onwards, playout, replay
from engines.starry_sky import StarrySky
from engines.stella import Stella
from engines.stella_quest import StellaQuest
from engines.stellar import Stellar

LONGEST = 10_000
"""No match of any game has more steps."""
TRIES = 200
"""So often a second world is looked for."""
LOOKS = 6
"""About so often in a match worlds are held against all that was seen before."""
LONG = {"stella-quest": loser}
"""How seats play where random moves end a match before what is rare happens."""
WORLDS = 3
"""How many continuations in how many other worlds are compared with every step."""


class NothingButRandom(Random):
    """A generator of which only random() may be used: the rest is not promised to stay as it is."""

    def getrandbits(self, bits):
        raise AssertionError("expected Random.random() only")


def random_options(game, rng):
    return {key: rng.choice(values) for key, values in game.options.items()}


def check_secrets(game, seats, seed):
    """Assert that no seat, and no spectator, learns in one random match what it may not."""
    rng = Random(seed)
    deal = game.deal(seats, rng, random_options(game, rng))
    step = game.start(deal, seats)
    while True:
        state, before = step.state, hash(step.state)
        moves = {seat: choice.sample(rng) for seat, choice in game.choices(state).items()}
        step = game.play(state, moves) if moves else None
        public = game.view(state, None)
        assert "seat" not in public
        for seat in [*range(seats), None]:
            view = game.view(state, seat)
            assert json.loads(json.dumps(view)) == view
            assert all(view.get(key) == public[key] for key in public)
            assert (seat, seats) == (view.get("seat"), view["seats"])
            check_worlds(game, state, seat, moves, step, rng)
        assert hash(state) == before
        if step is None:
            return


def check_worlds(game, state, seat, moves, step, rng):
    """Assert that worlds that look like *state* to *seat* look like it in every way, also a step later."""
    view, choices = game.view(state, seat), game.choices(state)
    if step is not None:
        news, view_then = [event.seen_by(seat) for event in step.events], game.view(step.state, seat)
    for _ in range(WORLDS):
        other = game.imagine(view, rng)
        choices_there = game.choices(other)
        assert game.view(other, seat) == view
        assert choices_there.keys() == choices.keys()
        assert choices_there.get(seat) == choices.get(seat)
        if step is not None:
            elsewhere = {
                who: moves[who] if who == seat else choice.sample(rng)
                for who, choice in choices_there.items()
            }
            there = game.play(other, elsewhere)
            same_news = [event.seen_by(seat) for event in there.events] == news
            assert same_news == (game.view(there.state, seat) == view_then)


def check_imagination(game, seats, seed):
    """Assert that in one random match views bring several worlds to mind wherever several are possible.

    The true world is possible, so where another one is imagined there are at least two.
    """
    rng = Random(seed)
    for played in playout(game, game.deal(seats, rng), seats, rng):
        for seat in range(seats):
            view = game.view(played.state, seat)
            world = game.imagine(view, rng)
            assert world == played.state or any(game.imagine(view, rng) != world for _ in range(TRIES))


def check_histories(game, seats, seed):
    """Assert that no world that a seat imagines contradicts what it has seen since the start of one match."""
    rng = Random(seed)
    deal = game.deal(seats, rng, random_options(game, rng))
    policy = LONG[game.name](rng) if game.name in LONG else rng
    match = list(playout(game, deal, seats, policy))
    for end in range(1 + seed % len(match), len(match) + 1, 1 + len(match) // LOOKS):
        for seat in [*range(seats), None]:
            check_history(game, deal, match[:end], seat, rng)


@each_match
def test_no_seat_learns_what_it_may_not(game, seats, seed):
    check_secrets(game, seats, seed)


@each_match
def test_imagination_is_not_memory(game, seats, seed):
    check_imagination(game, seats, seed)


@each_match
def test_no_imagined_world_contradicts_what_a_seat_has_seen(game, seats, seed):
    check_histories(game, seats, seed)


# Leaks and lies, to see that the tests above notice them.


def showing(game, fact):
    """Return *game* with a view that shows to all what *fact* says of the state."""

    class Leak(game):
        def view(self, state, seat):
            return super().view(state, seat) | {"leak": fact(state)}

    return Leak()


def telling(game, fact):
    """Return *game* with an event more at every step: what *fact* says of the moves and the state after."""

    class Leak(game):
        def play(self, state, moves):
            after, events = super().play(state, moves)
            return Step(after, (*events, Event("leak", {"fact": fact(moves, after)})))

    return Leak()


def hands(state):
    return [list(player.hand) for player in state.players]


class HandForSpectators(Stellar):
    def view(self, state, seat):
        seen = super().view(state, seat)
        return seen if seat is not None else seen | {"hand": list(state.players[0].hand)}


class SilentEvents(Stellar):
    def play(self, state, moves):
        return Step(super().play(state, moves).state, ())


class OptionsFromOtherHands(Stellar):
    def choices(self, state):
        turned = min(state.players[1].hand, default="") < "C"
        choices = super().choices(state)
        return choices | {0: OneOf(choices[0].options[::-1])} if turned and 0 in choices else choices


LEAKS = {
    "a hand for spectators": HandForSpectators(),
    "events that say nothing": SilentEvents(),
    "options in an order that depends on another hand": OptionsFromOtherHands(),
    "hands in the view": showing(Stellar, hands),
    "the lowest cards in the view": showing(Stellar, lambda s: [min(hand, default="") for hand in hands(s)]),
    "hands in the view at one step": showing(Stellar, lambda s: hands(s) if s.step == "play" else []),
    "the next card in the view": showing(Stellar, lambda s: list(s.pile[:1])),
    "hands in an event": telling(Stellar, lambda moves, s: hands(s)),
    "numbers of hands whose backs are seen": showing(StellaQuest, hands),
    "the next card beside its back": showing(StellaQuest, lambda s: list(s.piles.pile[:1])),
    "what a later reshuffle brings": showing(StellaQuest, lambda s: [list(order) for order in s.luck.orders]),
    "tokens that lie face down": showing(StarrySky, lambda s: [list(board.tokens) for board in s.boards]),
    "the token of a move": telling(StarrySky, lambda moves, s: [*moves.values()]),
    "tokens in hand": showing(StarrySky, lambda s: list(s.hands)),
    "the next board": showing(StarrySky, lambda s: list(s.pile[:1])),
    "crosses of all while scouts show": showing(Stella, lambda s: list(s.round.crosses)),
    "who made which choice in secret": telling(Stella, lambda moves, s: [[*move] for move in moves.values()]),
    "the words to come": showing(Stella, lambda s: [list(pair) for pair in s.luck.words]),
    "cards that were kept in secret": showing(Toy, lambda s: [list(move) for _, move in s.moves]),
}


@pytest.mark.parametrize("game", LEAKS.values(), ids=LEAKS)
def test_a_leak_is_noticed(game):
    def check_all():
        for seed in range(40):
            check_secrets(game, game.seats[0], seed)

    with pytest.raises(AssertionError):
        check_all()


@pytest.mark.parametrize(
    "game", [showing(Stella, lambda s: s.round.number), telling(StarrySky, lambda moves, s: s.turn)]
)
def test_what_all_know_is_no_leak(game):
    check_secrets(game, game.seats[0], 0)


@each_game
def test_an_imagination_with_one_world_is_noticed(game):
    class OneWorld(type(game)):
        def imagine(self, view, rng):
            return super().imagine(view, Random(0))

    with pytest.raises(AssertionError):
        check_imagination(OneWorld(), game.seats[0], 0)


def forgetting(game, key, nothing):
    """Return *game* with an imagination that gets a view without what it says of the past under *key*."""

    class Forgetful(game):
        def imagine(self, view, rng):
            return super().imagine(dict(view) | ({key: nothing(view[key])} if view.get(key) else {}), rng)

    return Forgetful()


FORGOTTEN = {
    "which cards of a hand came from the row": forgetting(Stellar, "known", lambda known: [[], []]),
    "what was seen on scored boards": forgetting(StarrySky, "excluded", lambda excluded: {}),
    "its own crosses": forgetting(Stella, "past_crosses", lambda crosses: [[] for _ in crosses]),
    "what was kept": forgetting(Toy, "kept", lambda kept: [cards[::-1] for cards in kept]),
}


@pytest.mark.parametrize("game", FORGOTTEN.values(), ids=FORGOTTEN)
def test_an_imagination_that_forgets_is_noticed(game):
    def check_all():
        for seed in range(10):
            check_histories(game, game.seats[0], seed)

    with pytest.raises(AssertionError):
        check_all()


# The rest of the list.


def texts(value):
    """Yield every text inside a deal; keys do not count."""
    for inside in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts(inside)
    if isinstance(value, str):
        yield value


def lists(value, path=()):
    """Yield every list of several texts inside a deal, with the path to it."""
    if isinstance(value, list) and len(value) > 1 and all(isinstance(item, str) for item in value):
        yield path, value
    elif isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from lists(value[key], (*path, key))


def orders(game, seats):
    """Yield the lists of a deal that luck only puts in order, and their paths: every deal has what they hold.

    What stands in some deals only, such as the words of Stella, may be any text.
    """
    deals = [game.deal(seats, Random(seed)) for seed in range(10)]
    always = set.intersection(*[set(texts(deal)) for deal in deals])
    for path, items in lists(deals[0]):
        if always.issuperset(items):
            yield path, items


def with_list(deal, path, items):
    changed = copy.deepcopy(deal)
    *way, last = path
    inside = changed
    for key in way:
        inside = inside[key]
    inside[last] = items
    return changed


def bad_moves(choice, strangers):
    """Yield what no seat may answer to *choice*."""
    yield from (None, True, 0, 1.5, {}, {"move": "a"}, [1, 1], [None], [[]], "", "nonsense", "x" * 1_000)
    yield from (["nonsense"], [choice.options[0]] * 2, [choice.options[0]] * 1_000)
    if isinstance(choice, OneOf):
        yield from ([], [choice.options[0]], choice.options[:1])
        yield from sorted(strangers - set(choice.options))[:50]
    else:
        yield choice.options[0]
        yield from ([stranger] for stranger in sorted(strangers - set(choice.options))[:50])


@each_table
def test_a_match_ends_and_only_then_has_an_outcome(game, seats):
    for seed in range(20):
        rng = Random(seed)
        for steps, played in enumerate(playout(game, game.deal(seats, rng), seats, rng)):
            choices = game.choices(played.state)
            assert steps < LONGEST
            assert all(choice.count() > 0 for choice in choices.values())
            assert choices.keys() <= set(range(seats))
            if choices:
                with pytest.raises(ValueError, match="not over"):
                    game.outcome(played.state)
        outcome = game.outcome(played.state)
        assert seats == len(outcome.ranks) == len(outcome.scores)


@each_table
def test_every_sampled_move_is_legal_and_every_bad_move_is_refused(game, seats):
    rng, strangers = Random(5), set()
    for played in playout(game, game.deal(seats, rng), seats, rng):
        state, choices = played.state, game.choices(played.state)
        before, views = hash(state), [game.view(state, seat) for seat in range(seats)]
        good = {seat: choice.sample(rng) for seat, choice in choices.items()}
        for seat, choice in choices.items():
            assert isinstance(choice, (OneOf, Some))
            assert good[seat] == choice.check(good[seat])
            for bad in bad_moves(choice, strangers):
                with pytest.raises(IllegalMove):
                    choice.check(bad)
                with pytest.raises(IllegalMove):
                    game.play(state, good | {seat: bad})
            strangers.update(choice.options)
        assert (before, views) == (hash(state), [game.view(state, seat) for seat in range(seats)])


@each_table
def test_exactly_the_seats_that_are_asked_may_move(game, seats):
    rng = Random(6)
    for played in playout(game, game.deal(seats, rng), seats, rng):
        moves = {seat: choice.sample(rng) for seat, choice in game.choices(played.state).items()}
        a_move = next(iter(moves.values()), "nonsense")
        for seat in moves:
            with pytest.raises(ValueError, match="seats"):
                game.play(played.state, {who: move for who, move in moves.items() if who != seat})
        for seat in {*range(seats), -1, seats, "0", None} - set(moves):
            with pytest.raises(ValueError, match="seats"):
                game.play(played.state, moves | {seat: a_move})
        with pytest.raises(ValueError, match="seats"):
            game.play(played.state, {})


@each_table
def test_a_deal_with_a_card_missing_doubled_or_foreign_cannot_start(game, seats):
    deal, found = game.deal(seats, Random(0)), [*orders(game, seats)]
    for path, items in found:
        double = next(item for item in items if item != items[0])
        for changed in (items[1:], [*items, items[0]], [double, *items[1:]], ["X9", *items[1:]], None, []):
            with pytest.raises(ValueError, match=r"expected|at least"):
                game.start(with_list(deal, path, changed), seats)
    assert found


@each_table
def test_a_deal_is_json_and_depends_on_nothing_but_its_arguments(game, seats):
    for seed in range(20):
        options = random_options(game, Random(seed))
        deal = game.deal(seats, Random(seed), options)
        assert json.loads(json.dumps(deal)) == deal == game.deal(seats, Random(seed), options)
        assert game.start(deal, seats) == game.start(json.loads(json.dumps(deal)), seats)
        assert options == game.view(game.start(deal, seats).state, None)["options"]
    assert game.deal(seats, Random(1)) != game.deal(seats, Random(2))


@each_table
def test_a_table_size_or_an_option_that_a_game_does_not_have_is_refused(game, seats):
    deal = game.deal(seats, Random(8))
    for wrong in (0, 1, max(game.seats) + 1):
        with pytest.raises(ValueError, match="seats"):
            game.deal(wrong, Random(8))
        with pytest.raises(ValueError, match="seats"):
            game.start(deal, wrong)
    with pytest.raises(ValueError, match="no_such_option"):
        game.deal(seats, Random(8), {"no_such_option": 1})
    for key in game.options:
        with pytest.raises(ValueError, match=key):
            game.deal(seats, Random(8), {key: "no such value"})


@each_table
def test_missing_options_are_the_first_ones(game, seats):
    assert {key: values[0] for key, values in game.options.items()} == game.deal(seats, Random(9))["options"]
    assert game.deal(seats, Random(9)) == game.deal(seats, Random(9), {})


@each_table
def test_luck_comes_from_random_alone(game, seats):
    for seed in range(5):
        plain, strict = Random(seed), NothingButRandom(seed)
        one = list(playout(game, game.deal(seats, plain), seats, plain))
        other = list(playout(game, game.deal(seats, strict), seats, strict))
        assert one == other
        game.imagine(game.view(one[len(one) // 2].state, 0), strict)


@each_table
def test_a_record_that_has_been_through_json_replays_the_same_match(game, seats):
    for seed in range(10):
        rng = Random(seed)
        deal = game.deal(seats, rng, random_options(game, rng))
        match = list(playout(game, deal, seats, rng))
        record = json.loads(json.dumps({"deal": deal, "moves": [played.moves for played in match[1:]]}))
        again = list(replay(game, record["deal"], seats, record["moves"]))
        assert [(played.state, played.events) for played in match] == again
        assert [hash(played.state) for played in match] == [hash(step.state) for step in again]


@each_table
def test_ranks_begin_at_1_and_count_the_strictly_better_seats(game, seats):
    for seed in range(20):
        rng = Random(seed)
        *_, last = playout(game, game.deal(seats, rng), seats, rng)
        ranks = game.outcome(last.state).ranks
        assert 1 == min(ranks)
        assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)


@each_table
def test_states_are_values_that_can_be_copied_and_pickled(game, seats):
    rng = Random(10)
    for played in playout(game, game.deal(seats, rng), seats, rng):
        for again in (pickle.loads(pickle.dumps(played.state)), copy.deepcopy(played.state)):
            assert played.state == again
            assert hash(played.state) == hash(again)
            assert game.choices(played.state) == game.choices(again)


@each_table
def test_whoever_changes_what_a_game_hands_out_changes_nothing_in_it(game, seats):
    def spoil(value):
        for inside in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            spoil(inside)
        if isinstance(value, (dict, list)):
            value.clear()

    rng = Random(11)
    for played in playout(game, game.deal(seats, rng), seats, rng):
        state = played.state
        views = [json.dumps(game.view(state, seat)) for seat in range(seats)]
        choices = dict(game.choices(state))
        for seat in range(seats):
            spoil(game.view(state, seat))
        spoil(game.choices(state))
        assert choices == game.choices(state)
        assert views == [json.dumps(game.view(state, seat)) for seat in range(seats)]


@each_table
def test_an_imagined_world_can_be_played_to_its_end(game, seats):
    rng = Random(12)
    for step, played in enumerate(playout(game, game.deal(seats, rng), seats, rng)):
        if step & (step - 1) == 0:  # at every power of two
            for seat in [*range(seats), None]:
                state = game.imagine(game.view(played.state, seat), rng)
                for last in onwards(game, state, rng):
                    state = last.state
                assert seats == len(game.outcome(state).ranks)


@each_table
def test_a_view_can_be_told_in_plain_text_of_at_most_100_columns(game, seats):
    rng = Random(13)
    for played in playout(game, game.deal(seats, rng), seats, rng):
        for seat in [*range(seats), None]:
            view = game.view(played.state, seat)
            assert all(line.isprintable() and len(line) <= 100 for line in game.text(view).splitlines())


@each_table
def test_the_rules_are_summed_up_in_at_most_60_lines_of_100_columns(game, seats):
    lines = game.summary.splitlines()
    assert 4 <= len(lines) <= 60
    assert all(len(line) <= 100 for line in lines)
    assert all(option in game.summary for option in game.options)
