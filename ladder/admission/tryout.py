"""Play practice matches with a bot, and measure it."""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Literal, assert_never

import msgspec

from engines import GAMES
from ladder.admission.advice import FASTER, Symptoms, advise, more
from ladder.admission.finding import MARK, NEAR, SHOWN, Finding, Grade
from ladder.admission.second_look import examine
from ladder.admission.self_play import (
    check_not_killed,
    faults_in,
    name_others,
    play_itself,
    practice_settings,
)
from ladder.admission.submit import tried_here
from ladder.contest.blocks import PlannedBlock
from ladder.contest.bot_limits import limits_told
from ladder.contest.keys import draw_secret
from ladder.errors import TooBusy
from ladder.home.home import Home, confinement_of
from ladder.process.bot import BYE_SECONDS
from ladder.process.masks import NO_MASKS, Masks
from ladder.process.patience import Patience
from ladder.process.procfs import fair_memory, find_marked
from ladder.referee.player import Player
from ladder.referee.table_events import BotStarted, Event, MatchOver, StepPlayed
from ladder.registry.bot_manifest import read_manifest
from ladder.registry.version import Version, say_place
from ladder.worker.check_progress import CheckProgress
from ladder.worker.hidden import why_shown
from ladder.worker.practice import practice_setup, twin
from ladder.worker.side_by_side import SideBySide
from ladder.worker.worker import Worker
from ladder.worker.worker_messages import TranscriptPlace
from protocol.encode import BYE
from protocol.faults import FAULTS
from protocol.messages import GRACE_MS
from results import record
from results.record import Contest
from results.reports.fault_card import render_card
from results.words import count

LOOKING_SECONDS = 1.0
"""How long a process may still be visible after it was killed."""


