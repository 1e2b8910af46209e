"""A bot made from any kit can store a note with a move, and say what the move cost."""

from pathlib import Path

import pytest
from support.kits import ask_bot, build, require_tools, write_conversation

from engines import GAMES
from ladder.kits.create import create_bot
from ladder.kits.languages import LANGUAGES

NOTE = 'Two "harbours".'
USAGE = {"input_tokens": 412, "output_tokens": 37, "cost_usd": 0.00021, "requests": 2}
QUOTED = r'"Two \"harbours\"."'
SAID = {
    "bash": (
        "    local size=",
        (
            """    note='Two "harbours".' """
            """usage='{"input_tokens":412,"output_tokens":37,"cost_usd":0.00021,"requests":2}'"""
        ),
    ),
    "c": ("    size_t size", f"    act->note = {QUOTED}; act->usage = (Usage){{412, 37, 0.00021, 2}};"),
    "cpp": (
        "    std::vector<std::string> moves",
        f"    act.note = {QUOTED}; act.usage = {{412, 37, 0.00021, 2}};",
    ),
    "csharp": (
        "        var left",
        (
            f"act.Note = {QUOTED};"
            "act.Usage = new Usage { InputTokens = 412, OutputTokens = 37, CostUsd = 0.00021, Requests = 2 };"
        ),
    ),
    "go": ("\tlow, high :=", f"\tact.Note, act.Usage = {QUOTED}, &Usage{{412, 37, 0.00021, 2}}"),
    "java": (
        "        List<String> moves",
        (
            f"act.note = {QUOTED};"
            'act.usage = java.util.Map.of("input_tokens", 412, "output_tokens", 37, "cost_usd", 0.00021'
            ', "requests", 2);'
        ),
    ),
    "javascript": (
        "  const { options",
        (
            f"  act.note = {QUOTED}; act.usage = {{ input_tokens: 412, output_tokens: 37, cost_usd: 0.00021"
            f", requests: 2 }};"
        ),
    ),
    "lua": (
        "    local moves",
        (
            f"    act.note = {QUOTED}\n"
            "    act.usage = { input_tokens = 412, output_tokens = 37, cost_usd = 0.00021, requests = 2 }"
        ),
    ),
    "perl": (
        "    my ($low",
        (
            f"    $act->{{note}} = {QUOTED};"
            "$act->{usage} = {input_tokens => 412, output_tokens => 37, cost_usd => 0.00021, requests => 2};"
        ),
    ),
    "php": (
        "    $options = $act",
        (
            f"    $act->note = {QUOTED};"
            "$act->usage = ['input_tokens' => 412, 'output_tokens' => 37, 'cost_usd' => 0.00021"
            ", 'requests' => 2];"
        ),
    ),
    "ruby": (
        "  size =",
        (
            f"  act.note = {QUOTED}\n  act.usage = {{ input_tokens: 412, output_tokens: 37, cost_usd: 0.00021"
            f", requests: 2 }}"
        ),
    ),
    "rust": (
        "    let mut moves",
        (
            f"act.note = Some({QUOTED}.to_string());"
            "act.usage = referee::Usage { input_tokens: 412, output_tokens: 37, cost_usd: 0.00021"
            ", requests: 2 };"
        ),
    ),
    "typescript": (
        "  const { options",
        (
            f"  act.note = {QUOTED}; act.usage = {{ input_tokens: 412, output_tokens: 37, cost_usd: 0.00021"
            f", requests: 2 }};"
        ),
    ),
}
"""Before which words of its main file a bot says what."""


def say(language: str, main: Path) -> None:
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
def test_a_bot_says_what_a_move_cost(language: str, tmp_path: Path) -> None:
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
