import json
import re
import zlib
from base64 import b64decode

import pytest
from jinja2 import UndefinedError
from support.sites import Elements

from ladder.web.pages.environment import packed_block, render, visible
from ladder.web.pages.frame import Frame, Link

BASE = "pages/templates/base.html"
HOSTILE = "</title><script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u202e\x1b[31m\x00&amp;"


def test_hostile_text_stays_text_in_elements_and_attributes():
    frame = Frame(
        ladder=HOSTILE,
        tabs=(Link(HOSTILE, HOSTILE),),
        current=HOSTILE,
        search=HOSTILE,
        home=HOSTILE,
        measured=(HOSTILE,),
    )
    page = Elements(render(BASE, frame))
    plain = Frame(tabs=(Link("a", "a"),), current="a", search="s", home="a", measured=("m",))
    plain = Elements(render(BASE, plain))
    assert [tag for tag, _ in plain.found] == [tag for tag, _ in page.found]
    assert [set(attributes) for _, attributes in plain.found] == [set(each) for _, each in page.found]
    assert visible(HOSTILE) in page.texts


def test_what_cannot_be_seen_is_shown_escaped():
    assert "a\\x1b[31m\\u202eb\\x00" == visible("a\x1b[31m\u202eb\x00")
    assert "tab\tline\nüñí 星" == visible("tab\tline\nüñí 星")
    assert "\\ud800" == visible("\ud800")
    assert "a\\u061c\\xad\\ufe0f\\U000e0101b" == visible("a\u061c\xad\ufe0f\U000e0101b")


def test_a_value_that_is_missing_is_an_error():
    with pytest.raises(UndefinedError):
        render(BASE, None)


def test_data_cannot_end_its_element():
    value = {"name": "</script><script>alert(1)</script><!--\u2028\u2029&"}
    block = str(packed_block(value, "data"))
    packed = re.fullmatch('<script type="text/plain" id="data">([\\w+/=]*)</script>', block)[1]
    assert value == json.loads(zlib.decompress(b64decode(packed)))
