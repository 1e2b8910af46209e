import re
from base64 import b64encode
from hashlib import sha256
from html import unescape

import pytest
from support.pictures import contrast

from ladder.web.pages.assets import FOLDER, asset_file, asset_of, policy_of_files, policy_of_texts, read_asset
from ladder.web.pages.environment import render
from ladder.web.pages.frame import Frame

BASE = "pages/templates/base.html"
VARIABLE = re.compile(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")


@pytest.mark.parametrize("theme", [0, 1])
def test_text_and_graphics_have_enough_contrast(theme):
    colours = {name: both[theme] for name, *both in VARIABLE.findall(read_asset("site.css"))}
    for ground in ("background", "surface", "band"):
        for text in ("text", "muted", "accent", "good", "bad"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
        for number in range(1, 9):
            assert contrast(colours[f"series-{number}"], colours[ground]) >= 3, (number, ground)


def test_a_page_that_is_one_file_allows_its_own_script_and_style_by_their_hashes():
    page = render(BASE, Frame(inline=True, home=""))
    policy = unescape(re.search('Content-Security-Policy" content="([^"]*)"', page)[1])
    for tag in ("script", "style"):
        (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        hashed = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{hashed}';" in policy
    assert not re.findall('(src|href)="(?!#|data:)', page)


def test_a_page_of_a_folder_links_to_files_that_exist():
    page = render(BASE, Frame(root="../"))
    linked = re.findall('(?:src|href)="\\.\\./([a-z0-9.]*)"', page)
    assert {asset_file("site.css"), asset_file("site.js"), "index.html"} == set(linked)
    assert {"site.css", "site.js", "index.html"} == {*map(asset_of, linked)}


def test_no_policy_allows_inline_or_evaluated_scripts_or_other_hosts():
    for policy in (policy_of_files(), policy_of_files(live=True), policy_of_texts(["a"], ["b"])):
        assert policy.startswith("default-src 'none'; ")
        assert not re.search(r"unsafe|\*|https?:", policy)
    assert "script-src 'none'; style-src 'none'" in policy_of_texts([], [])


def test_no_template_has_inline_scripts_styles_or_handlers():
    templates = sorted(FOLDER.parents[1].glob("*/templates/*.html"))
    assert templates
    for template in templates:
        text = template.read_text("utf-8")
        assert not re.search(r"\bstyle=|\bon[a-z]+=|javascript:|https?://", text), template
        assert not re.search(r"\|\s*safe\b|autoescape", text), template
