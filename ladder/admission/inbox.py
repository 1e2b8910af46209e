"""Take in what people put into an inbox, and answer them in an outbox.

    INBOX/PERSON/ENTRY               put there by sftp, a git hook or a form on the web
    done/.taking/PERSON/ENTRY        while it is checked, where only the operator can change it
    done/PERSON/20261127-031500-ENTRY  afterwards
    outbox/PERSON/ENTRY.md           the answer

Whatever kills this process, an entry is in one of these places, and the next start goes on with it.  A bot
belongs to the person in whose folder it lay, whatever its files say.  What goes wrong with one entry, or one
person's folder, does not keep the others waiting.
"""

import errno
import os
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ladder.admission.author_page import PAGE, author_page
from ladder.admission.batch import (
    UNKNOWN,
    SubmissionAnswer,
    refusal_of,
    remove_left,
    submit_one,
    telling,
    trial_pool,
)
from ladder.admission.claims import in_turn
from ladder.admission.entry_look import is_whole, look_at
from ladder.admission.inbox_answers import (
    LOG,
    InboxFolders,
    Taken,
    answer_entry,
    free_at,
    is_answered,
    put_away,
    write_page,
)
from ladder.admission.inbox_entries import (
    Entry,
    EntryState,
    InboxLook,
    entries_in,
    person_in,
    writers_to_take_away,
)
from ladder.admission.submission import Submission
from ladder.errors import OF_MACHINE, REPORT, UsageProblem, tell
from ladder.home.class_list import ClassList
from ladder.home.home import Home, confine_home, open_home
from ladder.home.json_lines import read_lines
from ladder.machine.cores import usable_cores
from ladder.machine.pool import Tell
from ladder.machine.unexpected import summarize
from ladder.registry.bot_names import look_of
from ladder.registry.place import BotPlace
from ladder.worker.check_progress import CheckProgress
from results.reports.values_as_text import escape
from results.storage.locking import await_lock
from results.words import count

LOOK_SECONDS = 2.0
"""How often the inbox is looked at."""
PAUSES = (10.0, 60.0, 600.0)
"""How long what was not judged rests before it is tried again.  During the last pause, others go on."""
SLOW_SECONDS = 10.0
"""A check that takes longer makes room for another one..."""
MOST_SLOW = 8
"""...unless there are more of these."""


class Job(NamedTuple):
    """What a process of the pool does: see whether an archive is whole, read a bot's name, or submit it."""

    of: EntryState | Submission
    began: float
    home: Home


class Rest(NamedTuple):
    """An entry without an answer: how often it was tried, and when it is again."""

    tries: int = 0
    again: float = 0.0
    unwritten: SubmissionAnswer | None = None
    """Its answer, for which there was no room."""


