"""The risk of a lead is one over the wealth of a bet, averaged over leads that there may be."""

from math import exp, inf, pi, sqrt

import pytest

from results.rating.lead_risk import SPREAD, lead_risk


@pytest.mark.parametrize(("lead", "error"), [(0.6, 0.6), (1.5, 0.5), (3.0, 0.7), (0.5, 0.1)])
def test_it_is_one_over_the_mean_likelihood_ratio_of_all_leads_above_0(lead, error):
    step = 1e-3
    wealth = 0.0
    for place in range(6_000):
        x = (place + 0.5) * step
        weight = sqrt(2 / pi) / SPREAD * exp(-((x / SPREAD) ** 2) / 2)
        wealth += weight * exp((lead * x - x * x / 2) / error**2) * step
    assert min(1.0, 1 / wealth) == pytest.approx(lead_risk(lead, error), rel=1e-4)


@pytest.mark.parametrize(("lead", "error"), [(0.0, 0.1), (-1.0, 0.1), (1.0, inf), (0.0, inf)])
def test_where_there_is_no_evidence_it_is_1(lead, error):
    assert 1.0 == lead_risk(lead, error)
