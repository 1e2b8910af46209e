"""Tests of pages: those with a browser are of the tools, and sites are quick (see support.sites)."""

import asyncio
import inspect

import pytest
from support.sites import in_this_process

BROWSERS = {"axe", "browser", "browser_of_family", "family", "firefox"}
"""Fixtures that need what a machine may lack."""


def pytest_itemcollected(item):
    if BROWSERS & {*item.fixturenames}:
        item.add_marker("tools")


@pytest.fixture(scope="module", autouse=True)
def quick_sites():
    with in_this_process():
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that is a coroutine in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    asyncio.run(pyfuncitem.obj(**arguments))
    return True
