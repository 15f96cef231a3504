"""TLS by files in PEM: what a side trusts and what it shows, checked before gRPC sees it, which says little."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rivalry_engine.error import RivalryError

if TYPE_CHECKING:
    import ssl

    import grpc

OPTIONS: Final = ("--tls-ca", "--tls-cert", "--tls-key")
PROBE_S: Final = 2.0
MOST_BYTES: Final = 1 << 20
"""Of a file of certificates or of a key."""
_WORDS: Final = (
    (r"CERTIFICATE_VERIFY_FAILED: certificate has expired", "its certificate has expired"),
    (r"CERTIFICATE_VERIFY_FAILED", "its certificate is not by the CA that was given"),
    (r"Hostname Verification Check failed", "its certificate is for another host name or address"),
    (r"WRONG_VERSION_NUMBER|HTTP_REQUEST", "it speaks plain text, not TLS; leave the CA out, and the certificate"),
    (r"UNSUPPORTED_PROTOCOL|TLSV1_ALERT_PROTOCOL_VERSION", "it speaks no version of TLS that is spoken here"),
)
SHOW_CERTIFICATE: Final = (
    "it hung up: it may ask for a certificate, or for one by another CA (--tls-cert and --tls-key; "
    "where the arena dials, cert=FILE,key=FILE)"
)
SPEAKS_TLS: Final = (
    "it speaks TLS: give the CA that its certificate is by (--tls-ca FILE; where the arena dials, ca=FILE)"
)


class TlsError(RivalryError):
    """Files that TLS cannot be spoken with; the message is one line and names the option."""


@dataclass(frozen=True, slots=True)
class Tls:
    """Paths of files in PEM; empty where there is none.

    To whoever dials, ``ca`` holds the authorities that the other side's certificate is by (without one those that come
    with gRPC); to whoever is dialled it holds those that a caller's certificate must be by.  ``cert`` (with its chain)
    and ``key`` are one's own.  ``names`` is how errors call the three.
    """

    ca: str = ""
    cert: str = ""
    key: str = ""
    names: tuple[str, str, str] = field(default=OPTIONS, compare=False)

    @classmethod
    def of_environment(cls, environment: Mapping[str, str]) -> Tls:
        """``RIVALRY_TLS_CA``, ``RIVALRY_TLS_CERT`` and ``RIVALRY_TLS_KEY``."""
        names = ("RIVALRY_TLS_CA", "RIVALRY_TLS_CERT", "RIVALRY_TLS_KEY")
        ca, cert, key = (environment.get(name, "") for name in names)
        return cls(ca, cert, key, names)

    def __bool__(self) -> bool:
        """True if TLS is to be spoken."""
        return bool(self.ca or self.cert or self.key)

    def dialling(self) -> grpc.ChannelCredentials:
        """What a channel needs; raises TlsError."""
        import grpc

        self._check(dialled=False)
        ca, cert, key = (
            _content(name, path) if path else None
            for name, path in zip(self.names, (self.ca, self.cert, self.key), strict=True)
        )
        return grpc.ssl_channel_credentials(ca, key, cert)

    def dialled(self) -> grpc.ServerCredentials:
        """What a server needs; callers must show a certificate where there is a ``ca``.  Raises TlsError."""
        import grpc

        if not self.cert:
            raise TlsError(f"{self.names[0]} without {self.names[1]}: give the certificate that is shown to callers")
        self._check(dialled=True)
        pair = _content(self.names[2], self.key), _content(self.names[1], self.cert)
        ca = _content(self.names[0], self.ca) if self.ca else None
        return grpc.ssl_server_credentials([pair], ca, require_client_auth=ca is not None)

    def _check(self, *, dialled: bool) -> None:
        import ssl

        if bool(self.cert) != bool(self.key):
            given, missing = (1, 2) if self.cert else (2, 1)
            raise TlsError(f"{self.names[given]} without {self.names[missing]}: they go together")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if dialled else ssl.PROTOCOL_TLS_CLIENT)
        if self.cert:
            self._check_pair(context)
        if self.ca:
            _content(self.names[0], self.ca)
            try:
                context.load_verify_locations(self.ca)
            except ssl.SSLError:
                raise TlsError(f"{self.names[0]} {self.ca}: holds no certificate in PEM") from None

    def _check_pair(self, context: ssl.SSLContext) -> None:
        import ssl

        cert, key = _content(self.names[1], self.cert), _content(self.names[2], self.key)
        if b"-----BEGIN CERTIFICATE-----" not in cert:
            raise TlsError(f"{self.names[1]} {self.cert}: holds no certificate in PEM")
        if b"PRIVATE KEY-----" not in key:
            raise TlsError(f"{self.names[2]} {self.key}: holds no private key in PEM")

        def passphrase() -> str:
            raise TlsError(f"{self.names[2]} {self.key}: is protected by a passphrase; give a key that is not")

        try:
            context.load_cert_chain(self.cert, self.key, password=passphrase)
        except ssl.SSLError as error:
            if error.reason and "MISMATCH" in error.reason:
                text = f"{self.names[2]} {self.key}: is not the key of the certificate {self.names[1]} {self.cert}"
            else:
                why = (error.reason or "unknown").lower().replace("_", " ")
                text = f"{self.names[1]} {self.cert} and {self.names[2]} {self.key}: cannot be used ({why})"
            raise TlsError(text) from None


def worded(details: str, *, tls: bool) -> str:
    """What gRPC says of a connection that did not come about, as a person is helped by it; as it is where unknown."""
    for pattern, words in _WORDS:
        if re.search(pattern, details):
            return words
    return SHOW_CERTIFICATE if tls and re.search(r"Socket closed|reset by peer|Broken pipe", details) else details


async def trouble(details: str, target: str, *, tls: bool) -> str:
    """What TLS has to do with it that no connection to ``target`` came about; empty if it has nothing to do with it."""
    if not tls and re.search(r"Socket closed|reset by peer|Broken pipe", details) and await speaks_tls(target):
        return SPEAKS_TLS
    words = worded(details, tls=tls)
    return words if words != details else ""


async def speaks_tls(target: str) -> bool:
    """True if whoever listens at ``target`` (``host:port``, ``unix:/path``) answers TLS; takes two seconds at most."""
    import asyncio
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # whoever it is, nothing is sent
    context.set_alpn_protocols(["h2"])
    try:
        async with asyncio.timeout(PROBE_S):
            if target.startswith("unix:"):
                path = target.removeprefix("unix:").replace("//", "/", 1)
                _, writer = await asyncio.open_unix_connection(path, ssl=context, server_hostname="")
            else:
                host, _, port = target.rpartition(":")
                _, writer = await asyncio.open_connection(host.strip("[]"), int(port), ssl=context)
    except (OSError, ValueError, TimeoutError):  # an ssl.SSLError is an OSError
        return False
    writer.transport.abort()  # nothing was sent, and a loop that ends now is not to be left with a good-bye
    return True


def _content(name: str, path: str) -> bytes:
    """The bytes of a file; raises TlsError that names the option."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise TlsError(f"{name} {path}: {error.strerror}") from error
    except ValueError as error:
        raise TlsError(f"{name} {path!r}: {error}") from error
    if len(content) > MOST_BYTES:
        raise TlsError(f"{name} {path}: more than {MOST_BYTES >> 20} MiB; expected certificates or a key in PEM")
    return content