class Inbox:
    """An inbox of a home; one process works on it at a time."""

    def __init__(self, folders: InboxFolders, people: ClassList) -> None:
        """Take who is whose from *people*, where entries lie in no person's folder."""
        self.folders = folders
        self._people = people
        self._look = InboxLook(lambda state: self._asked.setdefault(state, None))
        self._asked: dict[EntryState, bool | None] = {}
        """Which archives are whole; None until that is known."""
        self._persons = {each.handle for each in people.entrants if each.handle not in ("", each.file)}
        """The persons who have a folder of their name."""
        self._said: set[tuple[Path, str]] = set()
        """What was said of paths: it is said once."""
        self._rests: dict[Path, Rest] = {}
        self._served: dict[str, float] = {}
        """When an entry of a person was taken in last."""
        self._busy: set[str] = set()
        """Persons of whom an entry is being checked."""
        self._taken: dict[str, list[Taken]] = {}
        self._running: dict[Path, Job] = {}
        """What processes do."""
        self._named: list[Submission] = []
        """What can be submitted."""
        self._ready: list[Entry] = []
        self._unconfined: tuple[float, Exception | None] = (0.0, None)
        """Until when bots cannot be confined, and why."""
        self._next_look = 0.0

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Make the folders, and keep other processes off them.

        Raises UsageProblem for folders that cannot be used, HomeLocked if another process works on them.
        """
        folders = self.folders
        if not folders.inbox.is_dir():
            raise UsageProblem(f"{folders.inbox} is not a folder", f"mkdir -p {folders.inbox}/PERSON")
        out, done = folders.outbox, folders.done
        for one, other in ((out, folders.inbox), (done, folders.inbox), (out, done)):
            if one.resolve().is_relative_to(other.resolve()):
                raise UsageProblem(f"{one} is in {other}: what lies there is taken in", "name another folder")
        out.mkdir(parents=True, exist_ok=True)
        folders.taking.mkdir(parents=True, exist_ok=True, mode=0o700)
        if done.stat().st_dev != folders.inbox.stat().st_dev:  # one rename takes an entry, or nothing does
            raise UsageProblem(f"{done} is on another disk than {folders.inbox}", "choose another --done")
        handle = await_lock(done / ".lock")
        try:
            yield
        finally:
            os.close(handle)

    def rests(self, *, late: bool) -> bool:
        """Return whether an entry has no answer yet: after all tries but the *late* ones, or before that."""
        return any((rest.tries >= len(PAUSES)) == late for rest in self._rests.values())

    def take(
        self, home: Home, jobs: int | None, say: Callable[[str, str], object]
    ) -> Iterator[tuple[str, SubmissionAnswer]]:
        """Take in what is complete, one entry of each person at a time, until nothing more can be done now.

        Yield each answer with its person when it is written.  *say* is told what the operator should know,
        and what to type.
        """
        self._home, self._say = home, say
        self._jobs = jobs or len(usable_cores())
        self._next_look = 0.0
        self._answered: list[tuple[str, SubmissionAnswer]] = []
        self._running.clear()
        self._named.clear()
        try:
            with trial_pool(home, jobs, MOST_SLOW, exact=bool(jobs)) as pool:
                for job, result in pool.as_done(_work, self._begin_job, lambda job, text: None):
                    del self._running[job.of.path]
                    self._next_look = 0.0
                    if isinstance(job.of, Submission):
                        self._go_on(job.of, result)
                    else:
                        self._asked[job.of] = result is not False
                    yield from self._answered
                    self._answered.clear()
        finally:
            remove_left(home)
        yield from self._answered

    @contextmanager
    def _going_on(self, path: Path) -> Iterator[None]:
        """Say once what goes wrong with *path*, and go on with the others."""
        try:
            yield
        except Exception as error:
            kind = f"{type(error).__name__} {getattr(error, 'errno', '')}"
            if (path, kind) not in self._said:
                message, hint = _words_of(error)
                self._say_once(path, kind, f"warning: {path}: {message}; nothing is lost", hint)

    def _say_once(self, path: Path, what: str, text: str, hint: str = "") -> bool:
        """Say *text* if *what* was not said of *path*; return whether it was said now."""
        if is_new := (path, what) not in self._said:
            self._said.add((path, what))
            self._say(text, hint)
        return is_new

    # -- what begins

    def _begin_job(self) -> Job | None:
        """Return what is to be done next; None if that is nothing, or enough is being done."""
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            with self._going_on(self.folders.inbox):
                self._look_around(now)
        if sum(now - job.began < SLOW_SECONDS for job in self._running.values()) >= self._jobs:
            return None
        for of in self._next_of_all():
            self._running[of.path] = Job(of, now, self._home)
            return self._running[of.path]
        return None

    def _look_around(self, now: float) -> None:
        """Find what may begin: what was left, what has rested, and what is complete."""
        # its settings and bots may have changed
        self._home = replace(open_home(self._home.path), tier=self._home.tier)
        self._taken = {}
        for line in read_lines(self._home.path / LOG, Taken):
            self._taken.setdefault(line.person, []).append(line)
            if line.entry != line.person:
                self._persons.add(line.person)
        entries, strangers = entries_in(self.folders.inbox, self._people, self._persons)
        for stranger in strangers:
            self._say_once(stranger.path, stranger.why, stranger.why, stranger.hint)
        # what others put into the folder of a person would count as that person's
        new = {
            path: who
            for path, who in writers_to_take_away(self.folders.inbox, self._persons).items()
            if (path, who) not in self._said
        }
        self._said.update(new.items())
        for who in sorted({*new.values()}):
            paths = shlex.join(str(path) for path, of in new.items() if of == who)
            text = f"warning: others can put bots into folders of persons; type: chmod {who}-w {paths}"
            self._say(text, "")
        complete = self._look.complete(entries)
        complete.sort(key=lambda entry: self._served.get(entry.person, 0.0))
        self._ready = [*self._left(now), *complete]
        places = {entry.path for entry in entries}
        self._asked = {state: known for state, known in self._asked.items() if state.path in places}

    def _left(self, now: float) -> list[Entry]:
        """Return what an earlier process left, and what has rested; note who is busy."""
        at_work = {*self._running, *(submission.path for submission in self._named)}
        self._busy = {path.parent.name for path in at_work}
        found, left = [], sorted(self.folders.taking.glob("*/[!.]*"))
        self._rests = {path: rest for path, rest in self._rests.items() if path in left}
        for path in left:
            person = path.parent.name
            with self._going_on(path):
                if path in at_work or person in self._busy:
                    continue
                if is_answered(path, self._taken.get(person, ())):
                    put_away(self.folders, path, person, self._taken[person][-1].when)
                    continue
                rest = self._rests.get(path, Rest())
                if rest.tries < len(PAUSES):
                    self._busy.add(person)
                if now >= rest.again:
                    found.append(Entry(path, person))
        return found

    def _next_of_all(self) -> Iterator[EntryState | Submission]:
        """Yield what may begin; it begins when it is taken from here."""
        if self._named:
            self._confine()
        for submission in list(self._named):
            # who comes first gets a name: another bot of that name waits until it is known who has it
            looks = {look_of(job.of.bot) for job in self._running.values() if isinstance(job.of, Submission)}
            if look_of(submission.bot) in looks:
                continue
            answer: object
            try:
                settled = in_turn(self._home, [submission], ())[0][0]
                answer = _beyond_quota(self._home, settled)
            except Exception as error:
                answer = error
            if answer:
                self._named.remove(submission)
                self._go_on(submission, answer)
            elif look_of(settled.bot) not in looks:
                self._named.remove(submission)
                yield settled
        for state, is_known in list(self._asked.items()):
            if is_known is None and state.path not in self._running:
                yield state
        while self._ready:
            entry = self._ready.pop(0)
            with self._going_on(entry.path):
                if begun := self._begin(entry):
                    yield begun

    def _confine(self) -> None:
        """Find what confines bots here; without it, nothing that waits is judged."""
        home, (until, error) = self._home, self._unconfined
        if not error or time.monotonic() >= until:
            try:
                self._home = confine_home(home, lambda text: self._say_once(home.path, text, text))
                return
            except Exception as found:
                # on a machine that is too busy this took long, so it holds for what comes now as well
                error = found
                self._unconfined = time.monotonic() + PAUSES[0], error
        waiting = list(self._named)
        self._named.clear()
        for submission in waiting:
            self._go_on(submission, error)

    def _begin(self, entry: Entry) -> Submission | None:
        """Return *entry* as a submission, moved to where it is checked; None if that cannot be now."""
        path, person = entry
        target = self.folders.taking / person / path.name
        if path != target:
            if person in self._busy or self._must_wait(entry):
                return None
            if os.path.lexists(target):  # it rests, and this one comes in its place
                put_away(self.folders, target, person, datetime.now(UTC))
            self._rests.pop(target, None)
            try:
                target.parent.mkdir(exist_ok=True)
                path.rename(target)
            except FileNotFoundError:  # it was withdrawn
                return None
            except OSError as error:
                if error.errno in OF_MACHINE:
                    raise
                self._tell_closed(entry, error)
                return None
        self._busy.add(person)
        self._served[person] = time.monotonic()
        # the place of all that a person hands in; no entry of a folder is called so
        submission = Submission(target, BotPlace(str(target), f"{person}/"))
        listed = self._people.of(target) if person_in(self._people, target) == person else None
        if answer := self._rests.get(target, Rest()).unwritten:
            self._go_on(submission, answer)
            return None
        return submission.listed_as(listed)

    # -- what cannot begin

    def _must_wait(self, entry: Entry) -> bool:
        """Return whether the person has had a day's share, and say until when."""
        path, person = entry
        free = free_at(self._taken.get(person, ()), self._home.settings.inbox.submissions_a_day)
        if free is None:
            return False
        until = f"{free:%Y-%m-%d %H:%M} UTC"
        if self._say_once(path, until, f"{person}: {path.name} waits until {until}, by submissions_a_day"):
            what = f"It is taken in at {until}: you have had your share of a day."
            write_page(self.folders, person, path, f"{PAGE}\n\n# Your submission waits\n\n{what}\n")
        return True

    def _tell_closed(self, entry: Entry, error: OSError) -> None:
        """Say that *error* keeps us from taking in *entry*: it, or the folder in which it lies, is closed."""
        name, folder = entry.path.name, entry.path.parent
        closed = entry.path if os.access(folder, os.W_OK | os.X_OK) else folder
        text = f"warning: {entry.person}: {name} is left where it is: this user may not move {closed}"
        hint = f"chmod -R g+rwX {shlex.quote(str(closed))}, as its owner; a umask of 007 prevents it"
        if error.errno == errno.EXDEV:
            hint = f"give each person a folder on the disk of {self.folders.done}"
        if self._say_once(closed, "closed", f"{text}: {error.strerror}", hint):
            advice = "Hand it in as an archive (.zip), or let its group read and write:"
            page = f"{PAGE}\n\n# Your submission cannot be taken in\n\nThe ladder may not move it. {advice}\n"
            command = escape(f"chmod -R g+rwX {shlex.quote(name)}")
            write_page(self.folders, entry.person, entry.path, f"{page}\n```\n{command}\n```\n")

    # -- answers

    def _go_on(self, submission: Submission, result: object) -> None:
        """Go on with what came of *submission*: itself with a name, an answer, or an error."""
        path, person = submission.path, submission.path.parent.name
        unwritten = None
        try:
            if isinstance(result, Exception):
                answer = refusal_of(self._home, submission, result)
            elif isinstance(result, Submission):
                self._named.append(result)
                return
            else:
                assert isinstance(result, SubmissionAnswer)
                answer = result
            if not answer.not_judged:
                unwritten = answer
                answer_entry(self._home, self.folders, person, answer)
                self._rests.pop(path, None)
                self._answered.append((person, answer))
                return
        except Exception as error:  # of the disk, or unforeseen
            message, hint = _words_of(error)
            answer = SubmissionAnswer(
                path, "not judged", submission.bot, why=message, hint=hint, told=UNKNOWN
            )
        tries = self._rests.get(path, Rest()).tries + 1
        again = time.monotonic() + PAUSES[min(tries, len(PAUSES)) - 1]
        self._rests[path] = Rest(tries, again, unwritten)
        with self._going_on(self.folders.outbox / person):
            write_page(self.folders, person, path, author_page(answer, self._home))
        if tries == len(PAUSES):
            self._answered.append((person, answer))