class Trial:
    """The checks that need a running bot."""

    def __init__(
        self,
        home: Home,
        version: Version,
        opponent: Path,
        mark: str,
        progress: CheckProgress,
        transcript: TranscriptPlace | None = None,
        games: Sequence[str] = (),
    ) -> None:
        """Start nothing yet.  *opponent* is the manifest at other seats; without games in it, *games*."""
        self.home = home
        self.progress = progress
        self.version = version
        self.mark = mark
        # processes that the bot leaves behind are found in /proc by this mark
        self.passed = {**home.variables_for(version.manifest.env), MARK: mark}
        self.games = tried_here(home, version.manifest, games)
        contests = tuple(
            Contest(game, seats, options, tuple(range(seats)))
            for game, options in {game: home.options(game) for game in self.games}.items()
            for seats in version.manifest.sizes_of(game) or GAMES[game].seats
        )
        others = max(contest.seats for contest in contests) - 1
        self.setup = practice_setup(
            contests,
            (version, *_opponents(opponent, others)),
            practice_settings(home, version),
            confinement_of(home),
            secret=draw_secret(),
            passed={version.id: self.passed},
            transcript=transcript,
            caps=home.settings.caps_of([version]),
        )
        self.limits = limits_told(self.setup.settings, version.bot, self.games)
        self.matches: list[record.Match] = []
        """The matches of blocks without a fault."""
        self.times_us: defaultdict[int, list[int]] = defaultdict(list)
        """How long each decision took, also in matches that a fault ended, by the free time in ms."""
        self.memory_bytes = 0
        """The most memory that a process of the bot has used after a match."""
        self._players: list[Player] = []
        """Those of the bot."""
        self._weighing = Lock()
        """Held while what a match shows is noted."""

    def findings(self) -> Iterator[Finding]:
        """Check the handshake, the matches and the goodbye; yield findings.  A failed handshake ends it."""
        passed = {name: value for name, value in self.passed.items() if name != MARK}
        shown = why_shown(passed.values(), self.setup.bots, self.setup.contests)
        for name, value in passed.items():
            if value in shown:
                what = f"the value of {name} is not hidden where the bot prints it: it is {shown[value]}"
                yield Finding("variables", "warning", what, "if it is a secret, choose another value")
        self.progress.begin("handshake")
        with self._worker() as worker:
            ready = self._check_handshake(worker)
        yield ready
        if ready.verdict == "failure":
            yield check_nothing_left(self.mark, worker.masks)
            return
        yield self._check_itself()
        with self._worker() as worker, self._playing(worker, range(len(self.setup.contests))) as blocks:
            for game in self.games:
                yield self._check_game(blocks, game)
            for free_ms, times in sorted(self.times_us.items()):
                if times:
                    yield self._check_time(free_ms, sorted(times))
            if any(self.times_us.values()):
                yield self._check_memory(self.memory_bytes)
        if self.matches:
            yield self._check_same_moves()
        with self._worker() as worker:
            yield self._check_leaving(worker, "bye")
            yield self._check_leaving(worker, "closed stdin")
            yield check_nothing_left(self.mark, worker.masks)  # before the ladder ends what is left

    @contextmanager
    def _worker(self) -> Iterator[Worker]:
        """Yield a worker.  Its bots end without bye: saying bye is a check of its own."""
        worker = Worker(self.setup, on_event=self._hear, practice=True)
        try:
            yield worker
        finally:
            worker.kill()

    def _playing(self, worker: Worker, numbers: Iterable[int]) -> SideBySide[record.Block]:
        """Return the blocks of the contests *numbers*, to be played by *worker*."""
        blocks = {number: partial(self._play, worker, number) for number in numbers}
        return SideBySide(worker, blocks, self.progress.hear_tables)

    def _hear(self, event: Event) -> None:
        self.progress.hear(event)
        match event:
            case BotStarted(player) if player.bot.id == self.version.id:
                self._players.append(player)
            case MatchOver(match):
                with self._weighing:  # matches may end side by side
                    for seat in match.seats:
                        if (seat.bot, seat.version) == self._identity:
                            free_ms = self.setup.settings.limits_at(seat.bot, match.game)["move_ms"]
                            self.times_us[free_ms] += seat.think_us
                    self._weigh()
            case BotStarted() | StepPlayed():
                pass
            case _:
                assert_never(event)

    def _weigh(self) -> None:
        """Note how much memory each process of the bot that plays uses now, or used at the last look."""
        for player in self._players:
            if player.matches and player.process:
                use = player.use if player.lost else player.process.use()
                most = max((seen.memory_bytes for seen in (use, player.use) if seen), default=0)
                if most > self.limits.memory_mb << 20 and not player.lost:
                    # divide shared pages among their users
                    most = sum(map(fair_memory, player.process.pids()))
                self.memory_bytes = max(self.memory_bytes, most)

    def _check_handshake(self, worker: Worker) -> Finding:
        player = worker.start_ready(self.version)
        took = (time.monotonic_ns() - player.started_ns) / 1e6
        if player.ready:
            warned = took > NEAR * self.limits.start_ms
            what = f"ready after {took:,.0f} ms, of {self.limits.start_ms:,} ms"
            return Finding(
                "handshake",
                "warning" if warned else "ok",
                what,
                FASTER + more(self.version.bot, "start_ms", self.limits.start_ms) if warned else "",
            )
        rest = player.process.unfinished_line if player.process else b""
        said = [f"answer    {_head(player.masks.hide_bytes(rest))}"] if rest else []
        stderr = player.process.stderr_text().strip() if player.process else ""
        logged = [f"stderr    {line}" for line in stderr[-SHOWN:].splitlines()]
        asked = 'asked     {"type":"hello","protocol":1, ...}'
        advice = self._advise(Symptoms("start", player.failure, stderr), self.setup.contests[0])
        return Finding("handshake", "failure", player.failure, advice, (asked, *said, *logged))

    def _advise(self, symptoms: Symptoms, contest: Contest) -> str:
        """Return what to do about the failure of which *symptoms* tells, in a match of *contest*."""
        seats = contest.seats
        return advise(examine(self.home, self.version, contest.game, seats, symptoms, self.passed))

    def _check_itself(self) -> Finding:
        transcript = self.setup.transcript
        failed = play_itself(
            self.home, self.version, self.games, self.progress, transcript, passed=self.passed
        )
        for place, fault in failed.items():
            contest = next(c for c in self.setup.contests if place in (c.game, f"{c.game}/{c.seats}"))
            found = self._report_fault("against itself", [fault], contest, f"at {say_place(place)}: ")
            more = name_others(self.version.manifest, place, failed)
            return msgspec.structs.replace(found, advice=found.advice + more)
        return Finding("against itself", "ok", "a match at every table size, all seats its own, no fault")

    def _check_game(self, blocks: SideBySide[record.Block], game: str) -> Finding:
        """Let the bot play *game* at every table size from every seat, until a fault."""
        matches = []
        sizes = [number for number, contest in enumerate(self.setup.contests) if contest.game == game]
        for number in sizes:
            played = self._result(blocks, number)
            if faults := [f for f in faults_in(played) if (f.bot, f.version) == self._identity]:
                blocks.drop(sizes)
                return self._report_fault(game, faults, self.setup.contests[number])
            if failed := _opponent_failed(game, played):
                blocks.drop(sizes)
                return failed
            matches += [match for match in played.matches if not match.void]
        self.matches += matches
        tables = ", ".join(str(self.setup.contests[number].seats) for number in sizes)
        return Finding(
            game, "ok", f"{count(len(matches), 'match')}, every seat at tables of {tables}, no fault"
        )

    def _result(self, blocks: SideBySide[record.Block], number: int) -> record.Block:
        """Return the block of contest *number*; raises what playing it raises."""
        contest = self.setup.contests[number]
        self.progress.play(f"{contest.game} for {contest.seats}", contest.seats, contest.seats)
        return blocks.result(number)

    def _play(self, worker: Worker, number: int) -> record.Block:
        """Play a block.  Contests of one *number* have the same deal, seeds and names.  Raises TooBusy."""
        first = sum(contest.seats for contest in self.setup.contests[:number])
        contest = self.setup.contests[number]
        try:
            (played,) = worker.play([PlannedBlock(number, first, number, contest.bots)])
        except TooBusy as error:
            raise TooBusy(error.reason, judged=self.version.bot) from None
        check_not_killed(played, self.setup.settings, self.version.bot)
        return played

    @property
    def _identity(self) -> tuple[str, str]:
        return self.version.bot, self.version.version

    def _report_fault(
        self, name: str, faults: Sequence[record.Fault], contest: Contest, where: str = ""
    ) -> Finding:
        fault = next((fault for fault in faults if fault.charged), faults[0])
        *shown, _, _ = render_card(msgspec.to_builtins(fault))  # the last lines are about a stored match
        verdict: Grade = "failure" if fault.charged else "warning"
        advice = self._advise(Symptoms.of(fault), contest)
        return Finding(name, verdict, f"{where}{fault.kind}: {fault.reason}", advice, tuple(shown))

    def _check_time(self, free_ms: int, times: Sequence[int]) -> Finding:
        free_us = 1000 * free_ms
        median, most, last = (times[int(part * (len(times) - 1))] for part in (0.5, 0.99, 1))
        from_bank = sum(us > free_us + 1000 * GRACE_MS for us in times)
        bank = f"{count(from_bank, 'decision', len(times))} used the bank" if from_bank else "bank never used"
        what = (
            f"p50 {median / 1000:,.1f} ms, p99 {most / 1000:,.1f} ms, max {last / 1000:,.1f} ms,"
            f" of {free_ms:,} ms; {bank}"
        )
        if from_bank or most > NEAR * free_us:
            told = more(self.version.bot, "move_ms", free_ms)
            advice = f"think less: on a busier machine this is a timeout{told}"
            return Finding("time", "warning", what, advice)
        return Finding("time", "ok", what)

    def _check_memory(self, used: int) -> Finding:
        if not used:
            return Finding("memory", "ok", "this system does not report the memory of a process")
        what = f"at most {used / 2**20:,.0f} MB seen, of {self.limits.memory_mb:,} MB"
        if used > NEAR * (self.limits.memory_mb << 20):
            advice = FAULTS["memory"].advice + more(self.version.bot, "memory_mb", self.limits.memory_mb)
            return Finding("memory", "warning", what, advice)
        return Finding("memory", "ok", what)

    def _check_same_moves(self) -> Finding:
        """Play the smallest tables again, in new processes and in reverse order; compare the moves."""
        before = {match.number: match for match in self.matches}
        smallest = {contest.game: contest.seats for contest in reversed(self.setup.contests)}
        again: list[record.Match] = []
        chosen = [number for number, c in enumerate(self.setup.contests) if c.seats == smallest[c.game]][::-1]
        with self._worker() as worker, self._playing(worker, chosen) as blocks:
            for number in chosen:
                played = self._result(blocks, number)
                own = any((f.bot, f.version) == self._identity for f in played.faults)
                if not own and (failed := _opponent_failed("same moves", played)):
                    return failed
                again += played.matches
        compared = [(before[match.number], match) for match in again if match.number in before]
        for first, second in compared:
            if first.moves != second.moves:
                return Finding(
                    "same moves",
                    "warning",
                    "not deterministic for its seed: a new process made other moves when the matches were"
                    " played again in another order",
                    "draw all random numbers from act.seed, remember nothing from earlier matches, and end a"
                    " search after a number of steps, not by a clock",
                    _difference(first, second),
                )
        return Finding("same moves", "ok", f"{count(len(compared), 'match')} played again in new processes")

    def _check_leaving(self, worker: Worker, how: Literal["bye", "closed stdin"]) -> Finding:
        player = worker.start_ready(self.version)
        process = player.process
        if process is None or not player.ready:
            advice = self._advise(Symptoms("start", player.failure), self.setup.contests[0])
            return Finding(how, "failure", f"not ready this time: {player.failure}", advice)
        began = time.monotonic()
        process.say_bye(BYE if how == "bye" else b"")  # both close its stdin
        patience = Patience(BYE_SECONDS, process.pids)
        if process.exit_fd is not None and patience.wait(process.exit_fd) == "too late":
            raise TooBusy(f"it had not ended {patience.elapsed_s:.0f} s after {how}", judged=self.version.bot)
        status = process.exit_status()
        took = 1000 * (time.monotonic() - began)
        sent = (
            f"sent      {BYE.decode().strip()}, then stdin was closed" if how == "bye" else "closed    stdin"
        )
        shown = (sent, *(f"stderr    {line}" for line in process.stderr_text().strip()[-SHOWN:].splitlines()))
        if status is None:
            player.kill()
            what = f"still running {BYE_SECONDS:.0f} s after {how}"
            return Finding(how, "failure", what, f"end the program with status 0 on {how}", shown)
        if status:
            ended = f"exit status {status}" if status > 0 else f"killed by signal {-status}"
            return Finding(how, "warning", f"ended with {ended}", "end with status 0", shown)
        return Finding(how, "ok", f"ended with status 0 after {took:,.0f} ms")


