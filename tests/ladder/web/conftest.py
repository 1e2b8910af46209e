"""Sites in tests are quick: see support.sites."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.sites import in_this_process


@pytest.fixture(scope="module", autouse=True)
def quick_sites() -> Iterator[None]:
    with in_this_process():
        yield
