"""The pages of tournaments on a site and on a server: who met whom, where all leads, nothing as markup."""

import re
from urllib.parse import urljoin

import pytest
from markupsafe import escape
from starlette.testclient import TestClient
from support.browser import NARROW, WIDE, find_violations, find_wider, open_page
from support.page_checkers import html_validate
from support.rated_homes import a_rated_home, rate
from support.records import a_block
from support.sites import Elements, assert_no_markup, page_of
from support.stored_events import store_event

from ladder.errors import NotFound
from ladder.home.home import create_home, open_home
from ladder.run.tournament.event_facts import find_screen, read_events
from ladder.run.tournament.event_words import tell_won
from ladder.web.pages.environment import visible
from ladder.web.serve.app import create_app
from ladder.web.serve.edition import Follower, read_edition
from ladder.web.site import pages
from ladder.web.site.site import write_site
from ladder.web.site.site_options import SiteOptions
from results.record import encode_block
from results.storage.disk import Disk
from results.storage.revealed import Revealed, write_revealed
from results.storage.unrated import unrated_store

HOSTILE = ["<script>alert(1)</script>", "\u202eevil", "W" * 32, "' onmouseover='alert(1)", "שלום"]
BOTS = [*HOSTILE, *(f"student-{number:02}" for number in range(1, 20))]
PAGES = (
    "tournaments.html",
    "tournaments/cup.html",
    "tournaments/cup/knockout-quarter.html",
    "tournaments/double.html",
    "tournaments/class.html",
    "tournaments/class/swiss-2.html",
    "tournaments/groups.html",
    "tournaments/later.html",
)
BOUND = 150_000
"""The most bytes of a page of these, of 24 bots: links, not pictures."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = create_home(tmp_path_factory.mktemp("events") / "home")
    rate(home.path, [(bot, f"{bot}-1") for bot in BOTS], 1)
    store_event(home, "cup", "knockout:8", BOTS[:8])
    store_event(home, "double", "double-knockout:8", BOTS[:8], most=20)
    store_event(home, "class", "swiss:3+final:4,2", BOTS, game="stella", seats=4, most=30)
    store_event(home, "groups", "groups:2,2+knockout:4", BOTS[:9])
    store_event(home, "later", "swiss:2+knockout:4", BOTS[:8], most=0)
    store_event(home, "rated", "knockout:4", BOTS[:4], rated=True)
    return home


@pytest.fixture(scope="module")
def site(home, tmp_path_factory):
    """Return a site of *home* whose pages of bots are empty: their charts take long."""
    folder = tmp_path_factory.mktemp("events") / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "bot_page", lambda *_: "")
        write_site(home, folder, SiteOptions(title="A course", matches=12))
    return folder


def as_told(name):
    """Return a name as it stands in a page."""
    return str(escape(visible(name)))


def cells(page):
    """Return the texts of the cells of each row of *page*."""
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", page, re.DOTALL)
    ]


def test_a_home_without_tournaments_has_no_trace_of_them(tmp_path):
    home = open_home(a_rated_home(tmp_path / "home", ["a", "b"], 1))
    write_site(home, tmp_path / "site", SiteOptions(matches=0))
    for path in (tmp_path / "site").rglob("*"):
        assert "tournament" not in path.name
        assert "screen" not in path.name
        assert path.suffix != ".html" or "tournaments.html" not in path.read_text("utf-8")


def test_the_list_has_the_state_and_the_winner_of_each_the_newest_first(home, site):
    page = (site / "tournaments.html").read_text("utf-8")
    rows = cells(page)[1:]
    assert ["rated", "later", "groups", "class", "double", "cup"] == [row[0] for row in rows]
    assert ["not begun", "over", "being played", "over"] == [rows[index][5] for index in (1, 2, 3, 5)]
    events = read_events(home.results, {})
    assert 'href="tournaments.html"' in (site / "index.html").read_text("utf-8")
    (winner,) = events["groups"].winners
    assert as_told(events["groups"].names[winner]) == rows[2][6]
    assert "" == rows[3][6]


def test_a_cross_table_has_every_round_of_every_bot_and_their_sum(home, site):
    (stage,) = read_events(home.results, {})["class"].state.report
    rows = cells((site / "tournaments/class.html").read_text("utf-8"))
    heads, *rows = rows
    assert ["#", "bot", "score", "opponents", "1", "2", "3"] == heads
    assert len(BOTS) == len(rows)
    for row, told in zip(stage.rows, rows, strict=True):
        assert as_told(BOTS[row.entrant]) == told[1]
        assert f"{float(row.score):.2f}" == told[2]
        (table,) = [table for table in stage.rounds[0].tables if row.entrant in table.entrants]
        assert tell_won(table, table.entrants.index(row.entrant)) == told[4].partition(" ")[0]
    assert any("…" in told[6] for told in rows)  # its tables have not begun


def test_a_grid_has_the_score_of_each_against_each(site):
    heads, *rows = cells((site / "tournaments/groups.html").read_text("utf-8"))[:6]
    assert ["#", "bot", "score", "opponents", "1", "2", "3", "4", "5"] == heads
    for one in range(5):
        assert "" == rows[one][4 + one]
        for two in range(one):
            won = [float(cell.replace("½", ".5")) for cell in (rows[one][4 + two], rows[two][4 + one])]
            assert 2.0 == sum(won), "each table had two deals"


def test_the_page_of_a_round_says_who_met_whom_who_goes_on_and_leads_to_matches(home, site):
    page = (site / "tournaments/cup/knockout-quarter.html").read_text("utf-8")
    assert 4 == page.count("goes on") == page.count(">out<")
    assert 'href="../../tournaments/cup/knockout-semifinal.html"' in page
    final = (site / "tournaments/cup/knockout-final.html").read_text("utf-8")
    cup = read_events(home.results, {})["cup"].state
    numbers = [number for deal in cup.deals[cup.report[0].rounds[-1].name] for number in deal]
    assert numbers
    assert f'<a href="../../matches/d1-{numbers[0]}.html">Watch</a>' in final
    assert len(numbers) == len(re.findall(r"<li>.* beat .*, \d+ : \d+|<li>a tie of", final))
    (title,) = re.findall("<title>(.*) - ", final)
    assert re.fullmatch(r"Final: \S+ beat \S+, [\d½¼¾]+ : [\d½¼¾]+", title)
    assert re.search("<title>cup: .* wins - ", (site / "tournaments/cup.html").read_text("utf-8"))
    assert (site / f"matches/d1-{numbers[0]}.html").is_file()
    assert "ladder replay" not in page, "visitors cannot type"


def test_at_most_as_many_matches_of_tournaments_get_a_page_as_are_asked_for(home, site):
    assert 12 == len([path for path in (site / "matches").iterdir() if path.name.startswith("d")])
    page = page_of(home, "tournaments/cup/knockout-final.html", matches=0)
    assert "matches/d1" not in page


def test_every_link_of_their_pages_leads_to_a_file(site):
    for path in [site / "tournaments.html", *(site / "tournaments").rglob("*.html")]:
        text = path.read_text("utf-8")
        for link in {attributes["href"] for _, attributes in Elements(text).found if "href" in attributes}:
            file, _, place = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            assert link == "data:," or target.is_file(), (path.name, link)
            assert not place or f'id="{place}"' in target.read_text("utf-8"), (path.name, link)


def test_names_are_text_on_all_their_pages_and_no_page_is_large(site):
    shown = 0
    for path in [site / "tournaments.html", *(site / "tournaments").rglob("*.html")]:
        text = path.read_text("utf-8")
        shown += "alert(1)" in text
        assert len(text.encode()) < BOUND, path.name
        assert_no_markup(path.name, text)
    assert shown > 5


def test_a_page_of_a_round_stays_small_where_there_are_many_matches(tmp_path):
    home = create_home(tmp_path / "home")
    store_event(
        home, "long", "swiss:1", [f"b{number}" for number in range(42)], game="stella", seats=6, deals=30
    )
    client = client_of(home)
    page = client.get("/tournaments/long/swiss-1.html").text
    assert len(page) < 2 * BOUND
    assert 42 * 30 > page.count('href="../../matches/') >= 990
    assert "Also d1/" in page


def test_the_matches_of_a_rated_one_are_those_of_a_run(home, site):
    assert read_events(home.results, {})["rated"].is_rated
    assert "these matches count" in (site / "tournaments/rated.html").read_text("utf-8")
    page = client_of(home).get("/tournaments/rated/knockout-final.html").text
    assert re.search(r'href="../../matches/2-\d+.html">Watch<', page)


def test_a_tournament_whose_secret_is_lost_says_so(tmp_path, monkeypatch):
    home = create_home(tmp_path / "home")
    store_event(home, "cup", "knockout:2", BOTS[:2])
    monkeypatch.setattr("results.record.Run.has_secret", property(lambda run: False))
    page = read_edition(home).page("tournaments/cup.html")
    assert "the secret of tournament cup is not here" in page


def test_pages_of_names_that_differ_in_their_end_do_not_collide(tmp_path):
    home = create_home(tmp_path / "home")
    for name in ("x", "x.html", "X"):
        store_event(home, name, "knockout:2", BOTS[:2])
    pages = {event.page_at() for event in read_events(home.results, {}).values()}
    folders = {event.page_at("screen").rpartition("/")[0] for event in read_events(home.results, {}).values()}
    assert 3 == len({page.lower() for page in pages}) == len({folder.lower() for folder in folders})
    assert not pages & folders
    write_site(home, tmp_path / "site", SiteOptions())


def test_one_that_has_not_changed_is_not_paired_again(tmp_path):
    home = create_home(tmp_path / "home")
    store = store_event(home, "cup", "knockout:4", ["alpha", "beta", "gamma", "delta"], most=1)
    first = read_events(home.results, {})["cup"].state
    assert first is read_events(home.results, {})["cup"].state
    results = unrated_store(home.results, store)
    with results.lock():
        results.append(1, encode_block(a_block(1, ("alpha", "delta"))))
    assert first != read_events(home.results, {})["cup"].state


def client_of(home):
    return TestClient(create_app(home), base_url="http://127.0.0.1:8000", follow_redirects=False)


def test_a_server_shows_the_same_pages_with_a_link_to_every_match(home):
    client = client_of(home)
    for path in PAGES:
        assert 200 == client.get(f"/{path}").status_code, path
    page = client.get("/tournaments/cup/knockout-quarter.html").text
    links = re.findall(r'href="(\.\./\.\./matches/[^"]+)"', page)
    assert len(links) >= 8
    answer = client.get(urljoin("/tournaments/cup/knockout-quarter.html", links[0]))
    assert 307 == answer.status_code
    assert re.fullmatch(r"\.\./match/d1/\d+", answer.headers["location"])


def test_a_server_notices_the_matches_of_a_tournament_that_goes_on(tmp_path):
    home = create_home(tmp_path / "home")
    store = store_event(home, "cup", "knockout:4", ["alpha", "beta", "gamma", "delta"], most=1)
    assert (store,) == read_edition(home).going_on
    follower = Follower(home.results)
    follower.events = (store,)
    follower.look()
    before = follower.version
    results = unrated_store(home.results, store)
    with results.lock():
        results.append(1, encode_block(a_block(1, ("alpha", "delta"))))
    follower.look()
    assert before + 1 == follower.version


def test_the_screen_of_a_tournament_is_found_by_its_name(home):
    assert "tournaments/cup/screen.html" == find_screen(home.results, "cup")
    with pytest.raises(NotFound, match="did you mean 'cup'"):
        find_screen(home.results, "cap")


@pytest.mark.tools
def test_html_validate_finds_nothing(site):
    files = [site / "tournaments.html", *sorted((site / "tournaments").rglob("*.html"))]
    assert [] == html_validate(files)


@pytest.mark.parametrize("dark", [False, True])
def test_pages_fit_and_have_nothing_that_axe_calls_serious(site, browser, axe, dark):
    for name in PAGES:
        with open_page(browser, site / name, width=NARROW, dark=dark, within=site) as page:
            for width in (320, NARROW, 768, WIDE, 1920):
                page.set_viewport_size({"width": width, "height": 900})
                assert [] == find_wider(page), (name, width)
                if width in (NARROW, WIDE):
                    assert [] == find_violations(page, axe), (name, width)


def test_a_bracket_can_be_scrolled_by_the_keyboard(site, browser):
    with open_page(browser, site / "tournaments/double.html", width=NARROW, within=site) as page:
        region = page.locator(".bracket-region")
        region.focus()
        page.keyboard.press("ArrowRight")
        while not region.evaluate("region => region.scrollLeft"):  # smoothly: a moment later
            page.wait_for_timeout(50)


def test_of_a_secret_tournament_only_what_is_revealed_is_shown_and_no_match(tmp_path):
    home = create_home(tmp_path / "home")
    bots = [f"student-{number}" for number in range(8)]
    store = store_event(home, "cup", "knockout:8", bots)
    whole = read_events(home.results, {})["cup"].state.report
    folder = unrated_store(home.results, store).folder
    write_revealed(Disk(), folder, Revealed("cup"))
    page = read_edition(home).page("tournaments/cup.html")
    assert "This tournament is secret" in page
    assert "winner of quarter 1" in page
    assert "wins" not in page
    write_revealed(Disk(), folder, Revealed("cup", ("knockout/quarter",)))
    edition = read_edition(home)
    shown = read_events(home.results, {})["cup"].state.report
    assert whole[0].rounds[0] == shown[0].rounds[0]
    assert not any(table.blocks for each in shown[0].rounds[1:] for table in each.tables)
    for path in [path for path in edition.paths if "tournament" in path]:
        assert "matches/d1" not in edition.page(path), path
        assert "d1/" not in edition.page(path), path
    assert () == edition.going_on
    write_site(home, tmp_path / "site", SiteOptions())
    assert not (tmp_path / "site" / "matches").exists()
    write_revealed(Disk(), folder, Revealed("cup", whole=True))
    assert whole == read_events(home.results, {})["cup"].state.report
    assert "matches/d1-" in read_edition(home).page("tournaments/cup/knockout-final.html")
