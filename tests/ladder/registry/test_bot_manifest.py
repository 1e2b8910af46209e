"""What bot.toml may say."""

import msgspec
import pytest
from msgspec.inspect import NoneType, StrType, StructType, Type, UnionType, type_info

from engines import GAMES
from ladder.errors import UsageProblem
from ladder.home.settings import Settings
from ladder.registry.bot_manifest import BotManifest, read_manifest
from protocol.messages import Hello

READ = BotManifest, Settings, Hello
"""What strangers write: these structs, and those beside them."""
LONG = f'"{"x" * 5000}"'
MANY = "[" + '"a",' * 300 + "]"


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (r'"a\u0000b"', r"Expected `str` matching regex '^[^\\x00]*$' - at `$.build`"),
        (r'["make", "a\u0000b"]', r"Expected `str` matching regex '^[^\\x00]*$' - at `$.build[1]`"),
        (LONG, "Expected `str` of length <= 4096 - at `$.build`"),
        (MANY, "Expected `array` of length <= 256 - at `$.build`"),
        ("7", "`build` is a whole number; write a text"),
        ('["make", 7]', "`build[1]` is a whole number; write a text"),
    ],
)
def test_a_build_is_one_text_or_several(tmp_path, build, said):
    (tmp_path / "bot.toml").write_text(f'name = "rat"\nrun = ["./rat"]\nbuild = {build}\n')
    with pytest.raises(UsageProblem) as refused:
        read_manifest(tmp_path, GAMES)
    assert f"{tmp_path}/bot.toml: {said}" == str(refused.value)


def test_no_pattern_stands_in_a_union_that_msgspec_0_22_cannot_free():
    """It ends Python by a segmentation fault where the allocator checks, as with PYTHONDEVMODE=1."""
    read = [kind for kind in structs(msgspec.Struct) if kind.__module__ in {each.__module__ for each in READ}]
    unions = [union for kind in read for union in unions_in(type_info(kind))]
    assert unions
    for union in unions:
        kinds = [each for each in union.types if not isinstance(each, NoneType)]
        assert len(kinds) < 2 or not any(isinstance(each, StrType) and each.pattern for each in kinds)


def structs(kind):
    for each in kind.__subclasses__():
        yield from (each, *structs(each))


def unions_in(found, depth=0):
    """Yield the unions in what msgspec has *found*, which is no struct, or is the outermost one."""
    if isinstance(found, UnionType):
        yield found
    if isinstance(found, StructType):
        parts = [each.type for each in found.fields] if not depth else []
    else:
        values = [getattr(found, name) for name in found.__struct_fields__]
        parts = [part for value in values for part in (value if isinstance(value, tuple) else [value])]
    for part in parts:
        if isinstance(part, Type):
            yield from unions_in(part, depth + 1)


def test_a_remote_bot_is_a_name_and_no_command(tmp_path):
    file = tmp_path / "bot.toml"
    file.write_text('name = "mine"\nremote = true\n')
    assert BotManifest("mine", remote=True) == read_manifest(tmp_path, GAMES)
    assert b"remote" not in msgspec.json.encode(BotManifest("mine", ("./mine",)))
    for line in ('run = ["./mine"]', 'build = "make"', "network = true", "threads = 2", 'env = ["KEY"]'):
        file.write_text(f'name = "mine"\nremote = true\n{line}\n')
        with pytest.raises(UsageProblem, match="a remote bot has no"):
            read_manifest(tmp_path, GAMES)