def _work(job: Job, tell: Tell) -> bool | Submission | SubmissionAnswer:
    """Do *job*, in a process of the pool."""
    if isinstance(job.of, EntryState):
        return is_whole(job.of.path, job.home.bot_mb)
    if job.of.bot:
        return submit_one(job.home, job.of, tell)
    try:
        with telling(CheckProgress(), tell):
            return look_at(job.home, job.of)
    except Exception as error:
        return refusal_of(job.home, job.of, error)


def _beyond_quota(home: Home, submission: Submission) -> SubmissionAnswer | None:
    """Return the refusal of *submission* if it is a new bot of a person who has as many as one may have."""
    if not (most := home.settings.inbox.bots_a_person):
        return None
    playing = {version.bot for version in home.roster.active()}
    names = {
        bot
        for bot, origins in home.roster.places().items()
        if bot in playing and any(origin.entry == submission.place.entry for origin in origins)
    }
    if len(names) < most or submission.bot in names:
        return None
    bots = count(len(names), "bot")
    told = f"you have {bots} here, and a person may have {most}: {', '.join(sorted(names))}"
    advice = "hand it in under the name of one of them, as its next version"
    return SubmissionAnswer(submission.path, "refused", why=told, details=told, told=told, advice=advice)


def _words_of(error: Exception) -> tuple[str, str]:
    return tell(error) or (f"unexpected error: {summarize(error)}", REPORT)
