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
from contextlib import contextmanager, suppress
from contextvars import Context
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from msgspec import structs

from ladder.admission import batch, grants
from ladder.admission.claims import in_turn
from ladder.admission.entry_look import is_whole, look_at
from ladder.admission.errands import Errand, Errands
from ladder.admission.inbox_answers import (
    LOG,
    STATES,
    InboxFolders,
    Taken,
    answer_entry,
    free_at,
    is_answered,
    open_gates,
    page_of,
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
from ladder.admission.wishes import SUFFIX
from ladder.errors import OF_MACHINE, REPORT, UsageProblem, tell
from ladder.home.class_list import ClassList
from ladder.home.home import Home, confine_home, open_home
from ladder.home.json_lines import read_lines
from ladder.home.notify import send_notice
from ladder.machine.cores import usable_cores
from ladder.machine.pool import Tell
from ladder.machine.unexpected import summarize
from ladder.registry.bot_names import look_of
from ladder.registry.place import BotPlace
from ladder.worker.check_progress import CheckProgress
from results.errors import HomeLocked
from results.reports.document import Row
from results.storage.locking import await_lock
from results.storage.store import Store

LOOK_SECONDS = 2.0
"""How often the inbox is looked at."""
PAUSES = (10.0, 60.0, 600.0)
"""How long what was not judged rests before it is tried again.  During the last pause, others go on."""
SLOW_SECONDS = 10.0
"""A check that takes longer makes room for another one..."""
MOST_SLOW = 8
"""...unless there are more of these."""


PlayDuel: TypeAlias = Callable[[grants.UnratedDuel], list[Row]]
"""Plays a duel, or continues it, in a process aside; returns its rows."""
WritePages: TypeAlias = Callable[[tuple[Path, Path]], list[str]]
"""Writes what is new since the last run of a home into an outbox, also aside; returns warnings."""


class Job(NamedTuple):
    """What a process of the pool does: see whether an archive is whole, read a bot's name, or submit it."""

    of: EntryState | Submission
    began: float
    home: Home


class Rest(NamedTuple):
    """An entry without an answer: how often it was tried, and when it is again."""

    tries: int = 0
    again: float = 0.0
    unwritten: batch.SubmissionAnswer | None = None
    """Its answer, for which there was no room."""


class Inbox:
    """An inbox of a home; one process works on it at a time."""

    def __init__(self, folders: InboxFolders, people: ClassList, play: PlayDuel, pages: WritePages) -> None:
        """Take who is whose from *people*, where entries lie in no person's folder."""
        self.folders = folders
        self._play_duel, self._write_pages = play, pages
        self._errands = Errands(lambda error: self._warn([f"{error}; it is tried again"]))
        self._gates: dict[str, Taken] = {}
        self._lines: list[Taken] = []
        self._runs_seen = 0
        """When the list of runs was changed, at the last look (ns)."""
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
        """Make the folders and lock them.  Raises UsageProblem if they are unusable, HomeLocked if in use."""
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
            for key in [*self._errands.waiting]:
                self._errands.drop(key)
            os.close(handle)

    def rests(self, *, late: bool) -> bool:
        """Return whether an entry has no answer yet: after all tries but the *late* ones, or before that."""
        return any((rest.tries >= len(PAUSES)) == late for rest in self._rests.values())

    @property
    def is_at_work(self) -> bool:
        """Whether something is done aside that ends by itself: not what waits for the end of a run."""
        kinds = {errand.kind for key, errand in self._errands.waiting.items() if self._errands.is_due(key)}
        try:
            Context().run(Store(self._home.results).check_free)  # a context in which nothing waits for locks
        except HomeLocked:
            kinds.discard("home")
        return bool(kinds)

    def waiting(self) -> Iterator[str]:
        """Yield what waits, and until when; what waits for another day was said when it was found."""
        for path, until in self._look.young():
            at = datetime.fromtimestamp(until, UTC)
            yield f"{path.parent.name}: {path.name} waits until {at:%H:%M:%S} UTC, when it is a minute old"
        for key, errand in self._errands.waiting.items():
            what = "its duel can be played" if errand.kind == "duel" else "no run goes on"
            if isinstance(key, Path):
                yield f"{key.parent.name}: {key.name} waits until {what}"
            elif isinstance(key, Taken):
                yield f"{key.person}: {key.entry} waits until {what}"

    def take(
        self, home: Home, jobs: int | None, say: Callable[[str, str], object]
    ) -> Iterator[tuple[str, batch.SubmissionAnswer]]:
        """Take in what is complete, one entry of each person at a time, until nothing more can be done now.

        Yield each answer with its person when it is written.  *say* is told what the operator should know,
        and what to type.
        """
        self._home, self._say = home, say
        self._jobs = jobs or len(usable_cores())
        self._next_look = 0.0
        self._answered: list[tuple[str, batch.SubmissionAnswer]] = []
        self._running.clear()
        self._named.clear()
        try:
            with batch.trial_pool(home, jobs, MOST_SLOW, exact=bool(jobs)) as pool:
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
            batch.remove_left(home)
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
        os.utime(self.folders.done / ".lock")  # tells when an inbox was at work last
        # its settings and bots may have changed
        self._home = replace(open_home(self._home.path), tier=self._home.tier)
        self._taken = {}
        self._lines = [*read_lines(self._home.path / LOG, Taken)]
        for line in self._lines:
            if not line.ends_gate:
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
        self._do_aside()
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
                # a wish may wait long, and keeps nothing of its person waiting
                is_wish = path.name.endswith(SUFFIX)
                if path in at_work or path in self._errands.waiting or (person in self._busy and not is_wish):
                    continue
                if is_answered(path, self._taken.get(person, ())):
                    put_away(self.folders, path, person, self._taken[person][-1].when)
                    continue
                rest = self._rests.get(path, Rest())
                if rest.tries < len(PAUSES) and not is_wish:
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
                answer = grants.beyond_quota(self._home, submission.path.parent.name, settled.bot)
                is_gated = self._home.settings.inbox.replace == "gate"
                settled = replace(
                    settled, gated=is_gated and bool(grants.find_playing(self._home, settled.bot))
                )
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
            if person in self._busy or target in self._errands.waiting or self._must_wait(entry):
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
        self._served[person] = time.monotonic()
        if path.name.endswith(SUFFIX):
            self._grant(target, person)
            return None
        self._busy.add(person)
        # the place of all that a person hands in; no entry of a folder is called so
        submission = Submission(target, BotPlace(str(target), f"{person}/"))
        listed = self._people.of(target) if person_in(self._people, target) == person else None
        if answer := self._rests.get(target, Rest()).unwritten:
            self._go_on(submission, answer)
            return None
        return submission.listed_as(listed)

    def _must_wait(self, entry: Entry) -> bool:
        """Return whether the person has had a day's share, and say until when."""
        path, person = entry
        wish = "wish" if path.name.endswith(SUFFIX) else ""
        name = "wishes_a_day" if wish else "submissions_a_day"
        lines = [line for line in self._lines_of(person) if bool(line.wish) == bool(wish)]
        if (free := free_at(lines, getattr(self._home.settings.inbox, name))) is None:
            return False
        until = f"{free:%Y-%m-%d %H:%M} UTC"
        if self._say_once(path, until, f"{person}: {path.name} waits until {until}, by {name}"):
            told = f"it waits until {until}: you have had your share of a day"
            self._write(person, batch.SubmissionAnswer(path, "waits", told=told, wish=wish))
        return True

    def _lines_of(self, person: str) -> list[Taken]:
        """Return the lines of *person*, with those of wishes that are being done."""
        now, waiting = datetime.now(UTC), self._errands.waiting.items()
        kinds = [each.kind for path, each in waiting if isinstance(path, Path) and path.parent.name == person]
        return [*self._taken.get(person, ()), *(Taken(now, person, "", "done", wish=kind) for kind in kinds)]

    def _tell_closed(self, entry: Entry, error: OSError) -> None:
        """Say that *error* keeps us from taking in *entry*: it, or the folder in which it lies, is closed."""
        name, folder = entry.path.name, entry.path.parent
        closed = entry.path if os.access(folder, os.W_OK | os.X_OK) else folder
        text = f"warning: {entry.person}: {name} is left where it is: this user may not move {closed}"
        hint = f"chmod -R g+rwX {shlex.quote(str(closed))}, as its owner; a umask of 007 prevents it"
        if error.errno == errno.EXDEV:
            hint = f"give each person a folder on the disk of {self.folders.done}"
        if self._say_once(closed, "closed", f"{text}: {error.strerror}", hint):
            advice = "hand it in as an archive (.zip), or let its group read and write:"
            advice += f"\nchmod -R g+rwX {shlex.quote(name)}"
            told = "it cannot be taken in: the ladder may not move it"
            self._write(entry.person, batch.SubmissionAnswer(entry.path, "waits", told=told, advice=advice))

    def _go_on(self, submission: Submission, result: object) -> None:
        """Go on with what came of *submission*: itself with a name, an answer, or an error."""
        if isinstance(result, Submission):
            self._named.append(result)
            return
        self._answer(submission.path, lambda: self._judge(submission, result))

    def _judge(self, submission: Submission, result: object) -> batch.SubmissionAnswer:
        """Return the answer to *submission*; a new version of a bot that plays may have to prove itself."""
        if isinstance(result, Exception):
            return batch.refusal_of(self._home, submission, result)
        assert isinstance(result, batch.SubmissionAnswer)
        if not (version := result.version):
            return result
        person, bot = submission.path.parent.name, version.bot
        if gate := self._gates.get(bot):
            told = "a newer version has taken its place"
            self._end_gate(gate, grants.end_gate(self._home, bot, gate, "kept back", told))
        playing = grants.find_playing(self._home, bot)
        if not submission.gated or (playing and playing.id == version.id):
            return result
        old = playing or version
        told = grants.say_tried([*self._lines, Taken(datetime.now(UTC), person, "", "proving", bot)], bot)
        plays = f"{bot}@{old.number}"
        return structs.replace(result, result="proving", plays=plays, told=told, against=old.version)

    def _answer(self, path: Path, make: Callable[[], batch.SubmissionAnswer]) -> None:
        """Answer the entry at *path*, or try it again later if the machine has failed."""
        person, unwritten = path.parent.name, None
        try:
            if not (answer := make()).not_judged:
                unwritten = answer
                line = answer_entry(self._home, self.folders, person, answer)
                self._taken.setdefault(person, []).append(line)  # it counts before the next look
                self._rests.pop(path, None)
                self._tell(person, answer)
                return
        except Exception as error:  # of the disk, or unforeseen
            message, hint = _words_of(error)
            answer = batch.SubmissionAnswer(path, "not judged", why=message, hint=hint, told=batch.UNKNOWN)
        tries = self._rests.get(path, Rest()).tries + 1
        again = time.monotonic() + PAUSES[min(tries, len(PAUSES)) - 1]
        self._rests[path] = Rest(tries, again, unwritten)
        self._write(person, answer)
        if tries == len(PAUSES):
            self._tell(person, answer)

    def _write(self, person: str, answer: batch.SubmissionAnswer) -> None:
        """Write the page on an entry that has no answer yet."""
        with self._going_on(self.folders.outbox / person):
            write_page(self._home, self.folders, person, answer)

    def _tell(self, person: str, answer: batch.SubmissionAnswer) -> None:
        """Tell the caller of *answer*, and the program of [notify]."""
        self._answered.append((person, answer))
        if command := self._home.settings.notify.command:
            page = page_of(self.folders, person, answer.path)
            event = {"event": "answer", "person": person, "upload": answer.path.name}
            event |= {"state": STATES.get(answer.result, answer.result), "page": str(page.absolute())}
            notice = self._home.path, command, event
            self._errands.waiting[object()] = Errand("notice", send_notice, notice, self._warn)

    def _warn(self, warnings: list[str] | Exception) -> None:
        for text in [str(warnings)] if isinstance(warnings, Exception) else warnings:
            self._say_once(self._home.path, text, f"warning: {text}")

    def _do_aside(self) -> None:
        """Begin and end what takes long: duels, new names, pages after a run, notices."""
        waiting = self._errands.waiting
        self._gates = open_gates(self._lines, self._home.roster.names)
        for gate in [key for key in waiting if isinstance(key, Taken)]:
            if gate not in self._gates.values():
                self._errands.drop(gate)
        for bot, gate in self._gates.items():
            if gate not in waiting:
                self._go_on_with_gate(bot, gate, None)
        if (runs := Store(self._home.results).folder.runs).exists() and "pages" not in waiting:
            changed, task = runs.stat().st_mtime_ns, (self._home.path, self.folders.outbox)
            if changed != self._runs_seen:
                self._runs_seen = changed
                waiting["pages"] = Errand("pages", self._write_pages, task, self._warn)
        self._errands.go_on()

    def _grant(self, path: Path, person: str) -> None:
        """Do what is wished, or let it be done aside."""

        def end(result: str | list[Row] | Exception) -> None:
            if isinstance(found, grants.Renaming) and isinstance(result, str):
                with suppress(OSError):  # there is no page yet
                    (self.folders.outbox / person / "bots" / f"{found.old}.md").unlink()
            self._answer(path, lambda: grants.answer_wish(path, result))

        found: grants.Task | str | Exception
        try:
            found = grants.grant(self._home, person, path, self._lines_of(person), self._lines)
        except Exception as error:
            found = error
        if isinstance(found, str | Exception):
            end(found)
            return
        is_duel = isinstance(found, grants.UnratedDuel)
        errand = Errand("home", grants.rename_when_free, found, end)
        self._errands.waiting[path] = Errand("duel", self._play_duel, found, end) if is_duel else errand
        told = "one duel is played at a time" if is_duel else "it is done between two runs"
        self._write(person, batch.SubmissionAnswer(path, "waits", told=told, wish="wish"))

    def _go_on_with_gate(self, bot: str, gate: Taken, result: list[Row] | Exception | None) -> None:
        """Play the duel of *gate*, of *bot*, or with its *result* answer the person."""
        with self._going_on(self.folders.outbox / gate.person):
            found = grants.go_on_with_gate(self._home, bot, gate, self._lines, result)
            if isinstance(found, grants.UnratedDuel):
                end = partial(self._go_on_with_gate, bot, gate)
                self._errands.waiting[gate] = Errand("duel", self._play_duel, found, end)
            else:
                self._end_gate(gate, found)

    def _end_gate(self, gate: Taken, answer: batch.SubmissionAnswer) -> None:
        answer_entry(self._home, self.folders, gate.person, answer)
        self._tell(gate.person, answer)


def _work(job: Job, tell: Tell) -> bool | Submission | batch.SubmissionAnswer:
    """Do *job*, in a process of the pool."""
    if isinstance(job.of, EntryState):
        return is_whole(job.of.path, job.home.bot_mb)
    if job.of.bot:
        return batch.submit_one(job.home, job.of, tell)
    try:
        with batch.telling(CheckProgress(), tell):
            return look_at(job.home, job.of)
    except Exception as error:
        return batch.refusal_of(job.home, job.of, error)


def _words_of(error: Exception) -> tuple[str, str]:
    return tell(error) or (f"unexpected error: {summarize(error)}", REPORT)
