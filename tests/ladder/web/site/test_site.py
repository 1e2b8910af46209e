import re
import shutil
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest
from support.browser import open_page
from support.command_line import run_here
from support.rated_homes import a_rated_home
from support.records import a_fault, a_lone_match, a_seat
from support.sites import Elements, assert_no_markup, page_of, pages_of, read_pages, unpacked
from support.stores import stored

from engines import GAMES
from ladder.home.home import create_home, open_home
from ladder.home.season import begin_season
from ladder.registry.roster import Roster
from ladder.web.site import match_pages, site
from ladder.web.site.facts import gather
from ladder.web.site.format import Shown
from ladder.web.site.front_news import worth_watching
from ladder.web.site.match_pages import read_selection
from ladder.web.site.site import write_site
from ladder.web.site.site_options import SiteOptions
from results.record import Note, RunCommand, RunSettings

SECRET, SEED = "5ec7e7" + "ab" * 13, 987_654_321
NOTE, STDERR, ANSWER, REASON = "NOTE-OF-A-BOT", "STDERR-OF-A-BOT", "ANSWER-OF-A-BOT", "REASON-THAT-QUOTES"
DEAL_SEED = "dea15eed" * 8
HOST = "HOST-OF-THE-RUN"
NEVER = (SECRET, str(SEED), DEAL_SEED)
PRIVATE = (STDERR, ANSWER, REASON, HOST)
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\u202eevil\u0007",
    "../../escape",
    "' onmouseover='alert(1)",
    "W" * 32,
    "index",
    "שלום",
)


def a_secretive_home(path, *, over):
    """Make a home whose secret, seed, notes and stderr are known, with a run that is over or not."""
    home = create_home(path)
    settings = RunSettings(asked=RunCommand(seed=SEED), limits={"move_ms": 1000, "bank_ms": 1000})
    seats = [a_seat(bot, rank, notes=[Note(0, NOTE)]) for bot, rank in (("alpha", 1), ("beta", 2))]
    said = {"stderr": STDERR, "answer": ANSWER, "request": ANSWER, "reason": REASON}
    blocks = [a_lone_match(i, a_fault(i, **said), seats=seats, deal_seed=DEAL_SEED) for i in range(4)]
    stored(home.results, *blocks, ends=over, secret=SECRET, settings=settings, host=HOST)
    return home


def test_the_list_of_bots_says_no_more_of_a_rating_than_the_leaderboard(tmp_path):
    pages = pages_of(a_secretive_home(tmp_path / "home", over=True), tmp_path / "site")
    ends = re.findall("[≥≤] [0-9.]+", pages["bots.html"])
    assert ends
    assert all(each in pages["games/stellar.html"] for each in ends)


@pytest.mark.parametrize("over", [True, False])
@pytest.mark.parametrize("options", [SiteOptions(), SiteOptions(notes=True), SiteOptions(private=True)])
def test_a_site_shows_what_was_asked_for_and_never_a_secret(tmp_path, over, options):
    home = a_secretive_home(tmp_path / "home", over=over)
    write_site(home, tmp_path / "site", options)
    assert (tmp_path / "site/matches/1-3.html").is_file()
    everything = "".join(unpacked(path.read_text("utf-8")) for path in (tmp_path / "site").rglob("*.*"))
    for secret in (*NEVER, SECRET[:16], str(home.path)):
        assert secret not in everything
    for said_by_bot in PRIVATE:
        assert options.private == (said_by_bot in everything), said_by_bot
    assert options.shows_notes == (NOTE in everything)


def test_a_note_of_a_submitter_is_shown_only_if_asked_for(tmp_path, played):
    home = a_rated_home(tmp_path / "home", ["greedy", "bold"], 1)
    shutil.copytree(played.home / "bots", home / "bots", dirs_exist_ok=True)
    roster = Roster(home / "bots")
    version = roster.find("greedy")
    manifest = msgspec.structs.replace(version.manifest, author="BY-ME", description="<b>DESCRIPTION")
    roster.rewrite(msgspec.structs.replace(version, note="NOTE-OF-AN-AUTHOR", manifest=manifest))
    for options, notes, author in (
        ({}, False, False),
        ({"notes": True}, True, False),
        ({"private": True}, True, True),
    ):
        page = page_of(open_home(home), "bots/greedy.html", **options)
        assert (notes, author) == ("NOTE-OF-AN-AUTHOR" in page, "BY-ME" in page)
        assert "&lt;b&gt;DESCRIPTION" in page


@pytest.fixture(scope="module")
def hostile_site(tmp_path_factory):
    """Return the site of a home whose bots have hostile names."""
    folder = tmp_path_factory.mktemp("hostile")
    home = open_home(a_rated_home(folder / "home", list(HOSTILE), 1))
    write_site(home, folder / "site", SiteOptions(title=HOSTILE[0], matches=3))
    return folder / "site"


