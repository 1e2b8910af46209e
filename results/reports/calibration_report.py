"""What calibration found, for people and for programs."""

from collections.abc import Mapping

from results.rating.calibration import Calibration, PairMisfit
from results.rating.outcomes import Bot
from results.record import Json
from results.reports.document import Column, Row, name_columns
from results.reports.labels import Numbers, labels
from results.words import count

MOST = 3
"""At most this many pairs, or cycles, are named."""


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


CURVE = (
    Column("expected", "favourite", kind=lambda row: f"{100 * row['low']:.0f}-{100 * row['high']:.0f} %"),
    Column("meetings", "meetings", lambda count: f"{count:,}", right=True),
    Column("win_said", "win", _percent, right=True),
    Column("win_happened", "won", _percent, right=True),
    Column("draw_said", "draw", _percent, right=True),
    Column("draw_happened", "drew", _percent, right=True),
    Column("loss_said", "lose", _percent, right=True),
    Column("loss_happened", "lost", _percent, right=True),
)
"""The columns of the curve, for people: what the ratings say in percent (win) and what happened (won)."""

CALIBRATION = name_columns(
    *("game", "matches", "predicted", "left_out", "log_loss", "log_loss_pairs"),
    *("log_loss_difference_se", "log_loss_win_draw_loss", "misfit", "misfit_z", "is_wrong"),
    *("curve", "pairs", "sure_z", "cycles"),
)
"""The columns for programs: a row is a game.  See results/README.md."""


def calibration_row(game: str, found: Calibration) -> Row:
    before = found.before
    return {
        "game": game,
        "matches": found.fitted + found.predicted,
        "predicted": found.predicted,
        "left_out": found.left_out,
        "log_loss": before and before.ratings,
        "log_loss_pairs": before and before.pairs,
        "log_loss_difference_se": before and before.difference_se,
        "log_loss_win_draw_loss": found.win_draw_loss,
        "misfit": found.misfit,
        "misfit_z": found.misfit_z,
        "is_wrong": found.is_wrong,
        "curve": curve_rows(found),
        "pairs": [_pair(pair) for pair in found.pairs],
        "sure_z": found.sure_z,
        "cycles": [
            {
                "bots": [{"bot": bot, "version": version} for bot, version in cycle.bots],
                "scores": [*cycle.scores],
            }
            for cycle in found.cycles
        ],
    }


def curve_rows(found: Calibration) -> list[Row]:
    """Return a row for each group of meetings, by the score that the ratings expect of the favourite."""
    rows = []
    for group in found.curve:
        row: Row = {"low": group.low, "high": group.high, "meetings": group.meetings}
        for what, said, happened in zip(("win", "draw", "loss"), group.said, group.happened, strict=True):
            row |= {f"{what}_said": said, f"{what}_happened": happened}
        rows.append(row)
    return rows


def _pair(pair: PairMisfit) -> dict[str, Json]:
    return {
        "bot": pair.a[0],
        "version": pair.a[1],
        "rival": pair.b[0],
        "rival_version": pair.b[1],
        "meetings": pair.meetings,
        "said": pair.said,
        "happened": pair.happened,
        "z": pair.z,
    }


# --- for people


def title(game: str, found: Calibration) -> str:
    """Return the line above the curve."""
    return (
        f"{game}  {count(found.fitted + found.predicted, 'match')},"
        f" of which {found.predicted:,} are predicted from the others"
    )


def remarks(found: Calibration, numbers: Numbers) -> list[str]:
    """Return what to say below the curve."""
    # The pairs have all bots that met; labels name a version only where two of one name are shown.
    label = labels((bot for pair in found.pairs for bot in pair[:2]), numbers)
    return [
        *_on_predictions(found),
        *_on_misfit(found),
        *_on_pairs(found, label),
        *_on_cycles(found, label),
        *(["warning: one rating per bot does not describe this game well"] if found.is_wrong else []),
    ]


def _on_predictions(found: Calibration) -> list[str]:
    said = []
    if found.before:
        said.append(
            f"log-loss: ratings {found.before.ratings:.3f},"
            f" each pair's own results {found.before.pairs:.3f}, a coin 0.693"
        )
    if found.left_out:
        said.append(f"{found.left_out:,} meetings are left out: no other match compares these bots")
    return said


def _on_misfit(found: Calibration) -> list[str]:
    if not found.pairs:
        return []
    if not found.misfits:
        return ["misfit: none beyond chance"]
    return [f"misfit: {100 * found.misfit:.1f} points of win rate, beyond chance"]


def _on_pairs(found: Calibration, label: Mapping[Bot, str]) -> list[str]:
    """Name the pairs that surely deviate; without one, the pair that deviates most."""
    # Without a sure one, the worst pair is named nevertheless: "nothing found" would not say how far off it
    # is.
    sure = found.sure_pairs
    apart = [pair for pair in found.pairs[:1] if round(100 * pair.happened) != round(100 * pair.said)]
    said = [
        f"{label[pair.a]} against {label[pair.b]}: {100 * pair.happened:.0f} % in {pair.meetings:,} meetings,"
        f" the ratings say {100 * pair.said:.0f} %{'' if sure else ' (may be chance)'}"
        for pair in sure[:MOST] or apart
    ]
    return [*said, *([f"{len(sure) - MOST:,} more such pairs: --format json"] if sure[MOST:] else [])]


def _on_cycles(found: Calibration, label: Mapping[Bot, str]) -> list[str]:
    if len(label) < 3:
        return []
    said = []
    for cycle in found.cycles[:MOST]:
        steps = zip(cycle.bots, (*cycle.bots[1:], cycle.bots[0]), cycle.scores, strict=True)
        beats = [f"{label[bot]} beats {label[rival]} ({100 * score:.0f} %)" for bot, rival, score in steps]
        said.append(f"cycle: {', '.join(beats)}")
    if found.cycles[MOST:]:
        said.append(f"{len(found.cycles) - MOST:,} more cycles: --format json")
    return said or ["no sure cycle of three bots"]
