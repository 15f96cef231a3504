"""Addresses to listen on, and clear words when one cannot be had."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from rivalry_engine.error import RivalryError

if TYPE_CHECKING:
    import grpc.aio


class AddressError(RivalryError):
    """The address cannot be listened on: in use, not ours, or no address."""


async def bound(server: grpc.aio.Server, where: str) -> str:
    """Binds ``server`` to ``where``; returns where, with the port that was given.  Raises AddressError in one line."""
    if where.startswith("unix:"):
        _free_socket(where)
    elif re.fullmatch(r"(\[[0-9a-fA-F:.%]+\]|[^:\s/\[\]]+):[0-9]{1,5}", where) is None:
        raise AddressError(f"address {where!r}: expected host:port, [v6]:port or unix:/path")
    try:
        port = server.add_insecure_port(where)
    except RuntimeError as error:
        port = 0
        cause: Exception | None = error
    else:
        cause = None
    if not port:
        raise AddressError(f"cannot listen on {where}: {_why(where)}") from cause
    return where if where.startswith("unix:") else f"{where.rpartition(':')[0]}:{port}"


def _free_socket(where: str) -> None:
    """gRPC takes a socket's path from whoever listens there; so whether somebody does is asked first."""
    path = Path(where.removeprefix("unix:").replace("//", "/", 1) if where.startswith("unix://") else where[5:])
    if not path.exists():
        if not path.parent.is_dir():
            raise AddressError(f"cannot listen on {where}: there is no folder {path.parent}")
        return
    if not path.is_socket():
        raise AddressError(f"cannot listen on {where}: a file is there that is no socket")
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        probe.connect(str(path))
    except OSError:
        return
    finally:
        probe.close()
    raise AddressError(f"cannot listen on {where}: another program does; stop it or give another path")


def _why(where: str) -> str:
    """Why a TCP address cannot be had, asked of the operating system."""
    host, _, port = where.rpartition(":")
    if int(port) > 65_535:
        return "a port is a number from 0 to 65535"
    try:
        found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    except OSError:
        return f"the host {host!r} is unknown; give an address of this machine"
    family, kind, protocol, _, target = found[0]
    probe = socket.socket(family, kind, protocol)
    try:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(target)
        probe.listen()
    except OSError as error:
        if error.errno == 98:
            return "the port is in use; stop the program that uses it or give another port"
        return error.strerror or str(error)
    finally:
        probe.close()
    return "the port is in use; stop the program that uses it or give another port"