def test_hostile_names_are_text_in_every_element_and_attribute(hostile_site):
    shown = 0
    for name, page in read_pages(hostile_site).items():
        assert_no_markup(name, page)
        for _, attributes in Elements(page).found:
            shown += any(HOSTILE[0] in (value or "") for value in attributes.values())
    assert shown > 5  # they do stand in attributes


def test_hostile_names_make_no_files_elsewhere(hostile_site):
    names = {path.name for path in (hostile_site / "bots").iterdir()}
    assert len(HOSTILE) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+\.html", name) for name in names)
    assert {"home", "site"} == {path.name for path in hostile_site.parent.iterdir()}


def test_every_link_leads_to_a_file(hostile_site):
    for name, page in read_pages(hostile_site).items():
        for link in re.findall(r'(?:href|src|action)="(?!data:)([^"#]+)', page):
            assert (hostile_site / name).parent.joinpath(link).resolve().is_file(), (name, link)


def test_tables_sort_and_filter_and_no_request_leaves(browser, hostile_site):
    with open_page(browser, hostile_site / "bots.html", within=hostile_site) as page:
        rows = page.locator("tbody tr:visible th")
        assert len(HOSTILE) == rows.count()
        page.get_by_role("button", name="Stellar", exact=True).click()
        ratings = [float(text) for text in page.locator("tbody td:nth-child(3)").all_inner_texts()]
        assert sorted(ratings, reverse=True) == ratings
        page.get_by_role("button", name="Stellar", exact=True).click()
        assert "ascending" == page.locator("th[aria-sort]").get_attribute("aria-sort")
        page.get_by_label("Filter").fill("alert IMG")
        assert ['"><img src=x onerror=alert(1)>'] == rows.all_inner_texts()


def test_the_search_finds_a_bot_from_any_page(browser, hostile_site):
    with open_page(browser, hostile_site / "games/stellar.html", within=hostile_site) as page:
        page.get_by_label("Find a bot").fill("<script>")
        page.get_by_label("Find a bot").press("Enter")
        page.wait_for_url("**/bots.html?bot=*")
        assert [HOSTILE[0]] == page.locator("tbody tr:visible th").all_inner_texts()


