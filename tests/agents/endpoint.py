"""A server on loopback that speaks chat completions as a script says, its failures included."""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-test-5ecret5ecret5ecret"


@dataclass
class Said:
    """What the server answers to one call; a ``body`` of None hangs up without a word."""

    body: bytes | None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    drip_s: float = 0.0
    """The wait before each byte."""


Script = Callable[[int, dict[str, Any]], Said]
"""From the number of the call, from 1, and what it asked, to what is answered."""


def completion(text: object, *, usage: object = None, finish: object = "stop", **more: object) -> Said:
    """A chat completion whose message is ``text``, with ``more`` keys."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **more}}
    used = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107} if usage is None else usage
    whole = {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice], "usage": used}
    return Said(json.dumps(whole).encode())


def failure(status: int, text: str = "", **headers: str) -> Said:
    """An error as OpenAI words it."""
    return Said(json.dumps({"error": {"message": text, "type": "x"}}).encode(), status, headers)


def last(asked: dict[str, Any]) -> str:
    """The newest message of a call."""
    text = asked["messages"][-1]["content"]
    assert isinstance(text, str)
    return text


def offered(asked: dict[str, Any]) -> int:
    """How many choices the first question of a call lists."""
    question = next(message["content"] for message in asked["messages"] if message["role"] == "user")
    return len(re.findall(r"^\[\d+\] ", question, re.MULTILINE))


class Endpoint:
    """The address of the server and all that it was asked."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.url = ""
        self.lock = threading.Lock()
        self.closing = threading.Event()
        """Set at the end, when nobody waits for what is still to be said."""


@contextmanager
def endpoint(script: Script) -> Iterator[Endpoint]:
    """A server that answers by ``script`` as long as the block."""
    made = Endpoint(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 1 << 16  # one write an answer, or the other side's system waits before it confirms the first

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            with made.lock:
                asked = json.loads(body)
                made.asked.append({**asked, "path": self.path})
                made.keys.append(self.headers.get("authorization", ""))
                said = made.script(len(made.asked), asked)
            made.closing.wait(said.wait_s)
            if said.body is None:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                return
            try:
                self.send_response(said.status)
                for name, value in {"content-length": str(len(said.body)), **said.headers}.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                for at in range(len(said.body) if said.drip_s else 0):
                    self.wfile.write(said.body[at : at + 1])
                    self.wfile.flush()
                    made.closing.wait(said.drip_s)
                if not said.drip_s:
                    self.wfile.write(said.body)
                self.wfile.flush()
            except OSError:  # the bot has gone
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, request: object, client_address: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.closing.set()
        server.shutdown()
        server.server_close()
