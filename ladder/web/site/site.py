"""Write the site of a home."""

from pathlib import Path

from ladder.home.home import Home
from ladder.machine.cores import usable_cores
from ladder.machine.pool import Pool
from ladder.web.site.facts import gather
from ladder.web.site.folder import SiteFolder, Written
from ladder.web.site.format import Shown
from ladder.web.site.match_pages import match_page, match_tasks, read_selection, select_event_matches
from ladder.web.site.pages import pages
from ladder.web.site.site_options import SiteOptions

FEW = 4
"""So few pages of matches are made in this process: to start others takes as long."""


def write_site(home: Home, folder: Path, options: SiteOptions) -> Written:
    """Write the site of *home* to *folder*, and return what has changed.

    Raises UsageProblem if the folder has other content, and LadderError if it cannot be written; then it is
    as it was.
    """
    with SiteFolder(folder) as target:
        facts = gather(home, options)
        of_events = select_event_matches(facts, options.matches)
        shown = Shown(facts, options, read_selection(facts, options), event_matches=of_events)
        for page in pages(shown):
            target.add(page.path, page.text())
        tasks = [task for task in match_tasks(shown) if not target.has(task.path, task.key)]
        with Pool(1 if len(tasks) <= FEW else len(usable_cores())) as pool:
            for task, text in pool.each(match_page, tasks):
                target.add(task.path, text, task.key)
        return target.switch()