def test_the_theme_is_remembered(browser, hostile_site):
    ground = "getComputedStyle(document.body).backgroundColor"
    with open_page(browser, hostile_site / "index.html", within=hostile_site) as page:
        light = page.evaluate(ground)
        for _ in range(2):
            page.locator("#theme").click()
        dark = page.evaluate(ground)
        assert light != dark
        page.goto((hostile_site / "runs/1.html").as_uri())
        assert dark == page.evaluate(ground)
        assert "Theme: dark" == page.locator("#theme").inner_text()


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a home in which three bots have played six blocks."""
    return open_home(a_rated_home(tmp_path_factory.mktemp("plain") / "home", ["greedy", "bold", "random"], 2))


@pytest.fixture(scope="module")
def folder(home, tmp_path_factory):
    """Return the site of *home* as it was written."""
    folder = tmp_path_factory.mktemp("plain") / "site"
    written = write_site(home, folder, SiteOptions(matches=5))
    assert written.files == written.changed
    return folder


@pytest.fixture(scope="module")
def site_pages(folder):
    return read_pages(folder)


def test_the_page_of_a_bot_tells_what_it_used_of_its_limits(tmp_path):
    page = page_of(a_secretive_home(tmp_path / "home", over=True), "bots/alpha.html")
    assert "median 0.1, 99 % 0.2, most 0.2 ms</td><td>1,000 ms</td>" in page
    assert "most 12 MB</td><td></td>" in page


def test_an_empty_home_says_what_to_type_next(tmp_path):
    pages = pages_of(create_home(tmp_path / "home"), tmp_path / "site")
    for name in ("index.html", "runs.html", "matches.html"):
        assert "ladder run --games 1000" in pages[name]
    assert "ladder submit my_bot.py" in pages["bots.html"]


@pytest.mark.slow
def test_a_site_shows_one_season_with_its_matches_and_runs_only(tmp_path):
    home = open_home(a_rated_home(tmp_path / "home", ["greedy", "bold"], 4))
    before = pages_of(home, tmp_path / "before")
    begin_season(home, "spring")
    assert "nothing measured yet" in pages_of(home, tmp_path / "empty")["index.html"]
    stored(home.results, *(a_lone_match(i, bots=("cid", "dan"), run=2) for i in range(3)), run=2)
    now, then = (pages_of(home, tmp_path / str(name), season=name) for name in (None, "first"))
    assert "2 bots played 3 matches of 1 game in season spring." in now["index.html"]
    assert "2 bots played 8 matches of 1 game in season first." in then["index.html"]
    assert ["runs/2.html"] == [name for name in now if name.startswith("runs/")]
    assert "bots/cid.html" in now
    assert "bots/greedy.html" not in now
    assert {name for name in before if "/" in name} == {name for name in then if "/" in name}


@pytest.mark.process
def test_a_site_that_several_processes_wrote_is_the_same(tmp_path, home, site_pages, monkeypatch):
    monkeypatch.setattr(site, "usable_cores", lambda: {0, 1})
    assert site_pages == pages_of(home, tmp_path / "site", matches=5)


def test_a_second_site_of_the_same_home_writes_nothing(home, folder):
    again = write_site(home, folder, SiteOptions(matches=5))
    assert (0, 0) == (again.changed, again.removed)


@pytest.mark.parametrize("name", ["slots.json", "wording.py", "drawing.py", "viewer.html"])
def test_pages_of_matches_are_made_again_when_a_file_that_decides_them_changes(
    tmp_path, home, folder, monkeypatch, name
):
    shutil.copytree(folder, tmp_path / "site")
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda file: read(file) + (b" " if file.name == name else b""))
    made = []
    monkeypatch.setattr(site, "match_page", lambda task: made.append(task.path) or "a page")
    write_site(home, tmp_path / "site", SiteOptions(matches=5))
    assert made


def test_a_match_that_cannot_be_shown_does_not_cost_the_site(tmp_path, home, monkeypatch):
    monkeypatch.setattr(match_pages, "viewer_block", Mock(side_effect=KeyError("a card that nobody has")))
    pages = pages_of(home, tmp_path / "site", matches=1)
    (name,) = [name for name in pages if name.startswith("matches/")]
    assert "its record contradicts itself" in pages[name]


def test_the_command_writes_a_site(tmp_path, home):
    done = run_here("site", tmp_path / "site", "--home", home.path, "--matches", 1)
    assert (0, "") == (done.code, done.err)
    assert re.search(r"site/index\.html: \d+ files, \d+ written", done.out)


def test_the_rules_of_each_game_are_a_click_away(site_pages):
    assert 'href="../rules/stellar.html"' in site_pages["games/stellar.html"]
    matches = [text for path, text in site_pages.items() if path.startswith("matches/")]
    assert matches
    assert all('href="../rules/stellar.html"' in text for text in matches)


def test_a_visitor_without_a_ladder_reads_the_protocol_and_what_bots_read_of_each_game(site_pages):
    assert 'href="protocol.html"' in site_pages["submit.html"]
    for name in GAMES:
        assert f'href="guides/{name}.html"' in site_pages["submit.html"]
        assert f'href="../guides/{name}.html"' in site_pages[f"rules/{name}.html"]
        assert "<table" in site_pages[f"guides/{name}.html"]
    for page in (site_pages["protocol.html"], *(site_pages[f"guides/{name}.html"] for name in GAMES)):
        inside = re.findall(r'href="#([^"]+)"', page.split("<main")[1])
        assert {*inside} <= {*re.findall(r'id="([^"]+)"', page)}
        assert ".md" not in "".join(re.findall(r'href="([^"]*)"', page))


def test_matches_are_worth_watching_for_a_reason_and_none_of_them_twice(tmp_path):
    home = open_home(a_rated_home(tmp_path / "home", ["greedy", "bold", "random"], 60))
    options = SiteOptions(matches=100)
    facts = gather(home, options)
    watched = {
        each.kind: each for each in worth_watching(Shown(facts, options, read_selection(facts, options)))
    }
    assert {"Close", "New"} <= watched.keys()
    assert re.fullmatch(r"\d+ points? apart", watched["Close"].why)
    assert len({each.which for each in watched.values()}) == len(watched)


def test_where_nobody_is_told_apart_the_first_page_says_so_in_place_of_an_order(site_pages):
    assert re.search("<b>[a-z]+ bots level at the top</b>", site_pages["index.html"])
    assert "95 % interval" in site_pages["games/stellar.html"]


CONTENTS = re.compile(r'<nav class="contents".*?</nav>', re.DOTALL)


def test_a_long_page_begins_with_a_list_of_its_sections(site_pages):
    lists = {}
    for name, page in site_pages.items():
        if found := CONTENTS.search(page):
            lists[name] = re.findall(r'href="#([^"]+)"', found[0])
            assert all(1 == page.count(f'id="{section}"') for section in lists[name]), name
    assert {"protocol.html", *(f"guides/{game}.html" for game in GAMES)} <= {*lists}
    assert ["the-rules", "names"] == lists["guides/stella.html"][:2]
