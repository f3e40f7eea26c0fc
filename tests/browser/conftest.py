"""Fixtures of the browser tests: one JupyterLab and one page a module, made clean for each test."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from finding import HOW_TO_GET_ONE, a_missing_browser_fails, chromium_path
from lab import BROWSER_FLAGS, Lab, Server
from playwright.sync_api import Browser


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the browser tests last.

    The quick tests tell first; and Playwright keeps an event loop running in the main thread for the
    rest of the session, under which no other test could call ``asyncio.run``.
    """
    here = Path(__file__).parent
    items.sort(key=lambda item: here in item.path.parents)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip all of them together where there is no browser; here, so that it is told in one line."""
    if chromium_path() is None:
        _lacking(HOW_TO_GET_ONE)


def _lacking(what: str) -> NoReturn:
    """Skip and say what is lacking; fail where everything ought to be there."""
    if a_missing_browser_fails():
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    args = [*browser_type_launch_args.get("args", []), *BROWSER_FLAGS]
    return {**browser_type_launch_args, "executable_path": chromium_path(), "args": args}


@pytest.fixture(scope="module")
def _lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    server = Server(tmp_path_factory.mktemp("lab"))
    try:
        lab = Lab(server, browser)
        yield lab
        lab.page.context.close()
    finally:
        server.stop()


@pytest.fixture
def lab(_lab: Lab, request: pytest.FixtureRequest) -> Iterator[Lab]:
    """A JupyterLab with nothing open. Fails a test whose page complained or asked for a network.

    A test that provokes a complaint says so: ``@pytest.mark.complains("part of its text")``.
    """
    _lab.reset()
    yield _lab
    expected = [part for mark in request.node.iter_markers("complains") for part in mark.args]
    _lab.assert_quiet(expected)


@pytest.fixture(scope="module")
def notebook7(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """The same page object over Notebook 7; `Lab.open`, cells, widgets and Python work there too."""
    if importlib.util.find_spec("notebook") is None:
        _lacking(
            "NOT TRIED IN NOTEBOOK 7: the package is missing. Get it with `pip install notebook`."
        )
    server = Server(tmp_path_factory.mktemp("notebook7"), app="notebook")
    try:
        lab = Lab(server, browser)
        yield lab
        lab.page.context.close()
    finally:
        server.stop()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "complains(text): the browser's console is to say this")
