"""What the outcome of one match says of the skills at its table.

The model is that of Herbrich, Minka and Graepel, "TrueSkill: A Bayesian Skill Rating System" (2006): each
seat performs as its bot's skill plus normal luck of variance beta^2, called `noise` here.  Higher ranks
performed better by more than the draw margin, ties by less.  With the skills given, the log-likelihood of an
outcome has a gradient and a curvature (minus its second derivative), from which a fit finds the skills.

Two seats have a closed form.  More seats are a chain: the differences in performance of neighbours in rank.
Their messages are passed until they rest (expectation propagation).  A message is a normal distribution,
stored as its precision (pi, 1 / variance) and its precision times its mean (tau).  A fit spends its time in
pass_messages and differentiate, so they are written out and call little.
"""

from __future__ import annotations

from math import erfc, exp, pi, sqrt

REST = 1e-10
"""Messages are at rest when none changes by more than this share of itself..."""
ROUNDS = 30
"""...or after this number of passes down the chain."""
TAIL = 6.0
"""Farther out, in standard deviations, the normal distribution is computed by a continued fraction..."""
FRACTIONS = 14
"""...with this many terms."""
FAR = 37.0
"""A tie farther out is treated as if the difference were exponentially distributed."""
SMOOTH = 1.0
"""Up to this exponent, quadrature with NODES is exact to the last digits."""

_ROOT_HALF = sqrt(0.5)
_DENSITY = 1 / sqrt(2 * pi)
_NODES = (0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363)
_WEIGHTS = (0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763)
"""Gauss-Legendre quadrature with eight nodes, the positive ones: Abramowitz and Stegun, table 25.4."""


def weigh_win(x: float) -> tuple[float, float, float]:
    """Return V, W and 1 - W for a win: the corrections of the paper, section 3.3.

    *x* is the mean of the difference in performance less the margin, in its standard deviations.
    """
    if x > -TAIL:
        v = _DENSITY * exp(-0.5 * x * x) / (0.5 * erfc(-x * _ROOT_HALF))
        w = v * (v + x)
        return v, w, 1.0 - w
    more, most = _continue(-x)
    return more - x, 1.0 - (most - more) / (most - x), (most - more) / (most - x)


def _continue(a: float) -> tuple[float, float]:
    """Return 1 / (a + 2 / (a + 3 / ...)) and 2 / (a + 3 / ...), the continued fractions of Mills' ratio.

    Beyond *a* the normal distribution has the mass density / (a + the first): no digits are lost, however
    far *a* is out (Abramowitz and Stegun, 26.2.14).
    """
    t = a
    for k in range(FRACTIONS, 2, -1):
        t = a + k / t
    most = 2.0 / t
    return 1.0 / (a + most), most


def weigh_tie(mean: float, margin: float) -> tuple[float, float, float]:
    """Return V, W and 1 - W for a tie: the corrections of the paper, section 3.3.

    *mean* and *margin* are those of the difference in performance, in its standard deviations.
    """
    distance = abs(mean)
    if margin * (distance + margin) <= SMOOTH:
        return _weigh_narrow_tie(mean, margin)
    a, b = distance - margin, distance + margin  # the standardized distances of the edges
    if a < TAIL:
        likely = 0.5 * (erfc(a * _ROOT_HALF) - erfc(b * _ROOT_HALF))
        at_a, at_b = _DENSITY * exp(-0.5 * a * a), _DENSITY * exp(-0.5 * b * b)
        v = (at_b - at_a) / likely
        w = v * v - (a * at_a - b * at_b) / likely
        return (v if mean > 0.0 else -v), w, 1.0 - w
    fall = exp(-2.0 * margin * distance)  # the density at the farther edge, beside that at the nearer
    if a < FAR:
        likely = 1.0 / (a + _continue(a)[0]) - fall / (b + _continue(b)[0])
        v = (1.0 - fall) / likely
        rest = 1.0 + (a - b * fall) / likely - v * v
        return (-v if mean > 0.0 else v), 1.0 - rest, rest
    width = 2.0 * margin  # the performance is at the nearer edge, exponentially distributed
    inside = 1.0 / a - width * fall / (1.0 - fall)
    rest = 1.0 / (a * a) - width * width * fall / ((1.0 - fall) * (1.0 - fall))
    v = a + inside
    return (-v if mean > 0.0 else v), 1.0 - rest, rest


