"""What the package offers, and what it says where the extra is missing."""

import sys

import pytest
from support.need import need

import ladder.learn


@pytest.mark.parametrize("name", ["Encoder", "LadderEnv", "SeatEnv", "Tables"])
def test_without_the_extra_an_error_says_what_to_type(name, monkeypatch):
    for module in [each for each in sys.modules if each.startswith("ladder.learn.")]:
        monkeypatch.delitem(sys.modules, module)
    for missing in ("numpy", "gymnasium", "pettingzoo"):
        monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(
        ImportError, match=rf"^ladder.learn.{name} needs (numpy|gymnasium): pip install 'botladder\[learn\]'$"
    ):
        getattr(ladder.learn, name)


def test_another_name_is_no_attribute():
    with pytest.raises(AttributeError, match="'Tray'"):
        ladder.learn.Tray  # noqa: B018 - it is asked for


def test_the_classes_are_what_it_shows():
    assert ["Encoder", "LadderEnv", "SeatEnv", "Tables"] == dir(ladder.learn) == ladder.learn.__all__


@pytest.mark.tools
def test_a_star_brings_them():
    for package in ("numpy", "gymnasium", "pettingzoo"):
        need(package)
    brought = {}
    exec("from ladder.learn import *", brought)
    assert {*ladder.learn.__all__} == brought.keys() - {"__builtins__"}
