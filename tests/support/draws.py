"""How often a test tries what it draws by chance: a few times where it is fast, often where it is slow."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings


def times(few: int, many: int) -> pytest.MarkDecorator:
    """Give a test the argument `number`: *few*, and once more *many*, when it is slow."""
    return pytest.mark.parametrize("number", [few, pytest.param(many, marks=pytest.mark.slow)])


def draws(few: int, many: int, *drawn: Any, **named: Any) -> Callable[[Callable[..., None]], Any]:
    """As `given` of Hypothesis: draw *few* examples, and *many* when the test is slow."""

    def decorate(test: Callable[..., None]) -> Any:
        @wraps(test, updated=())  # without its marks for Hypothesis
        def run(number: int, **arguments: Any) -> None:
            settings(max_examples=number, suppress_health_check=[HealthCheck.too_slow])(
                given(*drawn, **named)(test)
            )(**arguments)

        others = signature(given(*drawn, **named)(test))
        of_run = [*others.parameters.values(), Parameter("number", Parameter.KEYWORD_ONLY)]
        run.__signature__ = others.replace(parameters=of_run)  # type: ignore[attr-defined]  # for pytest
        return times(few, many)(run)

    return decorate