def _opponents(file: Path, count: int) -> Iterator[Version]:
    """Yield the bot with the manifest *file* *count* times, each with an id of its own."""
    manifest = read_manifest(file, GAMES)
    opponent = Version("house", manifest.name, str(file.parent), manifest)
    return (twin(opponent, i) for i in range(count))


def _opponent_failed(name: str, played: record.Block) -> Finding | None:
    """Return the finding of the check *name* if a fault of an opponent ended one of its matches.

    Such a match says nothing about the bot, so that the check has failed, whatever the bot did.
    """
    if (fault := next((fault for fault in played.faults if fault.charged), None)) is None:
        return None
    return Finding(
        name,
        "failure",
        f"not tested: the opponent, the house bot {fault.version.partition('-')[0]}, could not play:"
        f" {fault.kind}: {fault.reason}",
        "this says nothing about your bot; see what this machine lacks: ladder doctor",
        tuple(f"stderr    {line}" for line in fault.stderr.strip()[-SHOWN:].splitlines()),
        not_the_bot=True,
    )


def _difference(first: record.Match, second: record.Match) -> tuple[str, ...]:
    """Return, as lines, the first step in which two records of a match differ."""
    steps = zip(msgspec.json.decode(first.moves), msgspec.json.decode(second.moves), strict=False)
    for number, (before, after) in enumerate(steps):
        if before != after:
            seat = next(seat for (seat, *a), (_, *b) in zip(before, after, strict=True) if a != b)
            moves = [next(move for s, move, *_ in step if s == seat) for step in (before, after)]
            return (
                f"{first.game} for {len(first.seats)}, step {number}, seat {seat}",
                f"first     {_head(msgspec.json.encode(moves[0]))}",
                f"then      {_head(msgspec.json.encode(moves[1]))}",
            )
    return (f"{first.game}: one of the two ended earlier",)


def _head(data: bytes) -> str:
    return data[:SHOWN].decode("utf-8", "backslashreplace")


def check_nothing_left(mark: str, masks: Masks = NO_MASKS) -> Finding:
    """Check that no process that carries *mark* still runs; *masks* are for their command lines."""
    if not Path("/proc/self/environ").exists():
        return Finding("nothing left", "ok", "this system does not list processes")
    pids: list[int] = []
    patience, state = Patience(LOOKING_SECONDS, lambda: pids), "runs"
    while (pids := find_marked(f"{MARK}={mark}")) and state == "runs":
        state = patience.wait(most_s=0.02)
    if state == "too late" and pids:
        raise TooBusy(f"{len(pids)} killed processes had not ended after {patience.elapsed_s:.0f} s")
    if not pids:
        return Finding("nothing left", "ok", "no process was left")
    names = [f"process   {pid}: {masks.hide(_command(pid))}" for pid in pids]
    what = f"{len(pids)} processes were left when the bot had ended" if pids[1:] else "a process was left"
    return Finding(
        "nothing left", "failure", what, "start no daemons; end every child process on bye", tuple(names)
    )


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return "(just ended)"
