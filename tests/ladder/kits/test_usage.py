"""A bot made from any kit can store a note with a move, and say what the move cost."""

import pytest
from support.kits import ask_bot, build, require_tools, write_conversation

from engines import GAMES
from ladder.kits.create import create_bot
from ladder.kits.languages import LANGUAGES

NOTE = 'Two "harbours".'
USAGE = {"input_tokens": 412, "output_tokens": 37, "cost_usd": 0.00021, "requests": 2}
QUOTED, CITED = r'"Two \"harbours\"."', '"'


def pairs(sign, quote=""):
    """Return USAGE as a language spells it, with *sign* between a name and its value."""
    return ", ".join(f"{quote}{name}{quote}{sign}{value}" for name, value in USAGE.items())


VALUES = ", ".join(map(str, USAGE.values()))
C_SHARP = "InputTokens = 412, OutputTokens = 37, CostUsd = 0.00021, Requests = 2"
SCRIPT = ("  const { options", f"  act.note = {QUOTED}; act.usage = {{ {pairs(': ')} }};")
SAID = {
    "bash": ("    local size=", f"    note='{NOTE}' usage='{{{pairs(':', CITED)}}}'"),
    "c": ("    size_t size", f"    act->note = {QUOTED}; act->usage = (Usage){{{VALUES}}};"),
    "cpp": ("    std::vector<std::string> moves", f"    act.note = {QUOTED}; act.usage = {{{VALUES}}};"),
    "csharp": ("        var left", f"act.Note = {QUOTED}; act.Usage = new Usage {{ {C_SHARP} }};"),
    "go": ("\tlow, high :=", f"\tact.Note, act.Usage = {QUOTED}, &Usage{{{VALUES}}}"),
    "java": (
        "        List<String> moves",
        f"act.note = {QUOTED}; act.usage = java.util.Map.of({pairs(', ', CITED)});",
    ),
    "javascript": SCRIPT,
    "lua": ("    local moves", f"    act.note = {QUOTED}\n    act.usage = {{ {pairs(' = ')} }}"),
    "perl": ("    my ($low", f"    $act->{{note}} = {QUOTED}; $act->{{usage}} = {{{pairs(' => ')}}};"),
    "php": ("    $options = $act", f"    $act->note = {QUOTED}; $act->usage = [{pairs(' => ', CITED)}];"),
    "ruby": ("  size =", f"  act.note = {QUOTED}\n  act.usage = {{ {pairs(': ')} }}"),
    "rust": (
        "    let mut moves",
        f"act.note = Some({QUOTED}.to_string()); act.usage = referee::Usage {{ {pairs(': ')} }};",
    ),
    "typescript": SCRIPT,
}
"""Before which words of its main file a bot says what."""


def say(language, main):
    """Let the bot whose main file is *main* say NOTE and USAGE with every move."""
    text = main.read_text("utf-8")
    if language == "python":
        text = text.replace("import Act, serve", "import Act, Move, serve").replace(
            'serve(lambda act: choose(act, cast("View", act.view)))',
            f'serve(lambda act: Move(choose(act, cast("View", act.view)), note={NOTE!r}, usage={USAGE!r}))',
        )
        assert "Move(" in text
    else:
        before, said = SAID[language]
        assert 1 == text.count(before), text
        text = text.replace(before, f"{said}\n{before}")
    main.write_text(text, "utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.tools
@pytest.mark.slow
def test_a_bot_says_what_a_move_cost(language, tmp_path):
    kit = require_tools(LANGUAGES[language])
    bot = create_bot(kit, "rookie", tmp_path, "stella")
    say(language, bot / kit.main)
    build(bot)
    lines, choices = write_conversation("stella", max(GAMES["stella"].seats))
    _, *answered = ask_bot(bot, lines)
    assert len(choices) == len(answered)
    for answer in answered:
        assert NOTE == answer["note"]
        assert pytest.approx(USAGE) == answer["usage"]
