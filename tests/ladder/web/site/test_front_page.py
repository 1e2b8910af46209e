"""The first page of a site: who leads, what is new, a match in motion; nothing that results do not carry."""

import gzip
import html
import json
import re
import subprocess
import sys
import zlib
from base64 import b64decode
from unittest.mock import Mock

import msgspec
import pytest
from support.browser import open_page
from support.rated_homes import a_rated_home, a_replayable_home, rate
from support.records import a_lone_match, a_seat
from support.sites import page_of, pages_of
from support.stores import stored

from engines import GAMES
from ladder.errors import LadderError
from ladder.home.home import create_home, open_home
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.roster import Roster
from ladder.registry.version import Version
from ladder.web.pages.assets import asset_file, asset_of, read_asset
from ladder.web.site import moments
from ladder.web.site.facts import Facts
from ladder.web.site.site import write_site
from ladder.web.site.site_options import SiteOptions
from results.record import Contest, RunSettings
from results.storage.store import Store

COMMAND = re.compile(
    r"\bladder (run|submit|check|matrix|leaderboard|duel|bots|home|faults|matches|replay|play|calibration)\b"
)
LARGEST = 60_000
"""The most bytes of the first page and all that it needs, compressed."""
BEFORE, LATER = "2023-11-14T22:13:19+00:00", "2023-11-15T10:00:00+00:00"
"""Before the first run of made-up homes, and some hours after it."""


def site_of(home, folder, **options):
    write_site(home, folder, SiteOptions(**options))
    return folder


def front_of(home):
    return page_of(home, "index.html")


def words_of(page):
    """Return the text of the content of *page*, each run of spaces as one."""
    return words_in(
        re.sub(r"<script.*?</script>|<svg.*?</svg>", "", page.partition("<main")[2], flags=re.DOTALL)
    )


def words_in(markup):
    return " ".join(re.sub(r"<[^>]+>", "", markup).split())


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("front")
    return site_of(a_replayable_home(folder / "home"), folder / "site")


def moments_in(page):
    (data,) = re.findall(r'<script type="text/plain" id="moments">(.*?)</script>', page)
    return json.loads(zlib.decompress(b64decode(data)))


# -- the match in motion


def test_the_first_match_to_watch_is_shown_in_moments_from_where_it_turned_to_its_last_step(site):
    page = (site / "index.html").read_text("utf-8")
    data = moments_in(page)
    steps = data["steps"]
    assert 8 <= len(steps) == len(data["frames"]) <= 16
    assert sorted({*steps}) == steps
    assert f"Step {steps[0]} of {steps[-1]}" in page
    assert steps[0] >= steps[-1] // 4
    assert max(max(frame) for frame in data["frames"]) == len(data["parts"]) - 1
    # the board that is there without a script is the first moment, and it has the names of the bots
    board = page.partition('<div class="moments-board">')[2].partition("</svg>")[0]
    assert [] == [data["parts"][number] for number in data["frames"][0] if data["parts"][number] not in board]
    assert ">a<" in board
    assert ">b<" in board
    (link,) = re.findall(r'<a href="(matches/[^"]+)">Step through this match</a>', page)
    link, _, step = link.partition("#")
    assert str(steps[0]) == step
    assert (site / link).is_file()
    assert f'<a class="call" href="{link}">Watch a match</a>' in page


@pytest.mark.parametrize(
    ("turn", "lines"),
    [
        (6, [[0, 0], [0, 0], [1, 0], [1, 0], [1, 2], [2, 2], [3, 2], [4, 2]]),
        (None, [[0, 0], [1, 0], *[[2, 0]] * 7]),  # almost nothing lies on the board before
        (None, [[0, 0]] * 7 + [[1, 0]]),  # there would be nothing to show but the end
        (3, [[0, 0], [], [], [1, 0], [], [2, 0], []]),
        (None, [[]] * 9),
        (None, [[1, 2]]),
    ],
)
def test_a_match_turned_where_the_lead_changed_last(turn, lines):
    assert turn == moments._turning_point([dict(enumerate(line)) for line in lines])


def test_the_chances_of_a_review_say_where_a_match_turned(tmp_path, monkeypatch):
    home = a_replayable_home(tmp_path / "home", matches=1)
    rows = [
        Mock(step=step, seat=seat, chance_seen=abs(seat - (step > 20)))
        for step in range(40)
        for seat in (0, 1)
    ]
    monkeypatch.setattr(Facts, "find_review", lambda self, match: rows)
    assert 21 == moments_in(front_of(home))["steps"][0]


