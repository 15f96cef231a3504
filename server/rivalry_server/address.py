"""Addresses to listen on, and clear words when one cannot be had."""

from __future__ import annotations

import errno
import re
import socket
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rivalry_engine.error import RivalryError

if TYPE_CHECKING:
    import grpc
    import grpc.aio

IN_USE: Final = "the port is in use; stop the program that uses it or give another port"
NOT_OURS: Final = "the host is not of this machine; give an address of this machine, such as 127.0.0.1"


class AddressError(RivalryError):
    """The address cannot be listened on: in use, not ours, or no address."""


async def bound(server: grpc.aio.Server, where: str, credentials: grpc.ServerCredentials | None = None) -> str:
    """Binds ``server`` to ``where``; returns where, with the port that was given.  Raises AddressError in one line.

    With ``credentials`` TLS is spoken there.
    """
    if where.startswith("unix:"):
        _free_socket(where)
    elif re.fullmatch(r"(\[[0-9a-fA-F:.%]+\]|[^:\s/\[\]]+):[0-9]{1,5}", where) is None:
        raise AddressError(f"address {where!r}: expected host:port, [v6]:port or unix:/path")
    else:
        _free_port(where)
    try:
        port = server.add_secure_port(where, credentials) if credentials else server.add_insecure_port(where)
    except RuntimeError as error:
        raise AddressError(f"cannot listen on {where}: {IN_USE}") from error
    return where if where.startswith("unix:") else f"{where.rpartition(':')[0]}:{port}"


def of_this_machine(where: str) -> bool:
    """True if nobody but programs of this machine can dial ``where``: loopback in all its forms, and unix sockets."""
    if where.startswith("unix:"):
        return True
    host = where.rpartition(":")[0].strip("[]")
    try:
        found = {str(target[0]).partition("%")[0] for *_, target in socket.getaddrinfo(host, None)}
        return bool(found) and all(ip_address(address).is_loopback for address in found)
    except (OSError, ValueError):
        return False


def _free_port(where: str) -> None:
    """Asks the operating system first: gRPC is content with one address of a host's several, and does not say why."""
    host, _, port = where.rpartition(":")
    if int(port) > 65_535:
        raise AddressError(f"cannot listen on {where}: a port is a number from 0 to 65535")
    try:
        found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    except OSError:
        raise AddressError(f"cannot listen on {where}: the host is unknown; give an address of this machine") from None
    ours = False
    for family, kind, protocol, _, target in found:
        with socket.socket(family, kind, protocol) as probe:
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(target)
                probe.listen()
            except OSError as error:
                if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    continue  # a host may have another address that is of this machine
                why = IN_USE if error.errno == errno.EADDRINUSE else error.strerror or str(error)
                raise AddressError(f"cannot listen on {where}: {why}") from error
            ours = True
    if not ours:
        raise AddressError(f"cannot listen on {where}: {NOT_OURS}")


def _free_socket(where: str) -> None:
    """gRPC takes a socket's path from whoever listens there; so whether somebody does is asked first."""
    path = Path(where.removeprefix("unix:").replace("//", "/", 1) if where.startswith("unix://") else where[5:])
    if not path.exists():
        if not path.parent.is_dir():
            raise AddressError(f"cannot listen on {where}: there is no folder {path.parent}")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            try:
                probe.bind(str(path))
                path.unlink()
            except OSError as error:
                raise AddressError(f"cannot listen on {where}: {error.strerror or error}; give another path") from error
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
