"""The names in the schemas of the games: those of the game, and no others like them."""

import pytest

from engines import GAMES
from engines.contract.game_schema import fits
from engines.contract.subject import subject_of
from engines.starry_sky.boards import BOARDS, PLACES
from engines.starry_sky.tokens import HIDDEN, TOKENS
from engines.stella.deck import DEFAULT
from engines.stella_quest.cards import BACKS, COLOURS, EMOTIONS
from engines.stellar.cards import CARDS, SLOTS, STARTERS


@pytest.mark.parametrize(
    ("game", "part", "names"),
    [
        ("starry-sky", "token", TOKENS),
        ("starry-sky", "shown_token", [*TOKENS, HIDDEN]),
        ("starry-sky", "board_name", BOARDS),
        ("starry-sky", "star", PLACES),
        ("stella", "house_card", DEFAULT.pictures),
        ("stella-quest", "card", BACKS),
        ("stella-quest", "emotion", EMOTIONS),
        ("stella-quest", "back", BACKS.values()),
        ("stella-quest", "colour", COLOURS),
        ("stellar", "card", CARDS),
        ("stellar", "starter", STARTERS),
        ("stellar", "slot", SLOTS),
    ],
)
def test_the_names_are_those_of_the_game_and_no_others_like_them(game, part, names):
    names, subject = [*names], subject_of(GAMES[game])
    one_sign_more = {
        text[:at] + sign + text[at:] for text in names for at in (0, len(text)) for sign in " 1X"
    }
    another_sign = {
        text[:at] + sign + text[at + 1 :] for text in names for at in range(len(text)) for sign in "A.?02468"
    }
    tried = {*names, *one_sign_more, *another_sign}
    assert {*names} == {text for text in tried if fits(subject, part, text)}