def test_a_match_that_never_turned_begins_half_way(tmp_path, monkeypatch):
    monkeypatch.setattr(moments, "_turning_point", lambda lines: None)
    page = front_of(a_replayable_home(tmp_path / "home", matches=1))
    steps = moments_in(page)["steps"]
    assert steps[-1] // 2 == steps[0]
    assert f'">Step {steps[0]} of {steps[-1]}</span>' in page


@pytest.mark.parametrize(("game", "seats"), [("stella", 6), ("starry-sky", 5)])
def test_the_first_page_is_small_at_the_largest_tables(tmp_path, monkeypatch, game, seats):
    monkeypatch.setattr(moments, "_turning_point", lambda lines: None)
    page = front_of(a_replayable_home(tmp_path / "home", game, seats, matches=1))
    assert 8 <= len(moments_in(page)["frames"])
    needed = re.findall(r'<(?:link rel="stylesheet" href|script src)="([^"]+)"', page)
    assert asset_file("front.js") in needed
    sent = [page, *(read_asset(asset_of(name)) for name in needed)]
    assert LARGEST > sum(len(gzip.compress(text.encode())) for text in sent)


def test_one_board_is_shown_where_there_is_no_room_for_moments_and_none_where_it_is_too_large(
    tmp_path, monkeypatch
):
    home = a_replayable_home(tmp_path / "home")
    monkeypatch.setattr(moments, "_weigh", lambda data: 1 if data.startswith(b"<svg") else 10**9)
    page = front_of(home)
    assert 'id="moments"' not in page
    assert "data-moments" not in page
    assert '<div class="moments-board"><svg' in page
    monkeypatch.setattr(moments, "_weigh", lambda data: 10**9)
    assert "moments-board" not in front_of(home)
    assert "Player 2" in front_of(home), "the card has a board of random moves"


def test_a_match_that_cannot_be_replayed_leaves_its_place_to_the_words(tmp_path):
    home = open_home(a_rated_home(tmp_path / "home", ["greedy", "bold"], 4))
    page = front_of(home)
    assert "moments-board" not in page
    assert ">Watch a match</a>" in page


def test_moments_play_and_a_keyboard_pauses_them(browser, site):
    with open_page(browser, site / "index.html", within=site) as page:
        place, button = page.locator(".moments-place"), page.locator("figure button")
        page.locator(".moments-place", has_text="Step").wait_for()
        assert "Pause" == button.text_content()
        assert page.locator(".moments-board .part").count() > 5
        button.focus()
        page.keyboard.press("Enter")
        assert "Play" == button.text_content()
        stopped = place.text_content()
        page.wait_for_timeout(2_000)
        assert stopped == place.text_content()
        page.keyboard.press("Space")
        page.locator(".moments-place", has_not_text=stopped).wait_for()


def test_moments_rest_where_nobody_sees_them(browser, site):
    with open_page(browser, site / "index.html", within=site, height=300) as page:
        place = page.locator(".moments-place")
        page.evaluate("document.getElementById('content').style.paddingBottom = '3000px'")
        page.evaluate("scrollTo({ top: 1e6, behavior: 'instant' })")
        page.wait_for_timeout(500)
        now = place.text_content()
        page.wait_for_timeout(2_500)
        assert now == place.text_content()
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        page.locator(".moments-place", has_not_text=now).wait_for()


@pytest.mark.parametrize("how", [{"reduced_motion": True}, {"javascript": False}])
def test_who_wants_no_motion_or_has_no_script_sees_where_it_turned(browser, site, how):
    with open_page(browser, site / "index.html", within=site, **how) as page:
        page.wait_for_timeout(2_000)
        assert page.locator(".moments-place").text_content() in (site / "index.html").read_text("utf-8")
        assert 1 == page.locator(".moments-board svg").count()
        buttons = page.locator("figure button")
        assert ["Play"] * ("javascript" not in how) == buttons.all_text_contents()


def test_long_names_make_the_first_page_no_wider(browser, tmp_path):
    home = open_home(a_rated_home(tmp_path / "home", ["W" * 32, "M" * 32], 4))
    site = site_of(home, tmp_path / "site", matches=2)
    with open_page(browser, site / "index.html", within=site, width=320) as page:
        assert 320 >= page.evaluate("document.documentElement.scrollWidth")