def _weigh_narrow_tie(mean: float, margin: float) -> tuple[float, float, float]:
    """Return what weigh_tie does, by quadrature: differences of near numbers would lose digits."""
    total = first = second = 0.0
    for i in range(len(_NODES)):
        t = _NODES[i] * margin
        bell, lean = _WEIGHTS[i] * exp(-0.5 * t * t), exp(mean * t)
        both = bell * (lean + 1.0 / lean)
        total += both
        first += t * bell * (lean - 1.0 / lean)
        second += t * t * both
    centre = first / total
    rest = second / total - centre * centre
    return centre - mean, 1.0 - rest, rest


def pass_messages(
    skills: list[float],
    ties: tuple[bool, ...],
    noise: float,
    margin: float,
    messages: list[float],
    rest: float = REST,
) -> int:
    """Pass messages along the chain until none changes by more than *rest*; return the number of rounds.

    *skills* are by rank.  *messages* holds pi and tau of each difference, one after the other, all 0.0 at
    the start.  It is changed in place, so that a fit can go on where it was.
    """
    end = len(skills) - 1
    own = 1.0 / noise
    # with what the seats below say
    lower_pi, lower_tau = [own] * (end + 1), [own * skill for skill in skills]
    for rounds in range(ROUNDS):
        for i in range(end - 1, 0, -1):
            p, t = messages[2 * i], messages[2 * i + 1]
            q, u = lower_pi[i + 1], lower_tau[i + 1]
            both = q + p
            lower_pi[i] = own + q * p / both
            lower_tau[i] = own * skills[i] + (p * u + q * t) / both
        at_rest = True
        upper_pi, upper_tau = own, own * skills[0]  # with what the seats above say
        for i in range(end):
            q, u = lower_pi[i + 1], lower_tau[i + 1]
            both = upper_pi + q
            p, t = upper_pi * q / both, (q * upper_tau - upper_pi * u) / both
            p, t = _answer(p, t, ties[i], margin)
            if at_rest:
                at_rest = abs(p - messages[2 * i]) <= rest * p and abs(t - messages[2 * i + 1]) <= rest * (
                    abs(t) + sqrt(p)
                )
            messages[2 * i], messages[2 * i + 1] = p, t
            both = upper_pi + p
            upper_tau = own * skills[i + 1] + (p * upper_tau - upper_pi * t) / both
            upper_pi = own + upper_pi * p / both
        if at_rest:
            return rounds + 1
    return ROUNDS


def _answer(p: float, t: float, tie: bool, margin: float) -> tuple[float, float]:
    """Return the message of the outcome to a difference, which is (p, t) without that message."""
    root = sqrt(p)
    if tie:
        v, w, rest = weigh_tie(t / root, margin * root)
    else:
        v, w, rest = weigh_win(t / root - margin * root)
    return p * w / rest, (w * t + root * v) / rest


def differentiate(
    skills: list[float], noise: float, messages: list[float]
) -> tuple[list[float], list[list[float]]]:
    """Return gradient and curvature of the log-likelihood of an outcome by the skills at its table.

    *messages* are at rest.  With E and C the mean and the covariance of the performances, which they give,
    the gradient is (E - skills) / noise and the curvature I / noise - C / noise^2.  All terms of the sums
    have one sign, so no digits are lost; rows of the curvature add up to zero.
    """
    seats = len(skills)
    own = 1.0 / noise
    p = t = 0.0  # what the seats above say of a performance
    precisions, forces = [own] * seats, [0.0] * seats
    shares: list[float] = []  # how much of a move of the lower performance the upper one makes as well
    for i in range(seats - 1):
        q, u = messages[2 * i], messages[2 * i + 1]
        p += own
        t += own * skills[i]
        both = p + q
        shares.append(q / both)
        t = (q * t - p * u) / both
        p = p * q / both
        precisions[i + 1] += p
        forces[i + 1] += t - p * skills[i + 1]
    p = t = 0.0  # what the seats below say
    for i in range(seats - 2, -1, -1):
        q, u = messages[2 * i], messages[2 * i + 1]
        p += own
        t += own * skills[i + 1]
        both = p + q
        t = (q * t + p * u) / both
        p = p * q / both
        precisions[i] += p
        forces[i] += t - p * skills[i]
    gradient: list[float] = []
    curvature = [[0.0] * seats for _ in range(seats)]
    for j in range(seats):
        value = own / precisions[j]
        gradient.append(value * forces[j])
        value *= own
        row = curvature[j]
        for i in range(j - 1, -1, -1):
            value *= shares[i]
            row[i] = curvature[i][j] = -value
            row[j] += value
            curvature[i][i] += value
    return gradient, curvature
