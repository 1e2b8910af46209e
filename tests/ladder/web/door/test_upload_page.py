"""The page Upload in a browser: it sends the file with the token, and shows each state."""

import pytest
from support import ladders
from support.browser import NARROW, open_page
from support.served import served

from ladder.admission.people import changing_people

pytestmark = [pytest.mark.tools, pytest.mark.slow]


def test_a_person_uploads_a_bot_in_a_browser(browser, tmp_path):
    home = ladders.a_home(tmp_path / "home", {"first": {}}, '[run]\ngames = ["stellar"]\n')
    with changing_people(home) as people:
        token = people.add("ann")
    (tmp_path / "inbox").mkdir()
    with (
        served(home, "--uploads", str(tmp_path / "inbox")) as (address, _),
        open_page(browser, f"{address}upload", width=NARROW, quiet=False) as page,
    ):
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
        file = {"name": "mine.py", "mimeType": "text/plain", "buffer": b"1"}
        for given, answer in [
            ("ldr_no", "this is no valid token"),
            (token, "mine.py, waiting, no inbox has been at work, place 1"),
        ]:
            page.get_by_label("File").set_input_files(file)
            page.get_by_label("Token").fill(given)
            page.get_by_role("button", name="Upload").click()
            page.get_by_text(answer).wait_for()
        assert [] == page.context.cookies()
    assert ["mine.py"] == [path.name for path in (tmp_path / "inbox" / "ann").iterdir()]
