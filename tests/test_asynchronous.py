"""A crawl as an asynchronous iterator: every event once, and an end in order however the loop over it is left."""

import asyncio
import contextlib
import os
import threading

import pytest

import ttcrawl
from tests.support.crawls.crawling import verified
from tests.support.faults.killing import descendants
from tests.support.web.mesh import mesh
from tests.support.web.site import Web

PAGES = 25


@pytest.fixture(scope="module")
def web():
    with Web(mesh(["a.test"], PAGES, seed=3)) as web:
        yield web


def settings(web, **more):
    keys = {"fetch.resolve": " ".join(web.resolve), "crawl.fetchers": 1, "crawl.parsers": 1, "politeness.delay": 0.02}
    return keys | {name.replace("__", "."): value for name, value in more.items()}


def crawl(web, directory, **more):
    return ttcrawl.crawl(web.url("a.test", "/"), directory, settings=settings(web, **more), asynchronous=True)


@pytest.fixture
def left_alone():
    """Neither threads nor processes are left."""
    threads = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= threads
    assert not [name for _, name in descendants(os.getpid()) if "ttcrawl" in str(name)]


def settled(directory):
    with ttcrawl.open(directory) as opened:
        return {row.url: (row.state, row.reason) for row in opened.iter_urls() if row.attempts}


@pytest.mark.slow
def test_all_events_come_in_order(web, tmp_path, left_alone):
    async def follow():
        running = crawl(web, tmp_path / "c")
        return running.directory, [event async for event in running]

    directory, events = asyncio.run(follow())
    assert [event.id for event in events] == [*range(1, len(events) + 1)]
    requested = [event for event in events if event.state != "refused"]
    assert {event.url: (event.state, event.reason) for event in requested} == settled(directory)
    pages = [event for event in events if event.state == "fetched"]
    assert len(pages) >= PAGES and all(event.status and event.time and event.type for event in pages)
    assert ttcrawl.open(directory).finished == "done" and verified(directory) == ""


async def broken_off(running):
    async for _ in running:
        break
    del running  # as at the end of a function


async def closed(running):
    async with contextlib.aclosing(running) as events:
        async for _ in events:
            break


async def failed(running):
    async with contextlib.aclosing(running) as events:
        async for event in events:
            raise ValueError(event.url)


async def cancelled(running):
    begun = asyncio.Event()

    async def follow():
        async for _ in running:
            begun.set()

    task = asyncio.create_task(follow())
    await begun.wait()
    task.cancel()
    await task


@pytest.mark.slow
@pytest.mark.parametrize(
    "leave,error",
    [(broken_off, None), (closed, None), (failed, ValueError), (cancelled, asyncio.CancelledError)],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_loop_that_is_left_ends_the_crawl_in_order(web, tmp_path, left_alone, leave, error):
    async def follow():
        await leave(crawl(web, tmp_path / "c", politeness__delay=0.1))

    with pytest.raises(error) if error else contextlib.nullcontext():
        asyncio.run(follow())
    assert ttcrawl.open(tmp_path / "c").finished == "interrupted" and verified(tmp_path / "c") == ""
    first = settled(tmp_path / "c")
    assert 0 < len(first) < PAGES

    async def go_on():
        resumed = ttcrawl.resume(tmp_path / "c", settings={"politeness.delay": 0.01}, asynchronous=True)
        return [event async for event in resumed]

    events = asyncio.run(go_on())
    assert len({event.url for event in events}) >= PAGES - len(first)
    assert ttcrawl.open(tmp_path / "c").finished == "done" and verified(tmp_path / "c") == ""


@pytest.mark.slow
def test_a_reader_that_takes_none_does_not_stop_the_crawl(web, tmp_path, left_alone):
    async def follow():
        running = crawl(web, tmp_path / "c")
        async with contextlib.aclosing(running) as events:
            first = await anext(events)
            while ttcrawl.open(running.directory).finished != "done":
                await asyncio.sleep(0)
            return [first, *[event async for event in events]]

    assert len(asyncio.run(follow())) >= PAGES


def test_errors_are_those_of_a_crawl(web, tmp_path, left_alone):
    with pytest.raises(ttcrawl.UsageError, match="is not an http"):
        ttcrawl.crawl("nonsense://", tmp_path / "c", asynchronous=True)
    with pytest.raises(TypeError, match="unexpected keyword argument 'pages'"):
        ttcrawl.crawl(web.url("a.test", "/"), tmp_path / "c", pages=None)

    async def follow(running):
        return [event async for event in running]

    with pytest.raises(ttcrawl.UsageError, match="contains no crawl"):
        asyncio.run(follow(ttcrawl.resume(tmp_path / "nowhere", asynchronous=True)))
