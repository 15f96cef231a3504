"""Whether a certificate is good at a moment: callers refuse one that is not, and the arena would not know why."""

from __future__ import annotations

import re
from base64 import b64decode
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from rivalry_server.logs import log

_PEM: Final = re.compile(rb"-----BEGIN CERTIFICATE-----(.+?)-----END CERTIFICATE-----", re.DOTALL)
_SEQUENCE: Final = 0x30
_VERSION: Final = 0xA0
_FORMS: Final = {0x17: "%y%m%d%H%M%SZ", 0x18: "%Y%m%d%H%M%SZ"}
"""How the two kinds of time are written, by tag."""


def look_at(cert: str) -> None:
    """Warns where a file's first certificate, which is the one that is shown, is not good now."""
    found = valid(Path(cert).read_bytes())
    now = datetime.now(UTC)
    if found is None or found[0] <= now <= found[1]:
        return
    log.warning(
        "certificate_not_valid",
        file=cert,
        since=found[0].isoformat(),
        until=found[1].isoformat(),
        remedy="callers refuse it: give one that is good now, or set the clock of this machine",
    )


def valid(pem: bytes) -> tuple[datetime, datetime] | None:
    """Since and until when the first certificate is good; None where that cannot be read."""
    match = _PEM.search(pem)
    if match is None:
        return None
    try:
        # RFC 5280: Certificate { TBSCertificate { [0] version, serial, algorithm, issuer, Validity { Time, Time } } }
        _, certificate, _ = _element(b64decode(match[1]))
        _, fields, _ = _element(certificate)
        tag, _, rest = _element(fields)
        for _ in range(3 if tag == _VERSION else 2):
            _, _, rest = _element(rest)
        tag, validity, _ = _element(rest)
        if tag != _SEQUENCE:
            return None
        since, rest = _time(validity)
        until, _ = _time(rest)
    except (IndexError, KeyError, ValueError):
        return None
    return since, until


def _time(data: bytes) -> tuple[datetime, bytes]:
    tag, said, rest = _element(data)
    return datetime.strptime(said.decode(), _FORMS[tag]).replace(tzinfo=UTC), rest


def _element(data: bytes) -> tuple[int, bytes, bytes]:
    """Tag and content of the first element in DER, and what follows it; raises IndexError."""
    size, at = data[1], 2
    if size & 0x80:
        at += size & 0x7F
        size = int.from_bytes(data[2:at], "big")
    return data[0], data[at : at + size], data[at + size :]