def test_in_print_there_is_one_board_and_nothing_to_press(browser, site):
    with open_page(browser, site / "index.html", within=site) as page:
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator(".moments-place").text_content() in (site / "index.html").read_text("utf-8")
        assert page.locator(".moments-board svg").is_visible()
        assert not page.locator("figure button").is_visible()


# -- who leads, who rose, who is new


def test_a_bot_leads_only_where_it_is_told_apart_from_all_others(tmp_path):
    words = words_of(front_of(open_home(a_rated_home(tmp_path / "sure", ["a", "b", "c"], 200))))
    assert "Stellar You point a telescope at the sky and keep a notebook. a leads" in words
    words = words_of(front_of(open_home(a_rated_home(tmp_path / "open", ["a", "b", "c"], 3))))
    assert " leads" not in words
    assert "three bots level at the top" in words


def test_two_groups_that_never_met_have_no_leader(tmp_path):
    home = a_rated_home(tmp_path / "home", ["a", "b"], 80)
    rate(home, [("c", "c-1"), ("d", "d-1")], 80)
    words = words_of(front_of(open_home(home)))
    assert " leads" not in words
    assert "two bots level at the top" in words


def a_version(bot, number, submitted):
    return Version(bot, f"{bot}-{number}", "", BotManifest(bot, ("run",)), number, submitted, number=number)


def a_home_with_versions(path, monkeypatch, blocks, *versions):
    """Make a home in which `new` has two versions, of which the second mostly beats the first."""
    home = a_rated_home(path, ["old"], 0)
    rate(home, [("new", "new-2"), ("old", "old-1"), ("new", "new-1")], blocks)
    monkeypatch.setattr(Roster, "versions", lambda self: [*versions])
    return open_home(home)


@pytest.mark.parametrize(("blocks", "rose"), [(40, True), (3, False)])
def test_a_version_rose_where_it_is_surely_better_than_the_one_before(tmp_path, monkeypatch, blocks, rose):
    versions = (a_version("new", 1, BEFORE), a_version("new", 2, LATER), a_version("old", 1, BEFORE))
    home = a_home_with_versions(tmp_path / "home", monkeypatch, blocks, *versions)
    words = words_of(front_of(home))
    assert rose == ("Who rose" in words)
    assert rose == bool(
        re.search(r"new@2 is above new@1 in Stellar: rated \d+\.\d higher, told apart", words)
    )
    assert f"new@2 new version, 2023-11-15, {4 * blocks} matches" in words


def test_a_version_that_was_here_before_the_first_run_is_no_news(tmp_path, monkeypatch):
    versions = (a_version("new", 1, BEFORE), a_version("new", 2, BEFORE), a_version("old", 1, ""))
    home = a_home_with_versions(tmp_path / "home", monkeypatch, 40, *versions)
    words = words_of(front_of(home))
    assert "Who rose" not in words
    assert "Newcomers" not in words


def test_newcomers_have_their_date_and_at_most_some_are_named(tmp_path, monkeypatch):
    versions = [a_version(f"b{i}", 1, f"2023-11-16T10:00:0{i}+00:00") for i in range(7)]
    home = a_home_with_versions(tmp_path / "home", monkeypatch, 3, a_version("old", 1, BEFORE), *versions)
    words = words_of(front_of(home))
    assert "Newcomers b6 new bot, 2023-11-16, no match yet b5 new bot" in words
    assert "b2 new bot, 2023-11-16, no match yet 2 more" in words


# -- play, watch, and words for visitors


def test_a_site_leads_to_a_match_and_to_how_to_submit_but_to_no_table(site):
    calls = re.findall(r'<a class="call" href="([^"]*)">([^<]*)<', (site / "index.html").read_text("utf-8"))
    assert ["Watch a match", "Submit a bot", "Watch"] == [text for _, text in calls]
    assert "submit.html" == calls[1][0]


def test_an_empty_ladder_has_no_board_and_says_what_to_do_next(tmp_path):
    page = front_of(create_home(tmp_path / "home"))
    assert "moments" not in page.partition("<main")[2]
    assert "Watch a match" not in page
    assert "ladder run --games 1000" in page
    assert len(GAMES) == page.count('<a class="card-board" href="rules/')


# -- the ladder's name, its tabs, and what goes on


