"""Load the playground with visitors at the same time, and see what is left when they are gone.

Starts ``kt play`` as a process. Each visitor connects as the page's script does, sets the sides of
the board, presses Solve until there is an answer, and then begins a long search; half of them stop
it, the others leave while it runs. Whoever is told that the playground is busy tries again. Prints
how long a click on Solve takes when nobody else is there, what the visitors were told, how long
they waited, and the processes, memory and temporary files of the server: when one visitor has been
there, at the peak, and when all of them have been gone for a while, after each round.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import html
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, NamedTuple, Self

import aiohttp
import psutil
import socketio

PATIENCE = 300.0  # seconds that a visitor waits at most
PAUSE = 1.0  # seconds between two attempts, on average, and until a search is stopped
ARRIVAL = 10.0  # seconds in which all visitors come
ALONE, REST_ALONE = 5, 3.0  # visitors who come one after the other, and seconds before each click


class Visitor:
    """A connection to the page, with the elements that it shows.

    As a browser does, it connects again when the connection is lost, and goes on from the last
    message that it got.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.elements: dict[str, dict[str, Any]] = {}
        self.client = ""
        self.next_message = 0
        self.connections = 0
        self.changed = asyncio.Event()
        self.socket = socketio.AsyncClient(
            reconnection_delay=0.5, reconnection_delay_max=2, request_timeout=PATIENCE
        )
        self.socket.on("update", self._update)
        self.socket.on("connect", self._count_connection)

    async def __aenter__(self) -> Self:
        """Load the page, and connect."""
        async with aiohttp.ClientSession() as session, session.get(self.address) as response:
            page = await response.text()
        [elements] = re.findall(r"parseElements\(String\.raw`(.*?)`\)", page, re.DOTALL)
        [self.client] = re.findall(r"'client_id': '(.*?)'", page)
        self.elements = json.loads(html.unescape(elements))
        await self.socket.connect(
            self._url(),
            socketio_path="/_nicegui_ws/socket.io",
            transports=["websocket"],
            wait_timeout=PATIENCE,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave."""
        await self.socket.disconnect()

    def _url(self) -> str:
        """Return the address of the connection, with the number of the next message."""
        query = f"client_id={self.client}&tab_id={self.client}&document_id={self.client}"
        following = f"next_message_id={self.next_message}&implicit_handshake=true"
        return f"{self.address}&{query}&{following}"

    def _count_connection(self) -> None:
        """Count a connection."""
        self.connections += 1

    def _update(self, changes: dict[str, Any]) -> None:
        """Take in a message: the elements that have changed."""
        self.next_message = changes.pop("_id", self.next_message - 1) + 1
        self.socket.connection_url = self._url()
        self.elements |= changes
        self.changed.set()

    def element_key(self, name: str, event: str = "") -> str:
        """Return the key of the element that has this label or role, and listens to an event."""
        for key, element in self.elements.items():
            props = (element or {}).get("props", {})
            events = {each["type"] for each in (element or {}).get("events", ())}
            if name in (props.get("label"), props.get("role")) and (not event or event in events):
                return key
        raise SystemExit(f"the page has no {name}")

    async def use(self, name: str, event: str, value: object = None) -> None:
        """Press a button, or set a field; the last answer is forgotten."""
        key = self.element_key(name, event)
        self.elements[self.element_key("status")]["text"] = ""
        [listener] = (each for each in self.elements[key]["events"] if each["type"] == event)
        while not self.socket.connected:
            await asyncio.sleep(0.1)
        message = {"client_id": self.client, "id": int(key), "listener_id": listener["listener_id"]}
        await self.socket.emit("event", {**message, "args": [json.dumps(value)]})

    async def answer(self, *words: str) -> str:
        """Wait until the answer begins with one of these words, and return it."""
        key = self.element_key("status")
        async with asyncio.timeout(PATIENCE):
            while not (text := self.elements[key]["text"]).startswith(words):
                self.changed.clear()
                await self.changed.wait()
        return str(text)


def rest_of_pause() -> float:
    """Return the seconds, at random, that a visitor waits before the next click."""
    return random.uniform(0.5, 1.5) * PAUSE


async def visit(number: int, address: str, counts: collections.Counter[str]) -> float:
    """Do what a visitor does, and return the seconds from the first Solve to the answer.

    ``counts`` are how often visitors got each answer. Who gets no answer in time, or loses the
    connection for good, is counted as lost.
    """
    await asyncio.sleep(random.uniform(0, ARRIVAL))
    try:
        async with asyncio.timeout(PATIENCE):
            return await play(number, address, counts)
    except (TimeoutError, socketio.exceptions.SocketIOError, aiohttp.ClientError):
        counts["lost"] += 1
        return PATIENCE


async def play(number: int, address: str, counts: collections.Counter[str]) -> float:
    """Solve a board, look for the best tour of another kind, and stop that or leave."""
    async with Visitor(f"{address}?board=5x5&closed=true") as visitor:
        seconds = await solve_until_found(visitor, 6 + 2 * (number % 4), counts)
        await begin_search(visitor, counts)
        if number % 2:
            await visitor.use("Stop", "click")
            answer = await visitor.answer("stopped", "busy: ")
            counts[answer.partition(":")[0]] += 1
        counts["connected again"] += visitor.connections - 1
        return seconds


async def solve_until_found(visitor: Visitor, side: int, counts: collections.Counter[str]) -> float:
    """Set the sides of the board, and press Solve until there is a tour; return the seconds."""
    for name in ("Rows", "Columns"):
        await visitor.use(name, "update:modelValue", side)
    await visitor.answer(f"Closed tour of {side}x{side}")
    began = time.monotonic()
    while True:
        await visitor.use("Solve", "click")
        answer = await visitor.answer("found: ", "busy: ")
        counts[answer.partition(":")[0]] += 1
        if answer.startswith(f"found: closed tour of {side}x{side}, {side**2} squares"):
            return time.monotonic() - began
        await asyncio.sleep(rest_of_pause())


async def begin_search(visitor: Visitor, counts: collections.Counter[str]) -> None:
    """Ask for the tour with the most crossings, and press Solve until a search has begun."""
    goals = visitor.elements[visitor.element_key("Look for")]["props"]["options"]
    [goal] = (option for option in goals if option["label"] == "most crossings")
    await visitor.use("Look for", "update:modelValue", goal)
    is_busy = True
    while is_busy:
        await visitor.use("Solve", "click")
        await asyncio.sleep(rest_of_pause())
        answer = await visitor.answer("busy: ", "searching", "crossings ", "found: ")
        is_busy = answer.startswith("busy")
        counts["busy" if is_busy else "searching"] += 1


async def answer_alone(address: str) -> float:
    """Return the seconds from a click on Solve to the tour, when nobody else is there."""
    async with Visitor(f"{address}?board=8x8&closed=true") as visitor:
        await asyncio.sleep(REST_ALONE)
        began = time.monotonic()
        await visitor.use("Solve", "click")
        await visitor.answer("found: ")
        return time.monotonic() - began


class Usage(NamedTuple):
    """What the server and the processes below it take."""

    processes: float
    mebibytes: float
    files: float


def usage(server: int, folder: str) -> Usage:
    """Measure the server, and count the temporary files in its folder."""
    parent = psutil.Process(server)
    total, count = 0, 0
    for process in (parent, *parent.children(recursive=True)):
        try:
            total += process.memory_info().rss
            count += 1
        except psutil.NoSuchProcess:
            continue
    return Usage(count, total / 2**20, len(os.listdir(folder)))


async def until_listening(port: int) -> None:
    """Wait until a server accepts connections."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            await asyncio.sleep(0.1)


async def run_round(server: int, folder: str, address: str, clients: int) -> None:
    """Let visitors come at the same time; print what they were told, and the peak of the server."""
    counts: collections.Counter[str] = collections.Counter()
    visits = [asyncio.create_task(visit(n, address, counts)) for n in range(clients)]
    peak = usage(server, folder)
    while not all(task.done() for task in visits):
        now = usage(server, folder)
        peak = Usage(*(max(pair) for pair in zip(peak, now, strict=True)))
        await asyncio.sleep(0.25)
    waits = [await task for task in visits]
    print(dict(counts))
    print(f"answers after {statistics.median(waits):.1f} s, at most {max(waits):.1f} s")
    print(f"at the peak  {peak}")


async def load(port: int, clients: int, rounds: int, rest: float) -> None:
    """Start a server, let visitors come one by one and then at the same time, and print usage."""
    address = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "kt_cp", "play", "--no-browser", "--port", str(port)]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(command, env={**os.environ, "TMPDIR": folder})
        try:
            await until_listening(port)
            for _ in range(ALONE):
                seconds = await answer_alone(address)
                print(f"alone, closed 8x8: {seconds:.2f} s from the click to the tour")
            await visit(0, address, collections.Counter())
            await asyncio.sleep(rest)
            print(f"before       {usage(server.pid, folder)}", flush=True)
            for number in range(1, rounds + 1):
                print(f"round {number}: ", end="")
                await run_round(server.pid, folder, address, clients)
                await asyncio.sleep(rest)
                print(f"afterwards   {usage(server.pid, folder)}", flush=True)
        finally:
            server.terminate()
            server.wait()


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rest", type=float, default=60.0, help="seconds after each round")
    parser.add_argument("--port", type=int, default=8099)
    arguments = parser.parse_args()
    asyncio.run(load(arguments.port, arguments.clients, arguments.rounds, arguments.rest))


if __name__ == "__main__":
    main()
