"""Play blocks: the tables, lanes and replays of one worker."""

import logging
import os
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence, Set
from functools import partial
from heapq import nsmallest
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from engines import GAMES
from ladder.contest.blocks import PlannedBlock, ScheduledMatch
from ladder.contest.keys import Keys, deal_rng
from ladder.contest.match_luck import luck_of
from ladder.errors import NO_START, LadderError, TooBusy, whose
from ladder.machine.capacity import available_bytes, most_processes
from ladder.machine.cores import run_on, usable_cores
from ladder.machine.plugged_in import name_game
from ladder.process.bot import BotProcess
from ladder.process.link import SYSTEM_CLOCK, TimeSource
from ladder.process.procfs import threads
from ladder.process.seat_kinds import SeatKind
from ladder.referee.handshake import await_ready
from ladder.referee.limits import oversize
from ladder.referee.player import Outages, Player
from ladder.referee.pondering import Suspicion
from ladder.referee.rules import Rules
from ladder.referee.table import Referee
from ladder.referee.table_events import BotStarted, MatchOver, OnEvent
from ladder.referee.verdicts import Void
from ladder.referee.watch import Watch
from ladder.registry.seat_caps import count_at_once
from ladder.registry.version import Version
from ladder.worker.hidden import masks_for
from ladder.worker.lanes import Lanes
from ladder.worker.open_blocks import EndedBlock, OpenBlocks
from ladder.worker.spending import Outlay
from ladder.worker.starter import NO_SEATS, Starter, within_threads
from ladder.worker.worker_messages import Setup, TranscriptPlace, Unplayed
from results import record

if TYPE_CHECKING:
    from ladder.worker.transcript import Transcripts

log = logging.getLogger(__name__)
IDLE_SECONDS = 0.1
"""How long a worker waits for an order between two looks at its tables, in seconds."""
IDLE_AT_ONCE = 4
"""The most processes at no table that one look visits; it ends with one that has run and is measured."""
VOIDS = 3
"""The number of attempts at a match that the machine has made void, or whose bots it could not start."""
ONCE = 1
"""The number of attempts where a bot can remember beyond its processes: they would show it a deal again."""
NOT_AGAIN = "; it did not happen again"
"""Added to the reason of a fault among several matches that did not come again in one alone."""


