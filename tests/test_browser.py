"""Pages are tested in a real browser, and a page that does not keep to itself is found."""

import pytest
from support.browser import find_violations, open_page

pytestmark = pytest.mark.tools

POLICY = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; img-src https: data:\">"
PAGE = "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>t</title>{head}</head><body>{body}"


@pytest.fixture
def write(tmp_path):
    def write_page(body="", head=""):
        file = tmp_path / "page.html"
        file.write_text(PAGE.format(head=head, body=body))
        return file

    return write_page


@pytest.mark.parametrize(
    ("what", "body", "head"),
    [
        ("request to https://example.invalid/", "<img src='https://example.invalid/x.png' alt=''>", ""),
        ("request to file:", "<link rel='stylesheet' href='other.css'>", ""),
        ("console: .*inline script", "<script>1</script>", POLICY),
        ("console: .*inline event handler", "<p onclick='go()'>", POLICY),
        ("console: .*inline style", "<p style='color: red'>", POLICY),
        ("exception: .*nothing is not defined", "<script>nothing()</script>", ""),
        ("console: oh no", "<script>console.error('oh no')</script>", ""),
    ],
)
def test_a_page_that_reaches_out_or_complains_fails_its_test(browser, write, what, body, head):
    with pytest.raises(AssertionError, match=what), open_page(browser, write(body, head)):
        pass


def test_axe_finds_what_a_screen_reader_cannot_read(browser, axe, write):
    with open_page(browser, write("<main><h1>Good</h1><p>text</p></main>")) as page:
        assert [] == find_violations(page, axe)
    with open_page(browser, write("<main><h1>Bad</h1><button></button></main>")) as page:
        assert ["button-name"] == [found.split()[0] for found in find_violations(page, axe)]