def test_the_name_of_a_ladder_is_typed_or_set_or_says_what_it_is(tmp_path):
    home = create_home(tmp_path / "home")
    assert "<title>A ladder of bots</title>" in front_of(home)
    settings = home.path / "ladder.toml"
    settings.write_text(settings.read_text().replace("[site]", '[site]\ntitle = "Course <b>"', 1))
    home = open_home(home.path)
    assert "<title>Course &lt;b&gt;</title>" in front_of(home)
    assert "<title>Typed</title>" in page_of(home, "index.html", title="Typed")
    for wrong in ("", "  ", "a\\nb", "x" * 101):
        settings.write_text(f'[site]\ntitle = "{wrong}"\n')
        with pytest.raises(LadderError, match="title"):
            open_home(home.path)


def test_all_games_are_behind_one_tab_and_one_game_is_a_tab(tmp_path):
    tabs = re.compile(r"<nav class=\"tabs\".*?</nav>", re.DOTALL)
    one = a_replayable_home(tmp_path / "one", matches=1)
    assert "Stellar Bots Matches Submit" == words_in(tabs.search(front_of(one))[0])
    stored(one.results, a_lone_match(0, game="stella", run=2, seats=[a_seat("a", 1), a_seat("b", 2)]), run=2)
    page = page_of(one, "games/stella.html")
    assert "GamesStellarStella Bots Matches Submit" == words_in(tabs.search(page)[0])
    assert '<a href="../games/stella.html" aria-current="page">Stella</a></div></details>' in page
    assert '<p><a href="../runs.html">Runs</a></p>' in page.partition("<footer")[2]


def test_a_run_says_how_far_it_is_while_it_goes_on(tmp_path):
    home = create_home(tmp_path / "home")
    contest = Contest("stellar", 2, {}, (0, 1))
    seats = [a_seat("a", 1), a_seat("b", 2)]
    settings = RunSettings(contests=(contest,), blocks=(5,))
    stored(home.results, *(a_lone_match(i, seats=seats) for i in range(3)), ends=False, settings=settings)
    store = Store(home.results)
    with store.lock():
        assert "A run goes on: 3 of 10 matches" in words_of(front_of(home))
        store.amend(msgspec.structs.replace(settings, blocks=None))
        assert "A run goes on: 3 matches" in words_of(front_of(home))
    store.folder.lock.write_text("")
    assert "A run goes on" not in words_of(front_of(home)), "it was interrupted"


def test_no_page_of_results_tells_visitors_to_type_a_command(tmp_path):
    home = a_rated_home(tmp_path / "home", ["a", "b", "c"], 3)
    rate(home, [("d", "d-1"), ("e", "e-1")], 3)
    pages = pages_of(open_home(home), tmp_path / "site", matches=2)
    looked_at = 0
    for name, page in pages.items():
        if name not in ("submit.html", "protocol.html") and not name.startswith("guides/"):
            text = re.sub(r"<[^>]+>", "", page)
            assert not COMMAND.search(text), (name, COMMAND.search(text))
            looked_at += 1
    assert looked_at > 10
    assert '<a href="bots.html#ratings">What ratings cannot say</a>' in pages["index.html"]
    assert "What the ratings cannot say" in words_of(pages["bots.html"])
    said = words_of(pages["games/stellar.html"]).partition("What the ratings cannot say")[2]
    assert "2 groups of bots never met each other" in said


@pytest.mark.process
def test_a_visitor_without_a_ladder_reads_how_to_write_a_bot(tmp_path):
    home = create_home(tmp_path / "home")
    page = page_of(home, "submit.html")
    program = html.unescape(page.partition("<code>import")[2].partition("</code>")[0])
    asked = {"type": "act", "id": "7", "seed": 1, "step": 0, "choice": {"kind": "one", "options": ["go"]}}
    lines = f"{json.dumps({'type': 'hello'})}\n{json.dumps(asked)}\n"
    done = subprocess.run(
        [sys.executable, "-Ic", f"import{program}"], input=lines, capture_output=True, text=True, check=True
    )
    ready, answer = map(json.loads, done.stdout.splitlines())
    assert ("ready", {"id": "7", "move": "go"}) == (ready["type"], answer)


def test_a_ladder_says_in_its_own_words_where_bots_are_handed_in(tmp_path):
    home = create_home(tmp_path / "home")
    assert "to those who run this ladder" in page_of(home, "submit.html")
    settings = home.path / "ladder.toml"
    said = '[site]\nhand_in = "Send it to <ann>.\\n\\nUntil Friday."\n'
    settings.write_text(settings.read_text().replace("[site]", said, 1))
    page = page_of(open_home(home.path), "submit.html")
    assert "<p><bdi>Send it to &lt;ann&gt;.</bdi></p>\n<p><bdi>Until Friday.</bdi></p>" in page
    assert "to those who run this ladder" not in page