class Worker:
    """A worker, which plays blocks with processes that it keeps warm."""

    def __init__(
        self,
        setup: Setup,
        cores: Sequence[int] = (),
        clock: TimeSource = SYSTEM_CLOCK,
        *,
        seats: Mapping[str, SeatKind] = NO_SEATS,
        on_event: OnEvent | None = None,
        practice: bool = False,
        patient: bool = False,
    ) -> None:
        """Use the first of *cores* for worker and bots, and all of them while several bots are asked at once.

        Without *cores*, worker and bots run on any core.  *clock* is that of the bots' links.
        *seats* are the kinds of bots that are no confined process, by the ids of their versions.
        *on_event* is called with all that happens.  In *practice* nothing is won by remembering a deal, so
        that a match may be played again however its bots are confined.  A *patient* one, whose matches are
        kept, waits longer for delayed decisions.
        """
        self.setup = setup = within_threads(setup)
        self._cores = cores
        self._clock = clock
        self.rules = Rules(
            run=setup.run,
            keys=Keys(setup.secret),
            settings=setup.settings,
            sandbox=setup.confinement.tier,
            cores=setup.cores or len(usable_cores()),
        )
        self.on_event = on_event
        self.practice = practice
        self.hurries = False
        """Whether no table of it stands any more: see Hurry."""
        self.patient = patient
        self._suspicions: defaultdict[str, Suspicion] = defaultdict(Suspicion)
        """The suspicion shared by all processes of a bot, by the id of its version."""
        self._outages: defaultdict[str, Outages] = defaultdict(Outages)
        """For how long its service has failed, likewise."""
        self._look_at = 0
        """When to measure again what bots use, at the table and elsewhere."""
        self._processes = setup.processes or most_processes(1)
        self.lanes = Lanes(self._start, self._processes, available_bytes)
        self._starting: list[Player] = []
        """The players whose start is not in the outlays yet."""
        self._waits: list[tuple[str, int]] = []
        """For whom tables stood, and how long, where that is not in the outlays yet."""
        self._guests: list[Player] = []
        """The players of matches that are being replayed."""
        self._transcripts = _open_transcripts(setup.transcript) if setup.transcript else None
        self.masks = masks_for(setup.passed.values(), setup.bots, setup.contests)
        """Hides what nothing that is kept of the bots' words may show."""
        self._starter = Starter(setup, self._processes, self.masks, seats, self._transcripts, clock)
        self._watch: Watch | None = None
        self.late_starts = 0
        """How many bots were not ready in time, or not started at all, by the machine's doing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End every bot: those of matches that came to their end may leave, others are killed."""
        if kind is None:
            self.close()
        else:
            self.kill()

    def watch_tables(self) -> Watch:
        """Look at the bots of all tables in one thread from now on: what waits takes no time then."""
        self._watch = Watch(self.look)
        return self._watch

    def parallel(self, block: PlannedBlock) -> int:
        """Return how many matches the table of *block* may have in progress; 1 until its bots are ready."""
        return min(self.setup.in_progress, self.lanes.parallel([self.setup.bots[i] for i in block.bots]))

    def play(self, blocks: Sequence[PlannedBlock], first_lane: int = 0) -> Iterator[record.Block]:
        """Play *blocks* as `attempt` does.  Raises TooBusy for one that the machine has made void."""
        for played in self.attempt(blocks, first_lane):
            if isinstance(played, Unplayed):
                raise TooBusy(played.reason, judged=" and ".join(played.absent))
            yield played

    def attempt(
        self, blocks: Sequence[PlannedBlock], first_lane: int = 0, *, alone: bool = False, charge: str = ""
    ) -> Iterator[EndedBlock]:
        """Play *blocks*, all of one table, lane by lane, so that several matches can be in progress.

        Each block is yielded when its last match is over, or where luck is to be estimated, which takes time,
        when no clock runs any more; or as Unplayed, when one of its matches is void for the last time.
        *alone* and *charge* are those of a Chunk.
        """
        blocks_in_hand = self.open_blocks(blocks, first_lane)
        while blocks_in_hand.has_lanes:
            yield from self.play_lane(blocks_in_hand, alone=alone, charge=charge)

    def open_blocks(self, blocks: Sequence[PlannedBlock], first_lane: int = 0) -> OpenBlocks:
        """Return *blocks*, all of one table, to be played lane by lane.

        Where some threads begin with another lane than others, as *first_lane* says, they share processes.
        """
        return OpenBlocks(blocks, self.setup.contests[blocks[0].contest], first_lane)

    def play_lane(self, blocks: OpenBlocks, *, alone: bool = False, charge: str = "") -> Iterator[EndedBlock]:
        """Play the next lane of *blocks*, beside other threads; yield what has come to its end by it."""
        if (taken := blocks.take_lane()) is None:
            return
        with name_game(blocks.game, in_match=True):
            overs = self._play_lane(taken[1], taken[0], alone=alone, charge=charge)
            # a generator, so that a block is told when its last match is over, while the others go on
            ended = (block for over in overs if (block := blocks.add(over)))
            if (terms := self.setup.settings.duel) is None or terms.most_luck is None:
                yield from ended
                return
            for block in [*ended]:
                yield block if isinstance(block, Unplayed) else self._block_with_luck(block)

    def _block_with_luck(self, block: record.Block) -> record.Block:
        options = {
            contest.game: contest.options
            for contest in self.setup.contests
            if contest.seats == len(block.matches[0].seats)
        }
        matches = [
            match if match.void else self._with_luck(match, options[match.game]) for match in block.matches
        ]
        return msgspec.structs.replace(block, matches=matches)

    def _with_luck(self, match: record.Match, options: dict[str, record.Json]) -> record.Match:
        game, seats = GAMES[match.game], len(match.seats)
        deal = game.deal(seats, deal_rng(bytes.fromhex(match.deal_seed)), options)
        luck = luck_of(match, game.start(deal, seats).state, self.rules.keys)
        return msgspec.structs.replace(match, luck=luck)

    def play_match(self, scheduled: ScheduledMatch, attempts: int = 1, *, warm: bool = False) -> record.Block:
        """Play one match with new processes; again only if the machine makes it void, so many *attempts*.

        If *warm*, the processes of its lane play it, and stay for other matches.
        Raises TooBusy if it is void in each attempt, or its bots could not be started.
        """
        with name_game(scheduled.contest.game, in_match=True):
            if warm:
                (over,) = self._play_lane([scheduled], scheduled.rotation)
            else:
                (over,) = self._play_again(scheduled, attempts=attempts, charge="")
        if isinstance(over, Unplayed):
            raise TooBusy(over.reason, judged=" and ".join(over.absent))
        return record.Block(scheduled.block, [over.match], over.faults)

    def most_tables(self) -> int:
        """Return how many tables may be in progress at once.

        Only one while transcripts are written, and where luck is estimated: that takes the core from others.
        In practice, which no parent hands out, no more than the caps allow.
        """
        terms = self.setup.settings.duel
        if self._transcripts or (terms is not None and terms.most_luck is not None):
            return 1
        caps = self.setup.caps if self.practice else ()
        at_once = (count_at_once(caps, contest.bots) for contest in self.setup.contests)
        return min([self.tables_by_processes(), *at_once])

    def tables_by_processes(self) -> int:
        """Return how many tables may be in progress by the number of processes alone."""
        seats = max((contest.seats for contest in self.setup.contests), default=2)
        # Half of the processes for the seats of tables in progress; the other half stays warm for the next
        # tables.
        return max(1, self._processes // (2 * seats))

    def all_players(self) -> list[Player]:
        """Return all players that have a process, also those at no table."""
        return [*self.lanes.players(), *list(self._guests)]

    def list_seated(self) -> list[Player]:
        """Return the players at tables."""
        return [*self.lanes.list_taken(), *list(self._guests)]

    def unpin(self) -> None:
        """Let this process and its bots run on any core from now on."""
        self._cores = ()
        for thread in threads(os.getpid()):
            run_on(thread, usable_cores())
        for process in self.lanes.processes():
            process.run_on(usable_cores())

    def look(self) -> None:
        """Look at the processes that play no match, unless another table is doing so."""
        # Looking must never wait: it is done between two decisions of a table, whose clocks run.
        if not self.lanes.lock.acquire(blocking=False):
            return
        try:
            self._look()
        finally:
            self.lanes.lock.release()

    def _look(self) -> None:
        self.lanes.leaving.look()
        idle = self.lanes.idle()
        for player in idle:
            if player.suspicion.certain and player.process and self.rules.freeze == "auto":
                player.process.pause()
        for player in nsmallest(IDLE_AT_ONCE, idle, key=lambda player: player.looked_ns):
            assert player.process
            has_run = player.process.has_run
            self._look_at_idle(player)
            if has_run:  # that took its time
                break

    def _look_at_idle(self, player: Player) -> None:
        """End or stop *player*'s process if it uses too much while others play."""
        assert player.process
        if (use := player.look()) is None:
            return
        if fault := oversize(player, use):
            player.fail(f"between two matches: {fault.reason}", fault.kind)
            return
        if self.rules.freeze != "auto" or player.process.paused:
            return
        if found := player.idle.look(player.process.cpu_us(), use.children_us):
            player.process.pause()
            if player.idle.certain and player.suspicion.convict(found):
                self._accuse(player.bot)

    def _accuse(self, bot: Version) -> None:
        log.warning(
            "%s computes while others decide: %s; from now on it is stopped between its turns, which changes"
            " neither results nor ratings",
            bot.id,
            str(self._suspicions[bot.id]),
        )

    def outlays(self) -> dict[str, Outlay]:
        """Return the costs of starting and ending processes since the last call."""
        with self.lanes.lock:
            outlays = {bot: Outlay(overstayed=count) for bot, count in self.lanes.leaving.overstayed.items()}
            self.lanes.leaving.overstayed.clear()
            waits, self._waits = self._waits, []
            starting, self._starting = self._starting, []
            started = [player for player in starting if player.start_ns]
            self._starting += [player for player in starting if not player.start_ns and not player.lost]
        for player in started:
            before = outlays.get(player.bot.id, Outlay())
            outlays[player.bot.id] = before.plus(Outlay(1, player.start_ns // 1000))
        for bot, waited_ns in waits:
            outlays[bot] = outlays.get(bot, Outlay()).plus(Outlay(waits=1, waited_us=waited_ns // 1000))
        return outlays

    def close(self) -> None:
        """Say bye to every bot process, and wait until all are gone."""
        if self._watch:  # it looks at those that leave as well
            self._watch.close()
        self.lanes.close()
        self.kill()

    def kill(self) -> None:
        """End every bot process at once."""
        if self._watch:
            self._watch.close()
        self.lanes.kill()
        for player in list(self._guests):
            player.kill()

    def start_ready(self, bot: Version) -> Player:
        """Start *bot* for no match until it is ready or has failed.  Raises TooBusy after VOIDS delays."""
        for _ in range(VOIDS):
            (player,) = self.invite([bot])
            await_ready([player], clock=self._clock)
            if player.absent:
                raise TooBusy(player.failure, judged=bot.bot)
            if not player.delay:
                return player
        raise TooBusy(f"{player.failure}; but {player.delay}", judged=bot.bot)

    def invite(self, bots: Sequence[Version]) -> list[Player]:
        """Return new processes, for at most one match."""
        guests = self.lanes.fresh(bots)
        self._guests += guests
        return guests

    def _play_lane(
        self, matches: Sequence[ScheduledMatch], lane: int, *, alone: bool = False, charge: str = ""
    ) -> Iterator[MatchOver | Unplayed]:
        """Play *matches*, each of a different block; yield each that is over, or what became of its block."""
        if alone:
            for scheduled in matches:
                yield from self._play_again(scheduled, charge=charge)
            return
        waiting = deque(matches)
        while waiting:
            bots = [self.setup.bots[i] for i in waiting[0].bots]
            # A bot with a new process for every match needs its seat emptied after each, so the others follow
            # it.
            one = any(map(self.lanes.restarts, bots))
            players = self._seat_players(partial(self.lanes.take, bots, lane), waiting[0])
            if isinstance(players, Unplayed):
                waiting.popleft()
                yield players
                continue
            table = yield from self._sit(
                players, deque([waiting.popleft()]) if one else waiting, charge=charge
            )
            yield from self._replay(table, charge)
            # no process may remember half a match: after one was taken away, all processes of the table end
            halves = bool(table.verdicts.spoiled or table.verdicts.voids)
            self.lanes.retire([p for p in table.players if p.lost or halves or self.lanes.restarts(p.bot)])
            self.lanes.give_back(players)

    def _replay(self, table: Referee, charge: str) -> Iterator[MatchOver | Unplayed]:
        """Play again what was taken away from *table*."""
        again: list[MatchOver | Unplayed] = []
        for scheduled in table.verdicts.spoiled:
            again += self._play_again(scheduled, table.faults_of(scheduled.match), charge=charge)
        for void in table.verdicts.voids:
            again += self._play_again(void.scheduled, voids=[void], charge=charge)
        spoiled = {scheduled.match for scheduled in table.verdicts.spoiled}
        recurred = {
            f"{fault.bot}@{fault.version}"
            for over in again
            if not isinstance(over, Unplayed) and over.match.number in spoiled
            for fault in over.faults
            if fault.charged
        }
        # a fault that comes again in a match alone is the bot's; any other may come from playing several at
        # once
        unrepeated = {bot.id for bot in table.verdicts.troubled} - recurred
        for bot in table.verdicts.troubled:
            self.lanes.lapses.add(bot.id, "unrepeated" if bot.id in unrepeated else "repeated")
        for over in again:
            yield over if isinstance(over, Unplayed) else _told_apart(over, unrepeated)

    def _play_again(
        self,
        scheduled: ScheduledMatch,
        before: Sequence[record.Fault] = (),
        voids: Sequence[Void] = (),
        *,
        attempts: int = VOIDS,
        charge: str,
    ) -> list[MatchOver | Unplayed]:
        """Play by new processes until it is over, or void *attempts* times; *before*, *voids*: so far."""
        bots = [self.setup.bots[i] for i in scheduled.bots]
        voids = list(voids)
        over: list[MatchOver] = []
        while not over:
            if voids and (last := voids[-1]).absent:
                return [Unplayed(scheduled.block, last.reason, cut_short=last.stood, absent=last.absent)]
            # in a hurry, a match for which the table stood is not tried again
            cut_short = self.hurries and any(void.stood for void in voids)
            if cut_short or len(voids) >= (ONCE if any(map(self._remembers, bots)) else attempts):
                return [_report_unplayed(scheduled.block, voids, cut_short=cut_short)]
            guests = self._seat_players(partial(self.invite, bots), scheduled)
            if isinstance(guests, Unplayed):
                return [guests]
            table = _collect(self._sit(guests, deque([scheduled]), before, charge), over)
            self.lanes.retire(guests)
            self._guests = [player for player in self._guests if player not in guests]
            # A void attempt leaves no trace in the results: the next one has the same deal, seeds and names,
            # and processes that have seen nothing of it.
            voids += table.verdicts.voids
        return [*over]

    def _remembers(self, bot: Version) -> bool:
        """Return whether *bot* can remember a deal beyond the lives of its processes."""
        return not self.practice and (self._is_online(bot) or self.rules.sandbox == "none")

    def _is_online(self, bot: Version) -> bool:
        asks = bot.manifest.network
        return bool(bot.manifest.remote) or self.setup.confinement.gives_network(bot.bot, asked=asks)

    def _seat_players(
        self, seat: Callable[[], list[Player]], scheduled: ScheduledMatch
    ) -> list[Player] | Unplayed:
        """Return the players of a match, as *seat* starts them; Unplayed if the machine lets none start.

        It is tried VOIDS times.  Raises LadderError for a bot that is not there any more.
        """
        for attempt in range(VOIDS):
            try:
                return seat()
            except Exception as error:
                if whose(error) != "machine":
                    raise
                why = error.reason if isinstance(error, TooBusy) else f"{error}"
                self.late_starts += 1
                if attempt < VOIDS - 1:
                    log.warning("the bots of match %d are started again: %s", scheduled.match, why)
        folders = [self.setup.bots[i].folder for i in scheduled.bots]
        if gone := [folder for folder in folders if not Path(folder).is_dir()]:
            raise LadderError(
                f"the folder of a bot is gone: {gone[0]}",
                "put it back, and type the same command; of a moved home: ladder run --resume --home PLACE",
            ) from None
        return Unplayed(scheduled.block, f"{NO_START}{why}")

    def _sit(
        self,
        players: list[Player],
        waiting: deque[ScheduledMatch],
        before: Sequence[record.Fault] = (),
        charge: str = "",
    ) -> Generator[MatchOver, None, Referee]:
        def room() -> int:
            self.lanes.hear(players)
            return min(self.setup.in_progress, self.lanes.parallel([player.bot for player in players]))

        for player in players:
            freeze = self.rules.freeze
            player.pauses = freeze == "on" or (freeze == "auto" and player.suspicion.certain)
            player.sit()
        spread: list[BotProcess] = []

        def spread_out() -> None:
            if len(self._cores) > 1:
                spread.extend(p.process for p in players if p.process and p.bot.manifest.threads == 1)
                for process in spread:
                    process.run_on(self._cores)

        # a bot with the network would think elsewhere while a table stands
        patient = self.patient and not any(self._is_online(player.bot) for player in players)

        def is_patient() -> bool:
            return patient and not self.hurries

        hooks = self.look, spread_out, self._clock, self.on_event, charge, is_patient, self._watch
        table = Referee(self.rules, players, room, before, *hooks, lambda: self.hurries)
        table.look_at = self._look_at
        if self._transcripts:
            self._transcripts.expect(waiting, players, self.rules.keys)
        for over in table.play(waiting):
            if self.on_event:
                self.on_event(over)
            yield over
        if self._transcripts:
            self._transcripts.settle(players)
        self._look_at = table.look_at
        self.late_starts += sum(player.matches <= 1 and player.started_late for player in players)
        for process in spread:
            process.run_on(self._cores[:1])
        for player in players:
            player.stand()
        with self.lanes.lock:
            self._waits += table.clocks.waits
        for bot in table.resources.ponderers:
            self._accuse(bot)
        for bot in table.verdicts.strays:
            self.lanes.lapses.add(bot.id, "stray")
        return table

    def _start(self, bot: Version) -> Player:
        """Start *bot*, share its suspicion, and tell of it."""
        player = self._starter.start(bot)
        with self.lanes.lock:
            self._starting.append(player)
        player.suspicion, player.outages = self._suspicions[bot.id], self._outages[bot.id]
        player.cores = min(player.cores, self.rules.cores)
        if self.on_event:
            self.on_event(BotStarted(player))
        return player


def _open_transcripts(place: TranscriptPlace) -> "Transcripts":
    from ladder.worker.transcript import Transcripts  # other workers need not load it

    return Transcripts(place)


def _collect(coming: Generator[MatchOver, None, Referee], into: list[MatchOver]) -> Referee:
    """Append what *coming* yields to *into*; return its return value."""
    while True:
        try:
            into.append(next(coming))
        except StopIteration as end:
            table: Referee = end.value
            return table


def _report_unplayed(block: int, voids: Sequence[Void], *, cut_short: bool) -> Unplayed:
    """Return what is reported of *block*, one of whose matches is void in each of its attempts *voids*."""
    # Only a bot that was late in every attempt is a suspect: one that happened to be late once is not to
    # blame.
    late = frozenset.intersection(*(void.late for void in voids))
    in_time = all(void.in_time for void in voids)
    return Unplayed(block, voids[-1].reason, tuple(sorted(late)), in_time, cut_short)


def _told_apart(over: MatchOver, bots: Set[str]) -> MatchOver:
    """Return *over*; those faults that *bots* were forgiven among several matches did not happen again."""
    faults = [
        msgspec.structs.replace(fault, reason=fault.reason + NOT_AGAIN, lapse="unrepeated")
        if f"{fault.bot}@{fault.version}" in bots and fault.lapse == "repeated"
        else fault
        for fault in over.faults
    ]
    return MatchOver(over.match, faults)
