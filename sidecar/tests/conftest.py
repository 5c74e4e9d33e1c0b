"""One process for the tests that don't need one of their own: starting it takes most of their time."""

from collections.abc import Iterator

import pytest

from app import App


@pytest.fixture(scope="session")
def shared() -> Iterator[App]:
    with App() as app:
        app.hear("hello")
        yield app


@pytest.fixture
def app(shared: App) -> Iterator[App]:
    """The process, with the scripted answers of this test only."""
    before = dict(shared.answers)
    shared.asked.clear()
    shared.received.clear()
    yield shared
    shared.answers = before
